import type { IdentifierNode, TableNode } from 'kysely'
import {
  type Column,
  type Columns,
  fail,
  fold,
  hasIds,
  type Shape,
} from './shapes.ts'

/** A table or subquery in FROM or JOIN. `name` is the alias, if it has one. */
export interface Source {
  readonly name: string
  readonly schema?: string | undefined
  readonly columns: Columns
}

export interface Scope {
  /** False if the plugin converts no ids, and so accepts every expression. */
  readonly isConverted: boolean
  /** Returns whether a value is an id that has to be converted. */
  readonly isId: (value: unknown) => boolean
  readonly tables: ReadonlyMap<string, Columns>
  /** The columns of each common table expression. */
  readonly named: ReadonlyMap<string, Columns>
  readonly sources: readonly Source[]
  /** The table that the query writes. */
  readonly target?: Source | undefined
  readonly outer?: Scope
}

/**
 * Returns the columns of a table that is not in the plugin's options. The
 * column `…` is a new object in each call, because `isUnion` compares objects:
 * with a shared object, all such tables would seem to have the same columns.
 */
export const unlisted = (): Columns => new Map([['…', { name: '…' }]])

/** Returns columns with ids of unknown types. `place` is for error messages. */
export function unknownColumns(place: string, scope: Scope): Columns {
  const shape = { key: '?', place }
  return scope.isConverted ? new Map([['…', { name: '…', shape }]]) : unlisted()
}

/**
 * Throws if `values` contain ids, for a place in a query where the plugin
 * cannot convert ids. The error message describes the place by `expression`.
 */
export function lose(
  values: readonly Pick<Column, 'shape'>[],
  { isConverted }: Scope,
  expression = 'an expression with',
): undefined {
  const ids = values.map(({ shape }) => shape).filter(hasIds)
  const unknown = ids.find(({ read }) => !read)
  if (ids[0] && isConverted)
    fail(unknown?.place ?? `${expression} ${ids[0].place}`)
}

/**
 * Merges the columns that a query selects. Throws if two columns may have the
 * same name, and one of them contains ids. Exactly equal names are allowed in a
 * result, because the later column replaces the earlier one.
 */
export function mergeColumns(
  groups: readonly Columns[],
  scope: Scope,
  isResult = false,
): Columns {
  const merged = new Map<string, Column>()
  for (const [i, group] of groups.entries())
    for (const [key, column] of group) {
      const { name, shape } = column
      if (isResult && hasIds(shape) && !shape.read) fail(shape.place)
      const rivals = groups
        .filter((_, j) => (isResult ? j > i : j !== i))
        .flatMap((other) => other.get(key) ?? other.get('…') ?? [])
        .filter((other) => !isResult || other.name !== name)
      const isUnsure =
        rivals[0] && [column, ...rivals].some(({ shape }) => hasIds(shape))
      if (isUnsure)
        lose([column, ...rivals], scope, 'columns that may have one name, like')
      merged.set(key, isUnsure ? { name } : column)
    }
  return merged
}

/**
 * Returns the schema and the name of a table. For `to_json` with `withSchema`,
 * Kysely before 0.29.9 sets `table` to an IdentifierNode, without a schema.
 */
export function nameOfTable({ table }: Pick<TableNode, 'table'>) {
  const { schema, identifier = table as unknown as IdentifierNode } = table
  return { schema: schema && fold(schema.name), name: fold(identifier.name) }
}

/** Returns the columns of the table in a reference, such as `users.id`. */
export function columnsOfTable(table: TableNode, scope: Scope): Columns {
  const { schema, name } = nameOfTable(table)
  const { sources, target, outer } = scope
  const source =
    sources.find(
      (one) => one.name === name && (!schema || one.schema === schema),
    ) ?? (name === 'excluded' ? target : undefined)
  if (source) return source.columns
  return outer
    ? columnsOfTable(table, outer)
    : unknownColumns(`columns of ${name}`, scope)
}

export const columnIn = (columns: Columns, name: string): Column | undefined =>
  columns.get(fold(name)) ?? columns.get('…')

/**
 * Returns which ids a column contains, for a column name without a table name.
 * Throws if the name may refer to an id column of an outer query.
 */
export function shapeOfColumn(name: string, scope: Scope): Shape | undefined {
  const { sources, outer } = scope
  const found = sources.map(({ columns }) => columnIn(columns, name))
  const own =
    found.find((column) => column && column.name !== '…') ??
    found.find((column) => column?.shape)
  if (own || !outer) return own?.shape
  const shape = shapeOfColumn(name, outer)
  return lose([{ shape }], scope, `${name}, which may be`)
}
