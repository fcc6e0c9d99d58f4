import { existsSync } from 'node:fs'
import { importDriver } from '../driver.ts'
import { MigrationError } from '../error.ts'

// biome-ignore lint/suspicious/noExplicitAny: rows of catalogue queries, whose shape stands in the query
export type Row = Record<string, any>

/** The part of a connection that node:sqlite and better-sqlite3 have in common. */
export interface Session {
  exec(sql: string): unknown
  prepare(sql: string): { all(...values: string[]): unknown[] }
  close(): void
}

export const query = (session: Session, sql: string, ...values: string[]): Row[] =>
  session.prepare(sql).all(...values) as Row[]

/**
 * Opens a database with node:sqlite, or with better-sqlite3 where Node has none. Both otherwise protect sqlite_schema
 * against changes (SQLITE_DBCONFIG_DEFENSIVE).
 */
export async function open(path: string): Promise<Session> {
  if (path !== ':memory:' && !existsSync(path)) throw new MigrationError(`no such database: ${path}`)
  const builtin = await import('node:sqlite').catch(() => undefined)
  if (builtin) return new builtin.DatabaseSync(path, { defensive: false } as object) as Session
  type Driver = new (path: string) => Session & { unsafeMode(on: boolean): void }
  const Database = await importDriver<Driver>('better-sqlite3', 'SQLite on this version of Node')
  const session = new Database(path)
  session.unsafeMode(true)
  return session
}
