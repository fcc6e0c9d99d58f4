import { type Kysely, type RawBuilder, SqliteAdapter, sql } from 'kysely'
import type { IdType } from 'typed-id'
import { idCheck } from 'typed-id/kysely'

/**
 * What the two engines write differently in a table. Ids are canonical text under a CHECK on their whole shape, so
 * that a row read by hand explains itself and a reference cannot hold an id of another type.
 */
// biome-ignore lint/suspicious/noExplicitAny: migrations run before there are tables to have types.
export function columnsFor(db: Kysely<any>) {
  const sqlite = db.getExecutor().adapter instanceof SqliteAdapter
  return {
    /** Text that sorts by its bytes. */
    text: sqlite ? sql`text` : sql`text collate "C"`,
    isId: (column: string, type: IdType<string>): RawBuilder<boolean> =>
      idCheck(type, column, sqlite ? 'sqlite' : 'postgres'),
    /** At most `limit` code points. */
    atMost: (column: string, limit: number): RawBuilder<boolean> =>
      sql`length(${sql.ref(column)}) <= ${sql.lit(limit)}`,
    /** Ends a CREATE TABLE: SQLite's types are advice unless STRICT, and rows sit in their primary key's tree WITHOUT ROWID. */
    options: sqlite ? sql`strict, without rowid` : sql``,
  }
}
