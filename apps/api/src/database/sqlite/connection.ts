import { setTimeout as pause } from 'node:timers/promises'
import Sqlite from 'better-sqlite3'
import { Kysely, SqliteAdapter, SqliteDialect, SqliteIntrospector, SqliteQueryCompiler, sql } from 'kysely'
import { idCheck } from 'typed-id/kysely'
import { UnavailableError } from '../../errors.ts'
import { type ColumnTypes, maxLength } from '../columns.ts'
import { createCompiler } from '../compiler.ts'
import type { Statement } from '../database.ts'
import { findViolatedForeignKey, toDatabaseError } from './errors.ts'

/** How long SQLite may block the event loop while another process holds the lock, in milliseconds. */
const BUSY_TIMEOUT_MS = 10
/** How long to wait for the lock in total, in milliseconds. */
const LOCK_TIMEOUT_MS = 5000

/** Opens a file, or `:memory:`. Creates a missing file. */
export async function connect(file: string): Promise<Sqlite.Database> {
  const connection = new Sqlite(file, { timeout: BUSY_TIMEOUT_MS })
  try {
    await whenUnlocked(() => assertOwn(connection))
  } catch (error) {
    connection.close()
    throw error
  }
  await whenUnlocked(() => void connection.pragma('journal_mode = WAL'))
  connection.pragma('synchronous = FULL')
  connection.pragma('foreign_keys = ON')
  return connection
}

/** Throws when the file belongs to another program, because it has tables but no table of migrations. */
function assertOwn(connection: Sqlite.Database): void {
  const select =
    "select name from sqlite_master where type = 'table' and name not like 'sqlite\\_%' escape '\\'"
  const tables = connection.prepare<[], string>(select).pluck().all()
  if (tables.length > 0 && !tables.includes('kysely_migration'))
    throw new Error(`the file is the database of another program, with the tables ${tables.join(', ')}`)
}

/**
 * Retries an action while another process holds the lock of the file. SQLite's own busy timeout blocks the event loop,
 * so it is short, and this function does the rest of the waiting.
 */
export async function whenUnlocked(action: () => void): Promise<void> {
  const deadline = performance.now() + LOCK_TIMEOUT_MS
  for (;;) {
    try {
      return action()
    } catch (cause) {
      const error = toDatabaseError(cause, () => undefined)
      if (!isLocked(error) || performance.now() > deadline) throw error
    }
    await pause(1 + Math.random() * 10)
  }
}

const isLocked = (error: unknown) =>
  error instanceof UnavailableError && /^SQLITE_(BUSY|LOCKED)/.test(error.message)

/** Returns a function that runs a statement and returns its rows. Prepares each statement once. */
export function executorFor(connection: Sqlite.Database) {
  const prepared = new Map<string, Sqlite.Statement>()
  return (statement: Statement, values: readonly unknown[]): unknown[] => {
    try {
      let query = prepared.get(statement.sql)
      if (query === undefined) {
        query = connection.prepare(statement.sql)
        prepared.set(statement.sql, query)
      }
      if (query.reader) return query.all(values)
      query.run(values)
      return []
    } catch (error) {
      throw toDatabaseError(error, () => findViolatedForeignKey(connection, statement, values))
    }
  }
}

const columns: ColumnTypes = {
  text: sql`text`,
  isId: (column, type) => idCheck(type, column, 'sqlite'),
  atMost: maxLength,
  // SQLite enforces column types in STRICT tables only. WITHOUT ROWID stores the rows in the tree of the primary key.
  options: sql`strict, without rowid`,
  lockRows: () => sql``, // no lock, because one transaction writes at a time
}

export class ColumnsAdapter extends SqliteAdapter {
  readonly columns = columns
}

/**
 * Writes every parameter as `+?`, which has the same value but hides it from the query planner. SQLite built with
 * STAT4, as better-sqlite3 is, plans a join again whenever a value is bound that the planner can see, and planning
 * takes five times as long as the join itself.
 */
class Compiler extends SqliteQueryCompiler {
  protected override getCurrentParameterPlaceholder() {
    return '+?'
  }
}

export const compiler = createCompiler({
  createAdapter: () => new ColumnsAdapter(),
  createQueryCompiler: () => new Compiler(),
  createIntrospector: (db) => new SqliteIntrospector(db),
})

class Dialect extends SqliteDialect {
  override createAdapter() {
    return new ColumnsAdapter()
  }
}

/** Returns a Kysely that runs queries on a connection. */
export const kyselyOn = (database: Sqlite.Database) => new Kysely({ dialect: new Dialect({ database }) })
