import type {
  AggregateFunctionNode,
  AliasNode,
  ColumnNode,
  DeleteQueryNode,
  FunctionNode,
  IdentifierNode,
  InsertQueryNode,
  OperationNode,
  ParensNode,
  ReferenceNode,
  SelectionNode,
  SelectQueryNode,
  TableNode,
  UpdateQueryNode,
  WithNode,
} from 'kysely'
import type { IdCodec, IdStorage } from '../codec.ts'

export type Codec = IdCodec<string, IdStorage>
/** The codecs of the id columns of a table, subquery or common table expression, by column name. */
export type Columns = ReadonlyMap<string, Codec>

/** The tables and columns that an expression of a query can refer to. */
export interface Scope {
  /** Common table expressions by name. The outermost scope has the tables of the configuration instead. */
  readonly named: Map<string, Columns>
  /** The tables of FROM and JOIN in their order, by alias or name. */
  readonly tables: Map<string, Columns>
  /** The scope of the enclosing query. */
  readonly outer?: Scope
}

/** A column of a result: its name, and its codec if the column contains ids. */
type Output = readonly [name: string, codec: Codec | undefined]

/** The clauses of SELECT, INSERT, UPDATE and DELETE that name tables. */
type Clauses = Pick<UpdateQueryNode, 'table' | 'from' | 'joins'> &
  Pick<InsertQueryNode, 'into'> &
  Pick<DeleteQueryNode, 'using'>

type Query = SelectQueryNode | InsertQueryNode | UpdateQueryNode | DeleteQueryNode
const QUERIES = ['SelectQueryNode', 'InsertQueryNode', 'UpdateQueryNode', 'DeleteQueryNode']

export const isQuery = (node: OperationNode): node is Query => QUERIES.includes(node.kind)

/** Returns the scope for the expressions of a query. */
export function enter(query: Query, outer: Scope): Scope {
  const scope: Scope = { named: new Map(), tables: new Map(), outer }
  for (const { name, expression } of (query.with as WithNode | undefined)?.expressions ?? []) {
    const outputs = outputsOf(expression, scope)
    const names = name.columns?.map(({ column }) => column.name)
    const columns = names ? names.map((column, i): Output => [column, outputs[i]?.[1]]) : outputs
    scope.named.set(keyOf(name.table), columnsOf(columns))
  }
  const { table, into, from, using, joins } = query as Clauses
  const sources = [
    table,
    into,
    ...(from?.froms ?? []),
    ...(using?.tables ?? []),
    ...(joins ?? []).map((join) => join.table),
  ]
  for (const source of sources) if (source) addTable(source, scope)
  const target = into && scope.tables.get(into.table.identifier.name)
  if (target) scope.tables.set('excluded', target)
  return scope
}

function addTable(source: OperationNode, scope: Scope): void {
  const { node, alias } = source as AliasNode
  const name = (alias as IdentifierNode | undefined)?.name
  const table = node ?? source
  if (table.kind === 'TableNode') {
    const key = keyOf(table as TableNode)
    scope.tables.set(name ?? (table as TableNode).table.identifier.name, findNamed(key, scope))
  } else if (name) scope.tables.set(name, columnsOf(outputsOf(table, scope)))
}

function keyOf({ table: { schema, identifier } }: TableNode): string {
  return schema ? `${schema.name}.${identifier.name}` : identifier.name
}

function findNamed(name: string, scope: Scope | undefined): Columns {
  return scope ? (scope.named.get(name) ?? findNamed(name, scope.outer)) : new Map()
}

const columnsOf = (outputs: readonly Output[]): Columns =>
  new Map(outputs.filter((output): output is [string, Codec] => output[1] !== undefined))

/** Returns the columns of a query's result. Of `select *`, only the id columns are known. */
export function outputsOf(query: OperationNode, outer: Scope): Output[] {
  if (!isQuery(query)) return []
  const scope = enter(query, outer)
  const selections = (query as SelectQueryNode).selections ?? (query as UpdateQueryNode).returning?.selections
  return (selections ?? []).flatMap((selection) => outputsOfSelection(selection, scope))
}

function outputsOfSelection({ selection }: SelectionNode, scope: Scope): Output[] {
  if (selection.kind === 'SelectAllNode') return [...tablesOf(scope)].flatMap((columns) => [...columns])
  const { column, table } = selection as ReferenceNode
  if (column?.kind === 'SelectAllNode') return [...findTable(table as TableNode, scope)]
  const identifier = (selection as AliasNode).alias ?? (column as ColumnNode | undefined)?.column
  return [[(identifier as IdentifierNode | undefined)?.name ?? '', codecOf(selection, scope)]]
}

/** The tables of a query without `excluded`, which has the columns of the table of the INSERT. */
function* tablesOf({ tables }: Scope) {
  for (const [name, columns] of tables) if (name !== 'excluded') yield columns
}

function findTable(table: TableNode, scope: Scope | undefined): Columns {
  if (!scope) return new Map()
  return scope.tables.get(table.table.identifier.name) ?? findTable(table, scope.outer)
}

/** Returns the codec of an id column, of a subquery with one id column, or of `min`, `max` or `coalesce` of a column. */
export function codecOf(node: OperationNode, scope: Scope): Codec | undefined {
  switch (node.kind) {
    case 'ColumnNode':
      return findColumn((node as ColumnNode).column.name, scope)
    case 'ReferenceNode': {
      const { table, column } = node as ReferenceNode
      const name = (column as ColumnNode).column.name
      return table ? findTable(table, scope).get(name) : findColumn(name, scope)
    }
    case 'AliasNode':
    case 'ParensNode':
      return codecOf((node as AliasNode | ParensNode).node, scope)
    case 'SelectQueryNode':
      return outputsOf(node, scope)[0]?.[1]
    case 'AggregateFunctionNode': {
      const { func, aggregated } = node as AggregateFunctionNode
      return /^(min|max)$/i.test(func) && aggregated[0] ? codecOf(aggregated[0], scope) : undefined
    }
    case 'FunctionNode': {
      const {
        func,
        arguments: [first],
      } = node as FunctionNode
      return /^coalesce$/i.test(func) && first ? codecOf(first, scope) : undefined
    }
    default:
      return undefined
  }
}

/** Finds a column without a table name in the tables of its query, not of enclosing queries. */
function findColumn(name: string, scope: Scope): Codec | undefined {
  for (const columns of tablesOf(scope)) if (columns.has(name)) return columns.get(name)
  return undefined
}
