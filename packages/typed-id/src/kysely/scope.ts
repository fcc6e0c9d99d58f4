import type * as Kysely from 'kysely'
import { type Column, fold, others, type Shape, unfollowed } from './shapes.ts'

/**
 * The columns of a table that may contain ids, by `fold(name)`. The key `…`
 * stands for all columns that are not listed. If the map has no `…`, the table
 * has no other columns.
 */
export type Columns = ReadonlyMap<string, Column>

/** A table or subquery in FROM or JOIN. `name` is the alias, if it has one. */
export interface Source {
  readonly name: string
  readonly schema?: string | undefined
  readonly columns: Columns
}

export interface Scope {
  readonly tables: ReadonlyMap<string, Columns>
  /** The columns of each common table expression. */
  readonly named: ReadonlyMap<string, Columns>
  readonly sources: readonly Source[]
  /** The table that the query writes. Undefined for none or several. */
  readonly target?: Source | undefined
  readonly outer?: Scope
}

export const EMPTY: Scope = { tables: new Map(), named: new Map(), sources: [] }

export const unlisted = (place?: string): Columns =>
  new Map([['…', others(place)]])

/**
 * Also accepts the IdentifierNode that Kysely before 0.29.9 creates for
 * `to_json` with `withSchema`.
 */
export const nameOfTable = ({
  table,
}: {
  table: Kysely.TableNode['table'] | Kysely.IdentifierNode
}) =>
  table.kind === 'IdentifierNode'
    ? { name: fold(table.name) }
    : {
        schema: table.schema && fold(table.schema.name),
        name: fold(table.identifier.name),
      }

export function findSource(
  table: Kysely.TableNode,
  scope: Scope,
): Source | undefined {
  const { schema, name } = nameOfTable(table)
  const { sources, target, outer } = scope
  return (
    sources.find(
      (one) => one.name === name && (!schema || one.schema === schema),
    ) ??
    (name === 'excluded' ? target : undefined) ??
    (outer && findSource(table, outer))
  )
}

export const shapeIn = (source: Source | undefined, name: string) =>
  (source?.columns.get(fold(name)) ?? source?.columns.get('…'))?.shape

/**
 * Returns the shape of a column that is named without its table. Ids in columns
 * of an outer query cannot be converted.
 */
export function shapeOfColumn(
  { column: { name } }: Kysely.ColumnNode,
  { sources, outer }: Scope,
): Shape | undefined {
  const own =
    sources.find((one) => one.columns.has(fold(name))) ??
    sources.find((one) => one.columns.get('…')?.shape)
  if (own) return shapeIn(own, name)
  const outers: (Shape | undefined)[] = []
  for (let scope = outer; scope; scope = scope.outer)
    outers.push(...scope.sources.map((one) => shapeIn(one, name)))
  return unfollowed(outers)
}
