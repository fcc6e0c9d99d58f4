import Sqlite from 'better-sqlite3'
import { asc, eq, inArray, isNull, type Logger, lte, sql } from 'drizzle-orm'
import { drizzle as drizzleSqlite } from 'drizzle-orm/better-sqlite3'
import * as my from 'drizzle-orm/mysql-core'
import { drizzle as drizzleMysql } from 'drizzle-orm/mysql2'
import { drizzle as drizzlePostgres, type NodePgDatabase } from 'drizzle-orm/node-postgres'
import * as pg from 'drizzle-orm/pg-core'
import * as lite from 'drizzle-orm/sqlite-core'
import mysql from 'mysql2/promise'
import { Pool } from 'pg'
import type { IdStorage } from 'typed-id/codec'
import type { Engine, Server } from '../../databases.ts'
import type { Orm, Store, User } from '../cases.ts'
import { TeamId, UserId } from '../ids.ts'
import { defineTables } from './recipe.ts'

/** The functions that declare a table of each engine. Those of SQLite and MySQL are typed like those of PostgreSQL. */
export const DECLARE = {
  postgres: { ...pg, table: pg.pgTable },
  sqlite: { ...lite, table: lite.sqliteTable },
  mysql: { ...my, table: my.mysqlTable },
} as unknown as Record<Engine, typeof pg & { table: typeof pg.pgTable }>

/** Connects to a database. Databases on SQLite and MySQL are typed like one on PostgreSQL. */
export function connect<Tables extends Record<string, unknown>>(
  { engine, socket }: Server,
  tables: Tables,
  logger?: Logger,
): { db: NodePgDatabase<Tables>; close(): Promise<unknown> } {
  const options = { schema: tables, ...(logger && { logger }) }
  if (engine === 'sqlite') {
    const client = new Sqlite(socket)
    return { db: drizzleSqlite(client, options) as never, close: async () => client.close() }
  }
  if (engine === 'mysql') {
    const pool = mysql.createPool({ socketPath: socket, user: 'root', database: 'matrix' })
    const db = drizzleMysql(pool, { ...options, mode: 'default' })
    return { db: db as never, close: () => pool.end() }
  }
  // Ignores the error of the pool if the server stops before the last connection is closed.
  const pool = new Pool({ host: socket, user: 'postgres' }).on('error', () => {})
  return { db: drizzlePostgres(pool, options), close: () => pool.end() }
}

export async function open(server: Server, storage: IdStorage): Promise<Store> {
  const schema = defineTables(storage, DECLARE[server.engine])
  const { users, teams } = schema
  const { db, close } = connect(server, schema)
  const select = () => db.select().from(users)
  const inOrder = asc(users.id)

  return {
    insertTeam: (team) => db.insert(teams).values(team),
    insert: (user) => db.insert(users).values(user),
    select: () => select().orderBy(inOrder),
    where: async (id) => (await select().where(eq(users.id, id)))[0],
    whereUpTo: (id) => select().where(lte(users.id, id)).orderBy(inOrder),
    inList: (ids) => select().where(inArray(users.id, ids)).orderBy(inOrder),
    join: () =>
      db
        .select({ member: users.id, group: teams.id })
        .from(users)
        .innerJoin(teams, eq(teams.id, users.teamId)),
    returning: async (user) => (await db.insert(users).values(user).returning())[0] as User,
    whereNull: () => select().where(isNull(users.teamId)),
    update: (id, teamId) => db.update(users).set({ teamId }).where(eq(users.id, id)),
    upsert({ id, ...set }) {
      const insert = db.insert(users).values({ id, ...set })
      if (server.engine === 'mysql')
        return (insert as unknown as my.MySqlInsertBase<never, never, never>).onDuplicateKeyUpdate({ set })
      return insert.onConflictDoUpdate({ target: users.id, set })
    },
    relation: (id) => db.query.users.findFirst({ where: eq(users.id, id), with: { team: true } }),
    raw: async (id) => (await select().where(sql`${users.id} = ${sql.param(id, users.id)}`))[0]?.name,
    close,
  }
}

export const cannot: Orm['cannot'] = (engine, storage) => ({
  ...(engine === 'mysql' && {
    returning: 'MySQL has no RETURNING, so mysql-core has none',
    relation: 'relational queries use LATERAL, which MySQL 8 has and MariaDB has not; a join works',
  }),
  ...(engine === 'sqlite' &&
    storage === 'bytes' && {
      relation: 'relational queries return JSON, which holds no bytes; a join works',
    }),
})

export function wrongTypes(db: NodePgDatabase) {
  const { users, teams } = defineTables('uuid')
  const teamIds = db.select({ id: teams.id }).from(teams)
  // @ts-expect-error: a team is not a user
  db.select({ id: users.id }).from(users).union(teamIds)
  // @ts-expect-error: a team is not a user
  eq(users.id, TeamId.example)
  // @ts-expect-error: a user is not a team
  const row: typeof users.$inferInsert = { id: UserId.example, name: 'Ada', teamId: UserId.example }
  // @ts-expect-error: a string has to be parsed first
  const id: (typeof users.$inferSelect)['id'] = 'user-1'
  return { row, id }
}
