import Sqlite from 'better-sqlite3'
import type { Logger } from 'drizzle-orm'
import { drizzle as drizzleSqlite } from 'drizzle-orm/better-sqlite3'
import * as my from 'drizzle-orm/mysql-core'
import { drizzle as drizzleMysql } from 'drizzle-orm/mysql2'
import {
  drizzle as drizzlePostgres,
  type NodePgDatabase,
} from 'drizzle-orm/node-postgres'
import * as pg from 'drizzle-orm/pg-core'
import * as lite from 'drizzle-orm/sqlite-core'
import mysql from 'mysql2/promise'
import { Pool } from 'pg'
import type { Engine, Server } from '../../databases.ts'

/**
 * The functions for SQLite and MySQL are cast to the types of the PostgreSQL
 * functions, so that the same code can declare tables for any engine.
 */
export const DECLARE = {
  postgres: { ...pg, table: pg.pgTable },
  sqlite: { ...lite, table: lite.sqliteTable },
  mysql: { ...my, table: my.mysqlTable },
} as unknown as Record<Engine, typeof pg & { table: typeof pg.pgTable }>

export function connect<Tables extends Record<string, unknown>>(
  { engine, address }: Server,
  tables: Tables,
  logger?: Logger,
): { db: NodePgDatabase<Tables>; close(): Promise<unknown> } {
  const options = { schema: tables, ...(logger && { logger }) }
  if (engine === 'sqlite') {
    const client = new Sqlite(address)
    return {
      db: drizzleSqlite(client, options) as never,
      close: async () => client.close(),
    }
  }
  if (engine === 'mysql') {
    const account = { user: 'root', database: 'matrix' }
    const pool = mysql.createPool({ socketPath: address, ...account })
    const db = drizzleMysql(pool, { ...options, mode: 'default' })
    return { db: db as never, close: () => pool.end() }
  }
  // The pool emits an error when the server stops. Without a listener, the
  // error would end this process.
  const pool = new Pool({ connectionString: address }).on('error', () => {})
  return { db: drizzlePostgres(pool, options), close: () => pool.end() }
}
