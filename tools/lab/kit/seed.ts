import { PROFILES } from 'api/app.ts'
import { readConfig } from 'api/config.ts'
import { openDatabase } from 'api/database/open.ts'
import { RoleId, TeamId, UserId } from 'api/ids.ts'

export interface Seeded {
  readonly teams: readonly string[]
  readonly roles: readonly string[]
  readonly users: readonly string[]
}

type Row = Readonly<Record<string, string | null | undefined>>

/** A hash in the format of argon2id that matches no password. */
const HASH = `$argon2id$v=19$m=19456,t=2,p=1$${'A'.repeat(22)}$${'A'.repeat(43)}`

const ROWS = 1000

export async function seed(url: string, userCount: number): Promise<Seeded> {
  const teams = TeamId.generateMany(1000)
  const roles = RoleId.generateMany(50)
  const users = UserId.generateMany(userCount)
  const tables: Record<string, readonly Row[]> = {
    teams: teams.map((id, n) => ({ id, name: `Team ${n}` })),
    roles: roles.map((id, n) => ({
      id,
      name: `role ${n}`,
      description: n % 2 ? `What role ${n} may do` : null,
    })),
    users: users.map((id, n) => ({
      id,
      email: `user-${n}@example.com`,
      normalized_email: `user-${n}@example.com`,
      name: `User ${n}`,
      password_hash: HASH,
      team_id: teams[Math.floor(n / 100)],
    })),
    user_roles: users.flatMap((user_id, n) =>
      Array.from({ length: n % 6 }, (_, k) => ({
        user_id,
        role_id: roles[(n * 7 + k * 11) % roles.length],
      })),
    ),
  }
  const { database } = readConfig({ DATABASE_URL: url }, '/')
  const { db, close } = await openDatabase(database, PROFILES.a.migrations)
  await db.transaction().execute(async (tx) => {
    for (const [table, rows] of Object.entries(tables)) {
      const insert = tx.insertInto(table)
      for (let n = 0; n < rows.length; n += ROWS)
        await insert.values(rows.slice(n, n + ROWS)).execute()
    }
  })
  await close()
  return { teams, roles, users }
}
