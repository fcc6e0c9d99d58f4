import type { Stored, StoredRecord } from './ledger.ts'

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
