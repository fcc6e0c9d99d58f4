import { type ColumnDefinitionBuilder, type RawBuilder, sql } from 'kysely'
import type { IdType } from 'typed-id'
import type { Transaction } from './database.ts'

/**
 * The column types, CHECK constraints and clauses whose SQL differs between engines. Ids are stored as canonical text,
 * with a CHECK on the whole id, so rows are readable by themselves, and a foreign key cannot contain an id of another
 * type.
 */
export interface ColumnTypes {
  /** A text column whose values sort by their bytes. */
  readonly text: RawBuilder<unknown>
  isId(column: string, type: IdType<string>): RawBuilder<boolean>
  /** Returns the condition that a column contains at most `limit` code points. */
  atMost(column: string, limit: number): RawBuilder<boolean>
  /** The options after the columns in CREATE TABLE, such as `strict, without rowid`. */
  readonly options: RawBuilder<unknown>
  /** The end of a SELECT that keeps other transactions from changing its rows of `table` until this one ends. */
  lockRows(table: string): RawBuilder<unknown>
}

/** Arguments of Kysely's `addColumn`. */
type Column = [name: string, type: RawBuilder<unknown>, build: BuildColumn]
type BuildColumn = (column: ColumnDefinitionBuilder) => ColumnDefinitionBuilder

interface Nullable {
  /** Whether the column may be null. */
  readonly nullable?: boolean
  /** The value for existing rows. A column that is added to a table needs a default, unless the column may be null. */
  readonly default?: string
}

/**
 * Returns functions that define columns in migrations, by the kind of column. Each column has a type and a CHECK, and
 * is NOT NULL unless `nullable` is set.
 *
 * @example
 * const { id, text, reference, options } = kindsFor(db)
 * await db.schema
 *   .createTable('invitations')
 *   .addColumn(...id('id', InvitationId))
 *   .addColumn(...text('email', 255))
 *   .addColumn(...reference('role_id', 'roles.id', { nullable: true }))
 *   .modifyEnd(options)
 *   .execute()
 */
export function kindsFor(db: Transaction) {
  const types = columnsFor(db)
  const column = (
    name: string,
    type: Column[1],
    { nullable = false, default: value }: Nullable,
    build: BuildColumn,
  ): Column => [
    name,
    type,
    (c) => {
      const column = nullable ? c : c.notNull()
      return build(value === undefined ? column : column.defaultTo(value))
    },
  ]
  return {
    id: (name: string, type: IdType<string>) =>
      column(name, types.text, {}, (c) => c.primaryKey().check(types.isId(name, type))),
    reference: (
      name: string,
      to: `${string}.${string}`,
      {
        onDelete = 'no action',
        ...options
      }: Nullable & { readonly onDelete?: 'cascade' | 'set null' | 'no action' } = {},
    ) =>
      column(name, types.text, options, (c) =>
        onDelete === 'no action' ? c.references(to) : c.references(to).onDelete(onDelete),
      ),
    /** A text column of at most `limit` code points. */
    text: (name: string, limit: number, options: Nullable = {}) =>
      column(name, types.text, options, (c) => c.check(types.atMost(name, limit))),
    options: types.options,
  }
}

/** Returns the column types of the engine of a transaction. Each engine adds them to its Kysely adapter. */
export function columnsFor(db: Transaction): ColumnTypes {
  const { adapter } = db.getExecutor()
  const { columns } = adapter as { columns?: ColumnTypes }
  if (columns === undefined) throw new Error(`columnsFor: ${adapter.constructor.name} has no column types`)
  return columns
}

/** The implementation of `atMost` for engines whose length() counts code points. */
export const maxLength = (column: string, limit: number): RawBuilder<boolean> =>
  sql`length(${sql.ref(column)}) <= ${sql.lit(limit)}`
