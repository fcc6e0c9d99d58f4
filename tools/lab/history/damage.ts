import Sqlite from 'better-sqlite3'
import pg from 'pg'

/** Rows that refer to a row that does not exist. */
const ORPHANS = `
  select user_roles.* from user_roles
  left join users on users.id = user_id left join roles on roles.id = role_id
  where users.id is null or roles.id is null
  union all
  select users.id, team_id from users left join teams on teams.id = team_id
  where team_id is not null and teams.id is null`

/** Checks the integrity of a database without the service. Returns a message for each problem. */
export async function findDamage(url: string): Promise<string[]> {
  const problems = url.startsWith('sqlite:')
    ? checkSqlite(url.slice('sqlite:'.length))
    : await checkPostgres(url)
  return problems.map((problem) => `damaged database: ${JSON.stringify(problem)}`)
}

function checkSqlite(file: string): unknown[] {
  const db = new Sqlite(file, { readonly: true })
  try {
    const integrity = db.pragma('integrity_check') as { integrity_check: string }[]
    return [
      ...integrity.filter(({ integrity_check }) => integrity_check !== 'ok'),
      ...(db.pragma('foreign_key_check') as unknown[]),
      ...db.prepare(ORPHANS).all(),
    ]
  } finally {
    db.close()
  }
}

async function checkPostgres(url: string): Promise<unknown[]> {
  const client = new pg.Client(url)
  await client.connect()
  try {
    return (await client.query(ORPHANS)).rows
  } finally {
    await client.end()
  }
}
