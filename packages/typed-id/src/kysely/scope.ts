import type { IdentifierNode, TableNode } from 'kysely'
import {
  type Column,
  type Columns,
  fail,
  fold,
  hasIds,
  type Shape,
} from './shapes.ts'

export interface Source {
  readonly name: string
  readonly schema?: string | undefined
  readonly columns: Columns
}

export interface Scope {
  /** False if no column has ids, or ids are stored as text. */
  readonly isConverted: boolean
  readonly isId: (value: unknown) => boolean
  /**
   * The columns of tables by `name` or `schema.name`, and of common table
   * expressions by `.name`.
   */
  readonly tables: ReadonlyMap<string, Columns>
  readonly sources: readonly Source[]
  readonly target?: Source | undefined
  readonly outer?: Scope
}

export const unlisted = (): Columns => new Map([['…', { name: '…' }]])

export const unknown = (place: string, { isConverted }: Scope): Columns =>
  isConverted ? fail(place) : unlisted()

export function rejectIds(
  shapes: readonly (Shape | undefined)[],
  { isConverted }: Scope,
  expression = 'an expression with',
): undefined {
  const shape = shapes.find(hasIds)
  if (shape && isConverted) fail(`${expression} ${shape.place}`)
}

/**
 * Throws if an id column may have the name of another column: a CamelCasePlugin
 * gives `team_id` and `teamId` one name. Of columns whose names are equal even
 * without that plugin, a result contains only the last.
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
      if (isUnsure)
        rejectIds(shapes, scope, 'columns that may have one name, like')
      merged.set(key, isUnsure ? { name: column.name } : column)
    }
  return merged
}

/**
 * Also accepts an IdentifierNode as `table`, because Kysely before 0.29.9
 * writes this node for `to_json` in queries with `withSchema`.
 */
export function nameOfTable({ table }: Pick<TableNode, 'table'>): TableName {
  const { schema, identifier = table as unknown as IdentifierNode } = table
  return { schema: schema && fold(schema.name), name: fold(identifier.name) }
}

interface TableName {
  readonly schema?: string | undefined
  readonly name: string
}

export const columnsOfTable = (table: TableName, scope: Scope): Columns =>
  findColumns(table, scope) ?? unknown(`columns of ${table.name}`, scope)

export function findColumns(
  { schema, name }: TableName,
  { sources, target, outer }: Scope,
): Columns | undefined {
  const source =
    sources.find(
      (one) => one.name === name && (!schema || one.schema === schema),
    ) ?? (name === 'excluded' ? target : undefined)
  return source?.columns ?? (outer && findColumns({ schema, name }, outer))
}

export function shapeOfColumn(
  name: string,
  scope: Scope,
  table?: TableName,
): Shape {
  const { sources, outer } = scope
  const groups = table
    ? [columnsOfTable(table, scope)]
    : sources.map(({ columns }) => columns)
  const own = groups
    .map((columns) => columns.get(fold(name)))
    .find((column) => column)
  if (!own && outer && !table)
    rejectIds([shapeOfColumn(name, outer)], scope, `${name}, which may be`)
  return own?.shape ?? { place: name }
}
