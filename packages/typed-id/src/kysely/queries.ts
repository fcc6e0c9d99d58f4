import {
  AggregateFunctionNode,
  AliasNode,
  AndNode,
  BinaryOperationNode,
  ColumnNode,
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
import { isComparison, isFunction, nameOf } from './nodes.ts'
import {
  columnsOfTable,
  findColumns,
  mergeColumns,
  nameOfTable,
  rejectIds,
  type Scope,
  type Source,
  shapeOfColumn,
  unknown,
  unlisted,
} from './scope.ts'
import {
  type Columns,
  fold,
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
  readonly using?: Partial<Pick<UsingNode, 'tables'> & Pick<JoinNode, 'table'>>
}

export function createScope(query: QueryNode, outer: Scope): Scope {
  const tables = new Map(outer.tables)
  const sources: Source[] = []
  const scope = { ...outer, tables, sources, outer }
  const { expressions = [], recursive } = query.with ?? {}
  // Rejects several tables in a recursive WITH: a table can read a later table,
  // whose columns are not yet known.
  if (recursive && expressions[1])
    unknown('a recursive WITH of several tables', scope)
  for (const { name: own, expression } of expressions) {
    const { name } = nameOfTable(own.table)
    const define = (node: OperationNode) =>
      tables.set(
        `.${name}`,
        own.columns
          ? unknown(`${name} with names of columns`, scope)
          : columnsOf(node, name, scope),
      )
    // Later SELECTs of a recursive UNION read the columns of the first SELECT.
    // So the first SELECT is analysed before the whole UNION.
    if (recursive) define({ ...expression, setOperations: [] } as OperationNode)
    define(expression)
  }
  const { table, into = table, from, using, joins } = query as QueryParts
  const nodes = [
    into,
    from?.froms,
    using?.tables ?? using?.table,
    joins?.map((join) => join.table),
  ]
  // Adds the tables one by one, because a lateral subquery can read the tables
  // before it.
  for (const node of nodes.flat()) if (node) sources.push(sourceOf(node, scope))
  return into ? { ...scope, target: sources[0] } : scope
}

function sourceOf(table: OperationNode, scope: Scope, alias = ''): Source {
  if (ParensNode.is(table)) return sourceOf(table.node, scope, alias)
  if (AliasNode.is(table))
    return sourceOf(table.node, scope, fold(nameOf(table)))
  if (!TableNode.is(table))
    return { name: alias, columns: columnsOf(table, alias, scope) }
  const { schema = '', name } = nameOfTable(table)
  const { tables } = scope
  const columns =
    tables.get(`${schema}.${name}`) ?? tables.get(name) ?? unlisted()
  return { schema, columns, name: alias || name }
}

/**
 * Returns the columns of a subquery. The plugin does not analyse `sql`
 * fragments, so users list the columns of a fragment in the argument `tables`
 * of `idPlugin`, under the alias of the fragment.
 */
const columnsOf = (node: OperationNode, name: string, scope: Scope): Columns =>
  QueryNode.is(node)
    ? mergeColumns(outputsOf(node, scope), scope)
    : (scope.tables.get(name) ?? unknown(`columns of ${name}`, scope))

const NUMBERS = ['count', 'sum', 'avg']
const LISTS = ['array_agg', 'json_agg']
const CHOICES = ['coalesce', 'nullif', 'min', 'max', 'first_value', 'to_json']

export function shapeOf(node: OperationNode, scope: Scope): Shape | undefined {
  if (AliasNode.is(node) || ParensNode.is(node))
    return shapeOf(node.node, scope)
  if (ColumnNode.is(node)) return shapeOfColumn(node.column.name, scope)
  if (ReferenceNode.is(node))
    return node.table
      ? shapeOfColumn(nameOf(node), scope, nameOfTable(node.table))
      : shapeOf(node.column, scope)
  if (TableNode.is(node)) {
    const { schema, name } = nameOfTable(node)
    const columns = findColumns({ schema, name }, scope)
    if (columns) return objectOf(columns)
    // Kysely represents the column in `jsonAgg('users.id')` as a table `id` of
    // a schema `users`.
    return shapeOfColumn(name, scope, schema ? { name: schema } : undefined)
  }
  if (AndNode.is(node) || OrNode.is(node) || UnaryOperationNode.is(node))
    return undefined
  if (BinaryOperationNode.is(node) && isComparison(node)) return undefined
  if (QueryNode.is(node)) {
    const shapes = shapesIn(outputsOf(node, scope))
    return shapes.length === 1 ? shapes[0] : rejectIds(shapes, scope)
  }
  if (RawNode.is(node)) {
    // Recognizes Kysely's `jsonArrayFrom` and `jsonObjectFrom` by the end of
    // their raw SQL.
    const [end, query] = [node.sqlFragments.at(-1), node.parameters.at(-1)]
    const isArray = end === ' as agg)'
    if (query && QueryNode.is(query) && (isArray || end === ' as obj)')) {
      const row = objectOf(columnsOf(query, '', scope))
      return isArray ? listOf(row) : row
    }
  }

  const isAggregate = AggregateFunctionNode.is(node)
  const func = isAggregate || isFunction(node) ? node.func : ''
  if (NUMBERS.includes(func)) return undefined
  const parts = isAggregate ? node.aggregated : Object.values(node).flat()
  const shapes = parts
    .filter((part) => typeof part?.kind === 'string')
    .map((part) => shapeOf(part, scope))
  const [shape] = shapes
  if (LISTS.includes(func)) return listOf(shape)
  const isSame = shapes.every((other) => hasSameIds(other, shape))
  return isSame && CHOICES.includes(func) ? shape : rejectIds(shapes, scope)
}

export const shapesIn = (groups: readonly Columns[]) =>
  groups.flatMap((group) => [...group.values()].map(({ shape }) => shape))

/**
 * Returns the columns of SELECT or RETURNING in groups: `*` has one group for
 * each table, and any other expression has its own group.
 */
export function outputsOf(query: QueryNode, outer: Scope): Columns[] {
  const scope = createScope(query, outer)
  const tables = scope.sources.map(({ columns }) => columns)
  const { output, returning, setOperations = [] } = query as QueryParts
  if (output) rejectIds(shapesIn(tables), scope, 'OUTPUT with')
  const { selections = [] } = returning ?? (query as QueryParts)
  const groups = selections.flatMap(({ selection }): readonly Columns[] => {
    const table = ReferenceNode.is(selection) && selection.table
    if (SelectAllNode.is(table ? selection.column : selection)) {
      if (table) return [columnsOfTable(nameOfTable(table), scope)]
      // Rejects ids in RETURNING * of joined tables. PostgreSQL returns the
      // columns of all tables, and SQLite those of the changed table. The
      // plugin does not know the database.
      if (returning && tables[1])
        rejectIds(shapesIn(tables), scope, 'returning * of several tables with')
      return tables
    }
    const shape = shapeOf(selection, scope)
    const name = nameOf(selection)
    if (name === '…') rejectIds([shape], scope)
    return [new Map([[fold(name), { name, shape }]])]
  })
  for (const { expression } of setOperations) {
    const part = ParensNode.is(expression) ? expression.node : expression
    if (!QueryNode.is(part)) return [unknown('a UNION with sql', scope)]
    const right = outputsOf(part, scope)
    if (!haveSameIds(groups, right)) {
      rejectIds(shapesIn([...groups, ...right]), scope, 'a UNION of')
      return [unlisted()]
    }
  }
  return groups
}

/**
 * Compares the id types of columns by position. The plugin does not know the
 * positions of the columns in `*`, so `*` equals only `*` of the same table.
 */
export function haveSameIds(
  left: readonly Columns[],
  right: readonly Columns[],
): boolean {
  const keyOf = (group: Columns | undefined) =>
    group?.size === 1 && !group.has('…') ? shapesIn([group])[0]?.key : group
  return left.every((group, i) => keyOf(group) === keyOf(right[i]))
}
