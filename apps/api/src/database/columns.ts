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
  readonly boolean: RawBuilder<unknown>
  /** A time with milliseconds. A row contains it as `Date.toISOString()` writes it. */
  readonly time: RawBuilder<unknown>
  isId(column: string, type: IdType<string>): RawBuilder<boolean>
  /** Returns the condition that a column contains at most `limit` code points. */
  atMost(column: string, limit: number): RawBuilder<boolean>
  isBoolean(column: string): RawBuilder<boolean>
  /** Returns the condition that a column contains a time in the years 0 to 9999, which have four digits. */
  isTime(column: string): RawBuilder<boolean>
  /** The options after the columns in CREATE TABLE, such as `strict, without rowid`. */
  readonly options: RawBuilder<unknown>
  /** The end of a SELECT that keeps other transactions from changing its rows of `table` until this one ends. */
  lockRows(table: string): RawBuilder<unknown>
}

/** Arguments of Kysely's `addColumn`. */
type Column = [name: string, type: RawBuilder<unknown> | 'integer', build: BuildColumn]
type BuildColumn = (column: ColumnDefinitionBuilder) => ColumnDefinitionBuilder

interface Nullable {
  /** Whether the column may be null. */
  readonly nullable?: boolean
  /** The value for existing rows. A column that is added to a table needs a default, unless the column may be null. */
  readonly default?: string | number | boolean
}

/**
 * Returns functions that define columns in migrations, by the kind of column. Each column has a type and a CHECK, and
 * is NOT NULL unless `nullable` is set.
 *
 * @example
 * const { id, text, reference, time, options } = kindsFor(db)
 * await db.schema
 *   .createTable('invitations')
 *   .addColumn(...id('id', InvitationId))
 *   .addColumn(...text('email', 255))
 *   .addColumn(...reference('role_id', 'roles.id', { nullable: true }))
 *   .addColumn(...time('expires_at'))
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
    /** An integer of at most 32 bits, because a driver returns greater integers as text. */
    integer: (
      name: string,
      { min, max, ...options }: Nullable & { readonly min: number; readonly max: number },
    ) => {
      if (min < -(2 ** 31) || max >= 2 ** 31)
        throw new RangeError(`${name}: expected limits of at most 32 bits`)
      return column(name, 'integer', options, (c) =>
        c.check(sql`${sql.ref(name)} between ${sql.lit(min)} and ${sql.lit(max)}`),
      )
    },
    boolean: (name: string, options: Nullable = {}) =>
      column(name, types.boolean, options, (c) => c.check(types.isBoolean(name))),
    time: (name: string, options: Nullable = {}) =>
      column(name, types.time, options, (c) => c.check(types.isTime(name))),
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
