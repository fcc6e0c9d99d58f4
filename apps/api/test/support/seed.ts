import Sqlite from 'better-sqlite3'
import pg from 'pg'
import { migrate } from 'testkit/process.ts'
import { RoleId, TeamId, UserId } from '../../src/ids.ts'

/** The ids of the rows in a seeded database. */
export interface Seeded {
  readonly teams: readonly string[]
  readonly roles: readonly string[]
  readonly users: readonly string[]
}

type Row = Readonly<Record<string, string | null | undefined>>

/** A hash of the usual length that matches no password. */
const HASH = `$argon2id$v=19$m=19456,t=2,p=1$${'A'.repeat(22)}$${'A'.repeat(43)}`

/** Number of rows that one statement inserts. */
const ROWS = 10_000

/**
 * Migrates an empty database, and inserts users, 50 roles, and 1,000 teams (more from 100,000 users). Each user has 0 to
 * 5 roles, and 100 users share a team.
 */
export async function seed(url: string, userCount: number): Promise<Seeded> {
  await migrate(url)
  const teams = TeamId.generateMany(Math.max(1000, Math.ceil(userCount / 100)))
  const roles = RoleId.generateMany(50)
  const users = UserId.generateMany(userCount)
  const tables: Record<string, readonly Row[]> = {
    teams: teams.map((id, n) => ({ id, name: `Team ${n}` })),
    roles: roles.map((id, n) => ({
      id,
      name: `role ${n}`,
      description: n % 2 ? `What role ${n} may do` : null,
    })),
    users: users.map((id, n) => {
      const email = `user-${n}@example.com`
      const team_id = teams[Math.floor(n / 100)]
      return { id, email, normalized_email: email, name: `User ${n}`, password_hash: HASH, team_id }
    }),
    user_roles: users.flatMap((user_id, n) =>
      Array.from({ length: n % 6 }, (_, k) => ({ user_id, role_id: roles[(n * 7 + k * 11) % roles.length] })),
    ),
  }
  const database = url.startsWith('sqlite:') ? openSqlite(url) : await openPostgres(url)
  for (const [table, rows] of Object.entries(tables))
    for (let n = 0; n < rows.length; n += ROWS)
      await database.insert(table, Object.keys(rows[0] ?? {}), JSON.stringify(rows.slice(n, n + ROWS)))
  await database.close()
  return { teams, roles, users }
}

/** Inserts rows that are given as a JSON array of objects. */
type Insert = (table: string, columns: readonly string[], json: string) => unknown

function openSqlite(url: string): { insert: Insert; close: () => unknown } {
  const db = new Sqlite(url.slice('sqlite:'.length))
  db.pragma('synchronous = OFF')
  return {
    insert(table, columns, json) {
      const values = columns.map((column) => `value ->> '${column}'`)
      db.prepare(`insert into ${table} (${columns}) select ${values} from json_each(?)`).run(json)
    },
    close: () => db.close(),
  }
}

async function openPostgres(url: string): Promise<{ insert: Insert; close: () => unknown }> {
  const client = new pg.Client(url)
  await client.connect()
  return {
    insert: (table, columns, json) =>
      client.query(
        `insert into ${table} (${columns}) select ${columns} from json_populate_recordset(null::${table}, $1)`,
        [json],
      ),
    close: () => client.end(),
  }
}
