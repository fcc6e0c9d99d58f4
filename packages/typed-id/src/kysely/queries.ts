import {
  AggregateFunctionNode,
  AliasNode,
  AndNode,
  BinaryOperationNode,
  ColumnNode,
  FunctionNode,
  type JoinNode,
  type OperationNode,
  OrNode,
  ParensNode,
  QueryNode,
  RawNode,
  ReferenceNode,
  SelectAllNode,
  type SelectQueryNode,
  TableNode,
  UnaryOperationNode,
  type UsingNode,
} from 'kysely'
import { isComparison, nameOf } from './nodes.ts'
import {
  columnIn,
  columnsOfTable,
  lose,
  mergeColumns,
  nameOfTable,
  type Scope,
  type Source,
  shapeOfColumn,
  unknownColumns,
  unlisted,
} from './scope.ts'
import {
  type Column,
  type Columns,
  fail,
  fold,
  hasIds,
  hasSameIds,
  listOf,
  objectOf,
  type Shape,
} from './shapes.ts'

type QueryParts = Partial<SelectQueryNode> & {
  readonly returning?: Pick<SelectQueryNode, 'selections'>
  readonly output?: OperationNode
  readonly table?: OperationNode
  readonly into?: OperationNode
  readonly using?: UsingNode | JoinNode
}

/** Returns the scope of a query: the tables whose columns it can use. */
export function enter(query: QueryNode, outer: Scope): Scope {
  const named = new Map(outer.named)
  let scope: Scope = { ...outer, named, sources: [], outer }
  const { expressions = [], recursive } = query.with ?? {}
  for (const { name, expression } of expressions) {
    const key = nameOfTable(name.table).name
    const columns =
      recursive || name.columns
        ? columnsOfOptions(key, scope)
        : columnsOf(key, expression, scope)
    named.set(key, columns)
  }
  const { table, into, from, using, joins = [] } = query as QueryParts
  const target = into ?? table
  const nodes = [
    ...(target ? [target] : []),
    ...(from?.froms ?? []),
    ...(using ? ('tables' in using ? using.tables : [using.table]) : []),
    ...joins.map((join) => join.table),
  ]
  // An UPDATE or INSERT in a MERGE names no table. It writes the table of the
  // MERGE, so it has the scope of the MERGE.
  if (!nodes[0] && query.kind !== 'SelectQueryNode') return { ...outer, named }
  // Adds the tables one by one, because a lateral subquery can read the tables
  // before it.
  for (const node of nodes)
    scope = { ...scope, sources: [...scope.sources, sourceOf(node, scope)] }
  return { ...scope, target: target && scope.sources[0] }
}

function sourceOf(table: OperationNode, scope: Scope, alias = ''): Source {
  if (ParensNode.is(table)) return sourceOf(table.node, scope, alias)
  if (AliasNode.is(table))
    return sourceOf(table.node, scope, fold(nameOf(table)))
  if (!TableNode.is(table))
    return { name: alias, columns: columnsOf(alias, table, scope) }
  const { schema, name } = nameOfTable(table)
  const { named, tables } = scope
  // Columns listed for `users`, without a schema, apply in every schema.
  const columns =
    (schema ? tables.get(`${schema}.${name}`) : named.get(name)) ??
    tables.get(name) ??
    unlisted()
  return { schema, columns, name: alias || name }
}

/** Returns the columns of a subquery or common table expression. */
const columnsOf = (name: string, node: OperationNode, scope: Scope): Columns =>
  QueryNode.is(node)
    ? mergeColumns(outputsOf(node, scope), scope)
    : columnsOfOptions(name, scope)

/**
 * Returns the columns of a subquery that the plugin cannot analyse, such as a
 * sql fragment. The plugin's options can list these columns under the alias.
 */
const columnsOfOptions = (name: string, scope: Scope): Columns =>
  new Map([
    ...(scope.tables.get(name) ?? []),
    ...unknownColumns(`columns of ${name}`, scope),
  ])

const NUMBERS = ['count', 'sum', 'avg']
const LISTS = ['array_agg', 'json_agg']
/** Functions that return one of their arguments, or its JSON. */
const CHOICES = ['coalesce', 'nullif', 'min', 'max', 'first_value', 'to_json']

/**
 * Returns which ids the value of an expression contains, if any. Throws if that
 * is not known.
 */
export function shapeOf(node: OperationNode, scope: Scope): Shape | undefined {
  const shape = findShape(node, scope)
  if (hasIds(shape) && !shape.read) fail(shape.place)
  return shape
}

function findShape(node: OperationNode, scope: Scope): Shape | undefined {
  if (AliasNode.is(node) || ParensNode.is(node))
    return shapeOf(node.node, scope)
  if (ColumnNode.is(node)) return shapeOfColumn(node.column.name, scope)
  if (ReferenceNode.is(node))
    return node.table
      ? columnIn(columnsOfTable(node.table, scope), nameOf(node))?.shape
      : shapeOf(node.column, scope)
  if (TableNode.is(node)) return objectOf(columnsOfTable(node, scope))
  if (AndNode.is(node) || OrNode.is(node) || UnaryOperationNode.is(node))
    return undefined
  if (BinaryOperationNode.is(node) && isComparison(node)) return undefined
  if (QueryNode.is(node)) {
    const columns = columnsIn(outputsOf(node, scope))
    return columns.length === 1 ? columns[0]?.shape : lose(columns, scope)
  }
  if (RawNode.is(node)) {
    // Recognizes the SQL of `jsonArrayFrom` and `jsonObjectFrom` by its end.
    const [end, query] = [node.sqlFragments.at(-1), node.parameters.at(-1)]
    const isArray = end === ' as agg)'
    if (query && QueryNode.is(query) && (isArray || end === ' as obj)')) {
      const row = objectOf(columnsOf('', query, scope))
      return isArray ? listOf(row) : row
    }
  }

  const isAggregate = AggregateFunctionNode.is(node)
  const func = isAggregate || FunctionNode.is(node) ? node.func : ''
  if (NUMBERS.includes(func)) return undefined
  const parts = isAggregate ? node.aggregated : Object.values(node).flat()
  const values = parts
    .filter((part) => typeof part?.kind === 'string')
    .map((part) => ({ shape: shapeOf(part, scope) }))
  const shape = values[0]?.shape
  if (LISTS.includes(func)) return listOf(shape)
  const isSame = values.every((one) => hasSameIds(one.shape, shape))
  return isSame && CHOICES.includes(func) ? shape : lose(values, scope)
}

export const columnsIn = (groups: readonly Columns[]): Column[] =>
  groups.flatMap((group) => [...group.values()])

/**
 * Returns the columns of SELECT or RETURNING in groups: `*` has one group for
 * each table, and any other expression has its own group.
 */
export function outputsOf(query: QueryNode, outer: Scope): Columns[] {
  const scope = enter(query, outer)
  const tables = scope.sources.map(({ columns }) => columns)
  const { output, returning, setOperations = [] } = query as QueryParts
  if (output) lose(columnsIn(tables), scope, 'OUTPUT with')
  const { selections = [] } = returning ?? (query as QueryParts)
  const groups = selections.flatMap(({ selection }): readonly Columns[] => {
    const table = ReferenceNode.is(selection) && selection.table
    const isAll = SelectAllNode.is(table ? selection.column : selection)
    if (!isAll) {
      const shape = shapeOf(selection, scope)
      const name = nameOf(selection)
      if (name === '…') lose([{ shape }], scope)
      return [new Map([[fold(name), { name, shape }]])]
    }
    if (table) return [columnsOfTable(table, scope)]
    // RETURNING * contains the columns of all joined tables in PostgreSQL, but
    // only of the changed table in SQLite. The plugin does not know the engine,
    // and therefore rejects tables with ids.
    if (returning && tables[1])
      lose(columnsIn(tables), scope, 'returning * of several tables with')
    return tables
  })
  for (const { expression } of setOperations)
    if (!isUnion(groups, expression, scope)) return [unlisted()]
  return groups
}

/**
 * Returns true if both sides of a UNION have the same types of ids at the same
 * positions. Otherwise throws if a side has ids to convert, or returns false.
 */
function isUnion(
  groups: readonly Columns[],
  node: OperationNode,
  scope: Scope,
): boolean {
  if (ParensNode.is(node)) return isUnion(groups, node.node, scope)
  const unknown = [unknownColumns('a UNION with sql', scope)]
  const left = columnsIn(groups)
  const right = columnsIn(QueryNode.is(node) ? outputsOf(node, scope) : unknown)
  const isSame = left.every((a, i) => {
    const b = right[i]
    const hasName = a.name !== '…' && b?.name !== '…'
    return a === b || (hasName && hasSameIds(a.shape, b?.shape))
  })
  if (!isSame) lose([...left, ...right], scope, 'a UNION of')
  return isSame
}
