/** A team, role or user as the service returns it. */
export interface StoredRecord {
  readonly id: string
  readonly [field: string]: unknown
}

/** The state of one record; undefined means that it is not stored. */
export type State = StoredRecord | undefined

/** In an expected state, matches any id: the service generates the id, and the client did not receive it. */
export const ANY_ID = '?'

/** All records that the service lists. */
export interface Stored {
  readonly records: ReadonlyMap<string, StoredRecord>
  /** Keys and ids that occur more than once. */
  readonly duplicates: readonly string[]
}

/**
 * Keeps the possible states of each record according to the responses that clients received, by a key that the client
 * chooses. Compares these states with the stored records.
 */
export interface Ledger {
  /** Acknowledged writes that are not stored, because the record is in a state from before the write. */
  readonly lost: string[]
  /** Records in a state that no sequence of the requests can have produced, such as a partial write. */
  readonly inconsistent: string[]
  /** Writes without a definite response that were found to be stored. */
  readonly applied: number
  /** Returns the state of a record if only one state is possible, otherwise undefined. */
  certain(key: string): State
  /** Registers a write that was acknowledged. Throws if the response does not show the expected state. */
  acknowledge(key: string, expected: State, received: State): void
  /** Registers a write without a definite response (connection lost, 503): it may or may not have been applied. */
  addUncertain(key: string, after: State): void
  /** Compares every record with the ledger. From then on, the stored state is the only possible state. */
  compare(stored: Stored): void
  /** Returns the keys of the records that must be stored. */
  keys(): string[]
}

interface Entry {
  /** Possible states, more than one while a write is uncertain. */
  possible: State[]
  /** Earlier states as JSON. A record found in one of them has lost a write. */
  readonly past: Set<string>
}

export function createLedger(): Ledger {
  const entries = new Map<string, Entry>()
  const lost: string[] = []
  const inconsistent: string[] = []
  let applied = 0

  function entryOf(key: string): Entry {
    const entry = entries.get(key) ?? { possible: [undefined], past: new Set() }
    entries.set(key, entry)
    return entry
  }

  function settle(key: string, state: State): void {
    const entry = entryOf(key)
    for (const before of entry.possible) entry.past.add(format(before))
    entry.past.delete(format(state))
    entry.possible = [state]
  }

  return {
    lost,
    inconsistent,
    get applied() {
      return applied
    },
    certain(key) {
      const { possible } = entryOf(key)
      return possible.length === 1 ? possible[0] : undefined
    },
    acknowledge(key, expected, received) {
      settle(key, received)
      if (!isSame(expected, received))
        throw new Error(`${key}: the response contains ${format(received)}, expected ${format(expected)}`)
    },
    addUncertain(key, after) {
      entryOf(key).possible.push(after)
    },
    compare({ records, duplicates }) {
      for (const duplicate of duplicates) inconsistent.push(`${duplicate} is stored more than once`)
      for (const [key, { possible, past }] of entries) {
        const found = records.get(key)
        const index = possible.findIndex((state) => isSame(state, found))
        if (index > 0) applied += 1
        if (index < 0) {
          const difference = `${key}: stored ${format(found)}, expected ${possible.map(format).join(' or ')}`
          if (past.has(format(found))) lost.push(difference)
          else inconsistent.push(difference)
        }
        settle(key, found)
      }
      for (const [key, record] of records) {
        if (!entries.has(key)) inconsistent.push(`${key}: stored ${format(record)}, but no client wrote it`)
      }
    },
    keys: () => [...entries].filter(([, { possible }]) => possible[0] !== undefined).map(([key]) => key),
  }
}

const format = (state: State) => (state === undefined ? 'nothing' : JSON.stringify(state))

function isSame(expected: State, found: State): boolean {
  if (expected === undefined || found === undefined) return expected === found
  return format(expected) === format(expected.id === ANY_ID ? { ...found, id: ANY_ID } : found)
}

/** Ledger keys: names and e-mails, which the client knows before the service has generated an id. */
export const keyOf = {
  teams: (name: unknown) => `team ${name}`,
  roles: (name: unknown) => `role ${name}`,
  users: (email: unknown) => `user ${String(email).toLowerCase()}`,
}

/** Reads every record of Profile A through the lists of the service. */
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
  for (const role of await readList(url, '/roles')) add(keyOf.roles(role.name), role)
  for (const user of await readList(url, '/users')) add(keyOf.users(user.email), user)
  return { records, duplicates }
}

export async function readList(url: string, path: string): Promise<StoredRecord[]> {
  const response = await fetch(url + path)
  if (response.status !== 200) throw new Error(`GET ${path} returned ${response.status}, expected 200`)
  return (await response.json()) as StoredRecord[]
}
