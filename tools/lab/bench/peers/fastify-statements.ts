import Sqlite from 'better-sqlite3'

/** Opens the database of a peer with the settings of the service. */
export function open(): Sqlite.Database {
  const db = new Sqlite(process.env.DATABASE_URL?.replace('sqlite:', ''))
  db.pragma('journal_mode = WAL')
  db.pragma('synchronous = FULL')
  db.pragma('foreign_keys = ON')
  return db
}

/** The writes of both Fastify peers. */
export const prepareWrites = (db: Sqlite.Database) => ({
  insertTeam: db.prepare<[id: string, name: string]>('insert into teams (id, name) values (?, ?)'),
  insertUser: db.prepare(
    `insert into users (id, email, normalized_email, name, password_hash, team_id)
      values (@id, @email, lower(@email), @name, @passwordHash, @teamId)`,
  ),
  changeUser: db.prepare<[name: string | null, teamId: string | null, id: string]>(
    'update users set name = coalesce(?, name), team_id = coalesce(?, team_id) where id = ?',
  ),
  assignRole: db.prepare<[userId: string, roleId: string]>(
    'insert into user_roles (user_id, role_id) values (?, ?) on conflict do nothing',
  ),
})
