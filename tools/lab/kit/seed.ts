import Sqlite from 'better-sqlite3'
import pg from 'pg'
import { defineId } from 'typed-id'
import { runService } from './service.ts'

export const TeamId = defineId('team')
const RoleId = defineId('role')
export const UserId = defineId('user')

export interface Seeded {
  readonly file: string
  readonly teams: readonly string[]
  readonly roles: readonly string[]
  readonly users: readonly string[]
}

/** A hash of the usual length that matches no password. */
const HASH = `$argon2id$v=19$m=19456,t=2,p=1$${'A'.repeat(22)}$${'A'.repeat(43)}`

/**
 * Creates a SQLite file with users, 50 roles, and 1,000 teams (more from 100,000 users). Each user has 0 to 5 roles,
 * and 100 users share a team.
 */
export async function seed(file: string, userCount: number): Promise<Seeded> {
  await runService({ DATABASE_URL: `sqlite:${file}` }, ['migrate'])
  const teams = TeamId.generateMany(Math.max(1000, Math.ceil(userCount / 100)))
  const roles = RoleId.generateMany(50)
  const users = UserId.generateMany(userCount)
  const db = new Sqlite(file)
  db.pragma('synchronous = OFF')
  const insert = (table: string, columns: string[]) =>
    db.prepare(`insert into ${table} (${columns}) values (${columns.map(() => '?')})`)
  const team = insert('teams', ['id', 'name'])
  const role = insert('roles', ['id', 'name', 'description'])
  const user = insert('users', ['id', 'email', 'normalized_email', 'name', 'password_hash', 'team_id'])
  const userRole = insert('user_roles', ['user_id', 'role_id'])
  db.transaction(() => {
    for (const [n, id] of teams.entries()) team.run(id, `Team ${n}`)
    for (const [n, id] of roles.entries()) role.run(id, `role ${n}`, n % 2 ? `What role ${n} may do` : null)
    for (const [n, id] of users.entries()) {
      const email = `user-${n}@example.com`
      user.run(id, email, email, `User ${n}`, HASH, teams[Math.floor(n / 100)])
      for (let k = 0; k < n % 6; k += 1) userRole.run(id, roles[(n * 7 + k * 11) % roles.length])
    }
  })()
  db.close()
  return { file, teams, roles, users }
}

/** Copies the rows of a seeded file into an empty PostgreSQL database. */
export async function copyInto(url: string, { file }: Seeded): Promise<void> {
  await runService({ DATABASE_URL: url }, ['migrate'])
  const source = new Sqlite(file, { readonly: true })
  const target = new pg.Client(url)
  await target.connect()
  for (const table of ['teams', 'roles', 'users', 'user_roles']) {
    const rows = source.prepare(`select * from ${table}`).all()
    for (let first = 0; first < rows.length; first += 10_000)
      await target.query(`insert into ${table} select * from json_populate_recordset(null::${table}, $1)`, [
        JSON.stringify(rows.slice(first, first + 10_000)),
      ])
  }
  await target.end()
  source.close()
}
