import { PostgresAdapter, type RawBuilder, sql } from 'kysely'
import type { IdType } from 'typed-id'
import { idCheck } from 'typed-id/kysely'
import type { AnyDatabase } from './engine.ts'

/**
 * Returns the parts of a table's definition whose SQL differs between the
 * engines. Ids are stored as canonical text, with a CHECK on the whole id, so
 * rows are readable by themselves, and a foreign key cannot contain an id of
 * another type.
 */
export function columnsFor(db: AnyDatabase) {
  const isPostgres = db.getExecutor().adapter instanceof PostgresAdapter
  return {
    /** The type of columns with strings. It makes them sort by their bytes. */
    text: isPostgres ? sql`text collate "C"` : sql`text`,
    // This function must not change, because released migrations call it.
    // `idCheck` accepts the same ids in a quarter of the time on PostgreSQL,
    // but a migration to it would lock the tables.
    isId: (column: string, type: IdType<string>): RawBuilder<boolean> =>
      isPostgres
        ? sql`${sql.ref(column)} ~ ${sql.lit(type.pattern)}`
        : idCheck(type, column, 'sqlite'),
    /** The condition that a column contains at most `limit` code points. */
    atMost: (column: string, limit: number) =>
      sql<boolean>`length(${sql.ref(column)}) <= ${sql.lit(limit)}`,
    /**
     * The end of CREATE TABLE. SQLite checks column types only in STRICT
     * tables. WITHOUT ROWID stores rows in the tree of the primary key: lookups
     * are a quarter faster, and the file is a quarter smaller.
     */
    options: isPostgres ? sql`` : sql`strict, without rowid`,
  }
}
