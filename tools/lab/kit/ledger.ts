import { isDeepStrictEqual } from 'node:util'

/** A team, role or user as the service returns it. */
export interface StoredRecord {
  readonly id: string
  readonly [field: string]: unknown
}

/** The fields that a created record must have. The service generates the id. */
export type Fields = Readonly<Record<string, unknown>>

/** All records that the service lists. */
export interface Stored {
  readonly records: ReadonlyMap<string, StoredRecord>
  /** Keys and ids that occur more than once. */
  readonly duplicates: readonly string[]
}

export type Ledger = ReturnType<typeof createLedger>

/** Keeps the creations that clients sent, by a key that the client chooses, and compares them with the stored records. */
export function createLedger() {
  const acknowledged = new Map<string, Fields>()
  const uncertain = new Map<string, Fields>()
  const lost: string[] = []
  const inconsistent: string[] = []
  return {
    /** Acknowledged creations that are not stored. */
    lost,
    /** Records that no sequence of the requests can have produced, such as a partial write. */
    inconsistent,
    /** Registers a creation that was acknowledged. Throws if the response does not show the expected record. */
    acknowledge(key: string, expected: Fields, received?: StoredRecord): void {
      uncertain.delete(key)
      acknowledged.set(key, received ?? expected)
      if (received && !isSame(received, expected))
        throw new Error(`${key}: the response contains ${format(received)}, expected ${format(expected)}`)
    },
    /** Registers a creation without a definite response (connection lost, 503): it may or may not be stored. */
    addUncertain(key: string, expected: Fields): void {
      uncertain.set(key, expected)
    },
    /** Compares every record with the ledger. From then on, only the stored state is correct. */
    compare({ records, duplicates }: Stored): void {
      for (const duplicate of duplicates) inconsistent.push(`${duplicate} is stored more than once`)
      for (const [key, expected] of acknowledged) {
        if (records.has(key)) continue
        lost.push(`${key}: not stored, expected ${format(expected)}`)
        acknowledged.delete(key)
      }
      for (const [key, found] of records) {
        const expected = acknowledged.get(key) ?? uncertain.get(key)
        if (expected === undefined)
          inconsistent.push(`${key}: stored ${format(found)}, but no client wrote it`)
        else if (!isSame(found, expected))
          inconsistent.push(`${key}: stored ${format(found)}, expected ${format(expected)}`)
        acknowledged.set(key, found)
      }
      uncertain.clear()
    },
  }
}

const format = (record: Fields) => JSON.stringify(record)

/** Compares all fields. Any id is correct if the client has not received the id. */
const isSame = (found: StoredRecord, expected: Fields) =>
  isDeepStrictEqual({ ...found }, { id: found.id, ...expected })

/** Ledger keys: names and e-mails, which the client knows before the service has generated an id. */
export const keyOf = {
  teams: (name: unknown) => `team ${name}`,
  users: (email: unknown) => `user ${String(email).toLowerCase()}`,
}

/** Reads every team and user through the lists of the service. */
export async function readStored(url: string): Promise<Stored> {
  const records = new Map<string, StoredRecord>()
  const ids = new Set<string>()
  const duplicates: string[] = []
  const add = (key: string, record: StoredRecord) => {
    if (records.has(key)) duplicates.push(key)
    if (ids.has(record.id)) duplicates.push(record.id)
    ids.add(record.id)
    records.set(key, record)
  }
  for (const team of await readList(url, '/teams')) add(keyOf.teams(team.name), team)
  for (const user of await readList(url, '/users')) add(keyOf.users(user.email), user)
  return { records, duplicates }
}

export async function readList(url: string, path: string): Promise<StoredRecord[]> {
  const response = await fetch(url + path)
  if (response.status !== 200) throw new Error(`GET ${path} returned ${response.status}, expected 200`)
  return (await response.json()) as StoredRecord[]
}
