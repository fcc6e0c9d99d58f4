import { PostgresAdapter, type RawBuilder, SqliteAdapter, sql } from 'kysely'
import type { IdType } from 'typed-id'
import { idCheck } from 'typed-id/kysely'
import type { Transaction } from './database.ts'

/**
 * Returns the column types and CHECK constraints whose SQL differs between engines. Ids are stored as canonical text
 * with a CHECK on their whole shape: a row is readable by itself, and a foreign key cannot hold an id of another type.
 */
export function columnsFor(db: Transaction) {
  const { adapter } = db.getExecutor()
  const isSqlite = adapter instanceof SqliteAdapter
  if (!isSqlite && !(adapter instanceof PostgresAdapter))
    throw new Error(`columnsFor: add the column types of the engine with ${adapter.constructor.name}`)
  return {
    /** Text that sorts by its bytes. */
    text: isSqlite ? sql`text` : sql`text collate "C"`,
    isId: (column: string, type: IdType<string>): RawBuilder<boolean> =>
      idCheck(type, column, isSqlite ? 'sqlite' : 'postgres'),
    /** At most `limit` code points. */
    atMost: (column: string, limit: number): RawBuilder<boolean> =>
      sql`length(${sql.ref(column)}) <= ${sql.lit(limit)}`,
    /**
     * The end of a CREATE TABLE. SQLite enforces column types in STRICT tables only, and WITHOUT ROWID stores the rows
     * in the tree of the primary key.
     */
    options: isSqlite ? sql`strict, without rowid` : sql``,
  }
}
