import Sqlite from 'better-sqlite3'
import { PROFILES } from '../src/config/variables.ts'
import { openDatabase } from '../src/database/open.ts'
import { RoleId, TeamId, UserId } from '../src/ids.ts'
import { databaseAt } from '../test/support/database.ts'

export interface Seeded {
  readonly file: string
  readonly teams: readonly string[]
  readonly roles: readonly string[]
  readonly users: readonly string[]
}

/** A hash that no password has, of the usual length. */
const HASH = `$argon2id$v=19$m=19456,t=2,p=1$${'A'.repeat(22)}$${'A'.repeat(43)}`

/** Makes a database of 1,000 teams (or one for every 100 users), 50 roles and users with 0 to 5 of them, 100 in a team. */
export async function seed(file: string, userCount: number): Promise<Seeded> {
  await (await openDatabase(databaseAt(`sqlite:${file}`), PROFILES.a.migrations)).close()
  const teams = TeamId.generateMany(Math.max(1000, Math.ceil(userCount / 100)))
  const roles = RoleId.generateMany(50)
  const users = UserId.generateMany(userCount)

  const db = new Sqlite(file)
  db.pragma('synchronous = OFF')
  const insert = (table: string, columns: number) =>
    db.prepare(`insert into ${table} values (${Array.from({ length: columns }, () => '?')})`)
  const [team, role, user, userRole] = [
    insert('teams', 2),
    insert('roles', 3),
    insert('users', 5),
    insert('user_roles', 2),
  ]
  db.transaction(() => {
    for (const [n, id] of teams.entries()) team.run(id, `Team ${n}`)
    for (const [n, id] of roles.entries()) role.run(id, `role ${n}`, n % 2 ? `What role ${n} may do` : null)
    for (const [n, id] of users.entries()) {
      user.run(id, `user-${n}@example.com`, `User ${n}`, HASH, teams[Math.floor(n / 100)])
      for (let k = 0; k < n % 6; k += 1) userRole.run(id, roles[(n * 7 + k * 11) % roles.length])
    }
  })()
  db.close()
  return { file, teams, roles, users }
}
