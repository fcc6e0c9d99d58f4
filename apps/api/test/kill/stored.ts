import Sqlite from 'better-sqlite3'
import pg from 'pg'
import type { Thing } from './ledger.ts'

/** Everything that the service answers of what is stored, by the keys of the ledger. */
export async function readBack(url: string): Promise<Map<string, Thing>> {
  const list = async (path: string): Promise<Thing[]> => {
    const response = await fetch(url + path)
    if (response.status !== 200) throw new Error(`GET ${path} got ${response.status}`)
    return (await response.json()) as Thing[]
  }
  const stored = new Map<string, Thing>()
  for (const team of await list('/teams')) stored.set(`team ${team.name}`, team)
  for (const role of await list('/roles')) stored.set(`role ${role.name}`, role)
  for (const user of await list('/users')) stored.set(`user ${user.email}`, user)
  return stored
}

const ORPHANS = `
  select user_roles.* from user_roles
  left join users on users.id = user_id left join roles on roles.id = role_id
  where users.id is null or roles.id is null
  union all
  select users.id, team_id from users left join teams on teams.id = team_id
  where team_id is not null and teams.id is null`

/** What the database itself finds wrong with its file, and rows that refer to what is not there. */
export async function damageOf(url: string): Promise<string[]> {
  if (url.startsWith('sqlite:')) {
    const file = new Sqlite(url.slice('sqlite:'.length), { readonly: true })
    const found = [
      ...(file.pragma('integrity_check') as unknown[]),
      ...(file.pragma('foreign_key_check') as unknown[]),
      ...file.prepare(ORPHANS).all(),
    ]
    file.close()
    return found.map((row) => JSON.stringify(row)).filter((row) => row !== '{"integrity_check":"ok"}')
  }
  const client = new pg.Client(url)
  await client.connect()
  const { rows } = await client.query(ORPHANS)
  await client.end()
  return rows.map((row) => JSON.stringify(row))
}
