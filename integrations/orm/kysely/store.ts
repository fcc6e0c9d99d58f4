import Sqlite from 'better-sqlite3'
import { type Dialect, Kysely, MysqlDialect, PostgresDialect, SqliteDialect, sql } from 'kysely'
import mysql from 'mysql2'
import pg from 'pg'
import { type IdStorage, idCodec } from 'typed-id/codec'
import { idPlugin } from 'typed-id/kysely'
import type { Engine, Server } from '../../databases.ts'
import type { Orm, Store, User } from '../cases.ts'
import { TeamId, UserId } from '../ids.ts'
import type { Tables } from './recipe.ts'

const DIALECTS: Record<Engine, (socket: string) => Dialect> = {
  // Ignores the error of the pool if the server stops before the last connection is closed.
  postgres: (host) =>
    new PostgresDialect({ pool: new pg.Pool({ host, user: 'postgres' }).on('error', () => {}) }),
  sqlite: (file) => new SqliteDialect({ database: new Sqlite(file) }),
  mysql: (socketPath) =>
    new MysqlDialect({ pool: mysql.createPool({ socketPath, user: 'root', database: 'matrix' }) }),
}

/** MariaDB has INSERT … RETURNING, but Kysely's dialect is that of MySQL, which has not. */
export const cannot: Orm['cannot'] = (engine) =>
  engine === 'mysql' ? { returning: 'the MysqlDialect returns no rows of an INSERT' } : {}

export async function open({ engine, socket }: Server, storage: IdStorage): Promise<Store> {
  const plugin = idPlugin(storage, { users: { id: UserId, team_id: TeamId }, teams: { id: TeamId } })
  const db = new Kysely<Tables>({ dialect: DIALECTS[engine](socket), plugins: [plugin] })
  const { toDatabase } = idCodec(UserId, storage, 'users.id')
  const toRow = ({ teamId, ...user }: User) => ({ ...user, team_id: teamId })
  const users = db.selectFrom('users').select(['id', 'name', 'team_id as teamId']).orderBy('id')

  return {
    insertTeam: (team) => db.insertInto('teams').values(team).execute(),
    insert: (user) => db.insertInto('users').values(toRow(user)).execute(),
    select: () => users.execute(),
    where: (id) => users.where('id', '=', id).executeTakeFirst(),
    whereUpTo: (id) => users.where('users.id', '<=', id).execute(),
    inList: (ids) => users.where('id', 'in', ids).execute(),
    join: () =>
      db
        .selectFrom('users as u')
        .innerJoin('teams as t', 't.id', 'u.team_id')
        .select(['u.id as member', 't.id as group'])
        .execute(),
    returning: (user) =>
      db
        .insertInto('users')
        .values(toRow(user))
        .returning(['id', 'name', 'team_id as teamId'])
        .executeTakeFirstOrThrow(),
    whereNull: () => users.where('team_id', 'is', null).execute(),
    update: (id, team_id) => db.updateTable('users').set({ team_id }).where('id', '=', id).execute(),
    upsert(user) {
      const { id, ...changes } = toRow(user)
      const insert = db.insertInto('users').values({ id, ...changes })
      if (engine === 'mysql') return insert.onDuplicateKeyUpdate(changes).execute()
      return insert.onConflict((conflict) => conflict.column('id').doUpdateSet(changes)).execute()
    },
    async relation(id) {
      const row = await db
        .selectFrom('users')
        .leftJoin('teams', 'teams.id', 'users.team_id')
        .select(['users.id', 'teams.id as teamId', 'teams.name'])
        .where('users.id', '=', id)
        .executeTakeFirst()
      return row && { id: row.id, team: row.teamId && row.name ? { id: row.teamId, name: row.name } : null }
    },
    async raw(id) {
      const { rows } = await sql<{
        name: string
      }>`select name from users where id = ${toDatabase(id)}`.execute(db)
      return rows[0]?.name
    },
    close: () => db.destroy(),
  }
}

export function wrongTypes(db: Kysely<Tables>) {
  // @ts-expect-error: a team is not a user
  db.selectFrom('users').where('id', '=', TeamId.example)
  // @ts-expect-error: a user is not a team
  db.insertInto('users').values({ id: UserId.example, name: 'Ada', team_id: UserId.example })
  // @ts-expect-error: a string has to be parsed first
  db.updateTable('users').set({ team_id: 'team-1' })
}
