import type * as Kysely from 'kysely'
import { type Column, fold, others, type Shape, unfollowed } from './shapes.ts'

/**
 * The columns of a table that may hold ids, by the folded name. The key `…` has
 * the shape of all other columns; a subquery without it has no others.
 */
export type Columns = ReadonlyMap<string, Column>

/** A table or subquery of a query, by its alias or name. */
export interface Source {
  readonly name: string
  readonly schema?: string | undefined
  readonly columns: Columns
}

export interface Scope {
  readonly tables: ReadonlyMap<string, Columns>
  /** The common table expressions. */
  readonly named: ReadonlyMap<string, Columns>
  readonly sources: readonly Source[]
  /** The table that the query writes, if it is one. */
  readonly target?: Source | undefined
  readonly outer?: Scope
}

export const EMPTY: Scope = { tables: new Map(), named: new Map(), sources: [] }

/** The columns of a table of which none is listed. */
export const unlisted = (place?: string): Columns =>
  new Map([['…', others(place)]])

/** Before 0.29.9, `withSchema` replaces a table in `to_json` by its name. */
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
 * Returns the shape of a column. A column that is named without a table belongs
 * to a table of the query itself, or cannot be followed.
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
