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
  /** False if the database stores ids as text. Then every expression passes. */
  readonly isConverted: boolean
  /** Returns true for an id that has to be converted. */
  readonly isId: (value: unknown) => boolean
  /**
   * The columns of tables by `name` or `schema.name`, and of common table
   * expressions by `.name`.
   */
  readonly tables: ReadonlyMap<string, Columns>
  readonly sources: readonly Source[]
  /** The table that the query writes. */
  readonly target?: Source | undefined
  readonly outer?: Scope
}

/** Returns the columns of a table that is not in the plugin's options. */
export const unlisted = (): Columns => new Map([['…', { name: '…' }]])

/** Throws for columns that may contain ids, unless ids are stored as text. */
export const unknown = (place: string, { isConverted }: Scope): Columns =>
  isConverted ? fail(place) : unlisted()

/**
 * Throws if any of `shapes` contains ids, unless the database stores ids as
 * text. `expression` describes the place in the error message.
 */
export function lose(
  shapes: readonly (Shape | undefined)[],
  { isConverted }: Scope,
  expression = 'an expression with',
): undefined {
  const shape = shapes.find(hasIds)
  if (shape && isConverted) fail(`${expression} ${shape.place}`)
}

/**
 * Merges the columns that a query selects. Throws if a column with ids may have
 * the name of another column: `*` has unknown names, and a CamelCasePlugin
 * gives `team_id` and `teamId` one name. In a result, a later column replaces
 * an earlier one with exactly the same name.
 */
export function mergeColumns(
  groups: readonly Columns[],
  scope: Scope,
  isResult = false,
): Columns {
  const merged = new Map<string, Column>()
  for (const [i, group] of groups.entries())
    for (const [key, column] of group) {
      const rivals = groups
        .filter((_, j) => (isResult ? j > i : j !== i))
        .flatMap((other) => other.get(key) ?? other.get('…') ?? [])
        .filter(({ name }) => !isResult || name !== column.name)
      const shapes = [column, ...rivals].map(({ shape }) => shape)
      const isUnsure = rivals[0] && shapes.some(hasIds)
      if (isUnsure) lose(shapes, scope, 'columns that may have one name, like')
      merged.set(key, isUnsure ? { name: column.name } : column)
    }
  return merged
}

/**
 * Accepts an IdentifierNode, which has no schema, as `table`, because Kysely
 * before 0.29.9 creates one for `to_json` with `withSchema`.
 */
export function nameOfTable({ table }: Pick<TableNode, 'table'>) {
  const { schema, identifier = table as unknown as IdentifierNode } = table
  return { schema: schema && fold(schema.name), name: fold(identifier.name) }
}

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
    : unknown(`columns of ${name}`, scope)
}

/**
 * For a column name without a table name. Throws if the name may refer to an id
 * column of an outer query.
 */
export function shapeOfColumn(name: string, scope: Scope): Shape | undefined {
  const { sources, outer } = scope
  const found = sources.map(({ columns }) => columns.get(fold(name)))
  const own = found.find((column) => column)
  if (own || !outer) return own?.shape
  return lose([shapeOfColumn(name, outer)], scope, `${name}, which may be`)
}
