import type * as Kysely from 'kysely'
import {
  isComparison,
  isQuery,
  isValue,
  known,
  nameOf,
  partsOf,
  type Query,
} from './nodes.ts'
import { listOf, objectOf } from './rows.ts'
import {
  type Columns,
  findSource,
  nameOfTable,
  type Scope,
  type Source,
  shapeIn,
  shapeOfColumn,
  unlisted,
} from './scope.ts'
import {
  type Column,
  fail,
  fold,
  hasIds,
  hasSameIds,
  others,
  type Shape,
  unfollowed,
  unify,
} from './shapes.ts'

type Node = Kysely.OperationNode

/** Returns the scope of a query: the tables whose columns it can use. */
export function enter(query: Query, outer: Scope): Scope {
  const named = new Map(outer.named)
  let scope: Scope = { tables: outer.tables, named, sources: [], outer }
  const { expressions = [], recursive } = query.with ?? {}
  if (recursive)
    for (const one of expressions) {
      const { name } = nameOfTable(one.name.table)
      named.set(name, unlisted(`the recursive ${name}`))
    }
  for (const { name, expression } of expressions) {
    const key = nameOfTable(name.table).name
    const add = (part: Node) =>
      named.set(key, columnsOf(key, part, scope, name.columns))
    // The other parts of a recursive UNION select from the UNION itself, so its
    // columns are first derived from the first part alone.
    if (recursive && 'setOperations' in expression)
      add({ ...expression, setOperations: [] } as Node)
    add(expression)
  }
  const { table, into, from, using, joins = [] } = query as QueryParts
  const target = into ?? table
  const targets = target ? itemsOf(target) : []
  const nodes = [
    ...targets,
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
  return {
    ...scope,
    target: targets.length === 1 ? scope.sources[0] : undefined,
  }
}

interface QueryParts
  extends Partial<
    Pick<Kysely.SelectQueryNode, 'selections' | 'setOperations'>
  > {
  readonly returning?: Kysely.ReturningNode
  readonly output?: Node
  readonly table?: Node
  readonly into?: Node
  readonly from?: Kysely.FromNode
  readonly using?: Kysely.UsingNode | Kysely.JoinNode
  readonly joins?: readonly Kysely.JoinNode[]
}

const itemsOf = (node: Node): readonly Node[] =>
  node.kind === 'ListNode' ? (node as Kysely.ListNode).items : [node]

function sourceOf(node: Node, scope: Scope, alias?: string): Source {
  const table = known(node)
  switch (table.kind) {
    case 'ParensNode':
      return sourceOf(table.node, scope, alias)
    case 'AliasNode': {
      const name = known(table.alias)
      if (name.kind === 'IdentifierNode')
        return sourceOf(table.node, scope, fold(name.name))
      if (mentionsTable(table.node, scope)) fail('a table with a sql alias')
      return { name: '', columns: unlisted() }
    }
    case 'TableNode': {
      const { schema, name } = nameOfTable(table)
      const { named, tables } = scope
      // Columns listed for `users`, without a schema, apply in every schema.
      const columns =
        (schema ? tables.get(`${schema}.${name}`) : named.get(name)) ??
        tables.get(name) ??
        unlisted()
      return { schema, columns, name: alias ?? name }
    }
    default: {
      const name = alias ?? ''
      return { name, columns: columnsOf(name, table, scope) }
    }
  }
}

/**
 * Returns the columns of a subquery or common table expression. For a sql
 * fragment or function, returns the columns that the options of the plugin list
 * under its alias.
 */
function columnsOf(
  name: string,
  node: Node,
  scope: Scope,
  names?: readonly Kysely.ColumnNode[],
): Columns {
  if (!isQuery(node)) {
    const isUnknown = mentionsTable(node, scope)
    const place = isUnknown ? 'a FROM or JOIN that is not a table' : undefined
    return scope.tables.get(name) ?? unlisted(place)
  }
  const outputs = outputsOf(node, scope)
  const isOpen = outputs.some((one) => one.name === '…')
  // `with m(a, b) as …` names columns by position. After `select *`, positions
  // are unknown, because the number of its columns is unknown.
  if (names && isOpen) {
    const isUnknown = outputs.some(({ shape }) => hasIds(shape))
    return unlisted(isUnknown ? `${name}(…) as select *` : undefined)
  }
  const { returning, selections = returning?.selections } = node as QueryParts
  const selected = selections?.map((one) => nameOf(one.selection)) ?? []
  const columns = new Map<string, Column>()
  for (const [i, output] of outputs.entries()) {
    const name = names?.[i]?.column.name ?? output.name
    const before = columns.get(fold(name))
    // If a query selects two columns with the same name, databases differ in
    // which of the two they return, so ids in the column cannot be converted.
    const isUnsure = before || (isOpen && selected.includes(name))
    const shape = isUnsure
      ? unfollowed([before?.shape, output.shape])
      : output.shape
    columns.set(fold(name), { name, shape })
  }
  return columns
}

/** Returns whether a sql fragment or function may read a table with ids. */
function mentionsTable(node: Node, scope: Scope): boolean {
  const part = known(node)
  const names = [...scope.tables.keys(), ...scope.named.keys()]
  const words =
    part.kind === 'RawNode'
      ? part.sqlFragments.join()
      : part.kind === 'IdentifierNode'
        ? part.name
        : ''
  return (
    names.some((name) => fold(words).includes(name.replace(/.*\./, ''))) ||
    partsOf(node).some((one) => mentionsTable(one, scope))
  )
}

const setOf = (names: string) => new Set(names.split(' '))
const NUMBERS = setOf('count sum avg')
const CHOICES = setOf('coalesce ifnull nullif greatest least')
/** Functions whose value is an id if their first argument is one. */
const SAME = setOf('min max first_value last_value lag lead to_json')
const LISTS = setOf('array_agg json_agg')

export const isChoice = (func: string) => CHOICES.has(func.toLowerCase())

/** Returns which ids the value of an expression contains, if any. */
export function shapeOf(expression: Node, scope: Scope): Shape | undefined {
  const node = known(expression)
  const shapesOf = (nodes: readonly Node[]) =>
    nodes.map((one) => shapeOf(one, scope))
  // Omits values, such as the parameter in `coalesce(id, $1)`: they are
  // converted like the other arguments.
  const choicesOf = (nodes: readonly (Node | undefined)[]) =>
    shapesOf(nodes.filter((one) => one && !isValue(one)) as Node[])
  switch (node.kind) {
    case 'AliasNode':
    case 'ParensNode':
      return shapeOf(node.node, scope)
    case 'ColumnNode':
      return shapeOfColumn(node, scope)
    case 'ReferenceNode': {
      const column = known(node.column)
      if (column.kind !== 'ColumnNode') return undefined
      return node.table
        ? shapeIn(findSource(node.table, scope), column.column.name)
        : shapeOfColumn(column, scope)
    }
    case 'TableNode':
      return objectOf([...(findSource(node, scope)?.columns.values() ?? [])])
    case 'AggregateFunctionNode':
    case 'FunctionNode': {
      const func = node.func.toLowerCase()
      const parts = 'aggregated' in node ? node.aggregated : node.arguments
      if (NUMBERS.has(func)) return undefined
      if (isChoice(func) || SAME.has(func)) return unify(choicesOf(parts))
      const shapes = shapesOf(parts)
      return LISTS.has(func) ? listOf(shapes[0]) : unfollowed(shapes)
    }
    case 'CaseNode': {
      const results = node.when?.map(({ result }) => result) ?? []
      return unify(choicesOf([...results, node.else]))
    }
    case 'AndNode':
    case 'OrNode':
    case 'UnaryOperationNode':
      return undefined
    case 'RawNode':
      return shapeOfFragment(node, scope)
  }
  if (node.kind === 'BinaryOperationNode' && isComparison(node))
    return undefined
  if (!isQuery(node)) return unfollowed(shapesOf(partsOf(node)))
  const shapes = outputsOf(node, scope).map(({ shape }) => shape)
  return shapes.length === 1 ? shapes[0] : unfollowed(shapes)
}

/** Matches the start of the SQL of `jsonArrayFrom` and `jsonObjectFrom`. */
const HELPER =
  /^\(select (?:(?:cast\()?coalesce\(json_|to_json\(obj|json_object\()/

function shapeOfFragment(
  { sqlFragments: fragments, parameters }: Kysely.RawNode,
  scope: Scope,
): Shape | undefined {
  const query = parameters.at(-1)
  if (query && isQuery(query) && HELPER.test(fragments[0] ?? '')) {
    const row = objectOf([...columnsOf('', query, scope).values()])
    if (fragments.at(-1) === ' as agg)') return listOf(row)
    if (fragments.at(-1) === ' as obj)') return row
  }
  const shapes = parameters.map((one) => shapeOf(one, scope))
  const isReference = shapes.length === 1 && fragments.join('') === ''
  return isReference ? shapes[0] : unfollowed(shapes)
}

export function outputsOf(query: Query, outer: Scope): Column[] {
  const scope = enter(query, outer)
  const { sources } = scope
  const haveIds = sources.some(({ columns }) =>
    [...columns.values()].some(({ shape }) => hasIds(shape)),
  )
  const { output, returning, setOperations = [] } = query as QueryParts
  if (output && haveIds) return [others('OUTPUT')]
  const { selections = [] } = returning ?? (query as QueryParts)
  const outputs: Column[] = []
  for (const { selection } of selections) {
    const node = known(selection)
    const isReference = node.kind === 'ReferenceNode'
    const column = isReference ? known(node.column) : node
    if (column.kind !== 'SelectAllNode') {
      const [name, shape] = [nameOf(node), shapeOf(node, scope)]
      outputs.push({ name, shape: name === '…' ? unfollowed([shape]) : shape })
    } else if (isReference && node.table)
      addAll(outputs, findSource(node.table, scope))
    // RETURNING * contains the columns of all tables in PostgreSQL, but only
    // those of the changed table in SQLite, so the result's columns are
    // unknown.
    else if (returning && sources.length > 1 && haveIds)
      outputs.push(others('returning * of several tables'))
    else for (const source of sources) addAll(outputs, source)
  }
  return setOperations.reduce(
    (all, { expression }) => unite(all, outputsOfOperand(expression, scope)),
    outputs,
  )
}

function addAll(outputs: Column[], source: Source | undefined) {
  const { name = 'a table', columns = unlisted() } = source ?? {}
  // If this table has unknown columns (`…`), one of them may have the same name
  // as an earlier id column, and would replace it in the row.
  const earlier = columns.has('…')
    ? outputs.find((one) => hasIds(one.shape) && !columns.has(fold(one.name)))
    : undefined
  if (earlier)
    outputs.push(others(`select * of ${name} after ${earlier.shape?.place}`))
  outputs.push(...columns.values())
}

function outputsOfOperand(node: Node, scope: Scope): Column[] {
  const operand = known(node)
  if (operand.kind === 'ParensNode')
    return outputsOfOperand(operand.node, scope)
  if (isQuery(operand)) return outputsOf(operand, scope)
  return mentionsTable(node, scope) ? [others('a UNION with sql')] : []
}

/**
 * Merges the columns of two parts of a UNION. Ids can be converted only if the
 * two parts have the same ids in the same order.
 */
function unite(left: Column[], right: readonly Column[]): Column[] {
  const isSame = (a: Column, b: Column | undefined) =>
    a === b || (a.name !== '…' && b && b.name !== '…' && hasSameIds(a, b))
  if (
    left.length === right.length &&
    left.every((one, i) => isSame(one, right[i]))
  )
    return left
  const shapes = [...left, ...right].map(({ shape }) => shape)
  const shape = unfollowed(shapes, 'a UNION of')
  return shape ? [{ name: '…', shape }] : left
}
