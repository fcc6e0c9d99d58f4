import { type RawBuilder, sql } from 'kysely'
import type { IdType } from 'typed-id'
import type { Transaction } from './database.ts'

/**
 * The column types and CHECK constraints whose SQL differs between engines. Ids are stored as canonical text with a CHECK
 * on their whole shape: a row is readable by itself, and a foreign key cannot hold an id of another type.
 */
export interface ColumnTypes {
  /** Text that sorts by its bytes. */
  readonly text: RawBuilder<unknown>
  isId(column: string, type: IdType<string>): RawBuilder<boolean>
  /** At most `limit` code points. */
  atMost(column: string, limit: number): RawBuilder<boolean>
  /** The end of a CREATE TABLE. */
  readonly options: RawBuilder<unknown>
}

/** Returns the column types of the engine of a transaction. Each engine adds them to its Kysely adapter. */
export function columnsFor(db: Transaction): ColumnTypes {
  const { adapter } = db.getExecutor()
  const { columns } = adapter as { columns?: ColumnTypes }
  if (columns === undefined) throw new Error(`columnsFor: ${adapter.constructor.name} has no column types`)
  return columns
}

/** The `atMost` of engines whose length() counts code points. */
export const maxLength = (column: string, limit: number): RawBuilder<boolean> =>
  sql`length(${sql.ref(column)}) <= ${sql.lit(limit)}`
