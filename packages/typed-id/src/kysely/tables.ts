import type * as Kysely from 'kysely'
import {
  type Column,
  expressionWith,
  fold,
  listOf,
  lost,
  objectOf,
  PLAIN,
  type Shape,
  unify,
} from './shapes.ts'

type Node = Kysely.OperationNode

export type Query =
  | Kysely.DeleteQueryNode
  | Kysely.InsertQueryNode
  | Kysely.MergeQueryNode
  | Kysely.SelectQueryNode
  | Kysely.UpdateQueryNode

/**
 * The nodes that the plugin reads. Only their types are imported: the oldest
 * Kysely lacks some of the objects.
 */
export type KnownNode =
  | Query
  | Kysely.AggregateFunctionNode
  | Kysely.AliasNode
  | Kysely.AndNode
  | Kysely.BinaryOperationNode
  | Kysely.CaseNode
  | Kysely.CastNode
  | Kysely.ColumnNode
  | Kysely.FunctionNode
  | Kysely.IdentifierNode
  | Kysely.ListNode
  | Kysely.OrNode
  | Kysely.ParensNode
  | Kysely.PrimitiveValueListNode
  | Kysely.RawNode
  | Kysely.ReferenceNode
  | Kysely.SelectAllNode
  | Kysely.TableNode
  | Kysely.UnaryOperationNode
  | Kysely.ValueListNode
  | Kysely.ValueNode
  | Kysely.ValuesNode

export const known = (node: Node) => node as KnownNode

const QUERIES: ReadonlySet<string> = new Set<Query['kind']>([
  'DeleteQueryNode',
  'InsertQueryNode',
  'MergeQueryNode',
  'SelectQueryNode',
  'UpdateQueryNode',
])
export const isQuery = (node: Node): node is Query => QUERIES.has(node.kind)

const COMPARISONS = new Set(
  '=,==,!=,<>,<,<=,>,>=,<=>,in,not in,is,is not,is distinct from,is not distinct from,between,between symmetric'.split(
    ',',
  ),
)

export const operatorOf = ({ operator }: Kysely.BinaryOperationNode): string =>
  'operator' in operator ? `${operator.operator}` : ''

/**
 * Returns whether a node compares whole ids, unlike operators such as `like`,
 * which compare a part of an id.
 */
export const isComparison = (node: Kysely.BinaryOperationNode): boolean =>
  COMPARISONS.has(operatorOf(node))

/** The columns of a table that may hold ids, by the folded name. */
type Columns = ReadonlyMap<string, Column>

/**
 * A table of a query, by its alias or name. `columns` is undefined if the
 * configuration does not list the table.
 */
interface Source {
  readonly name: string
  readonly schema?: string | undefined
  readonly columns?: Columns | undefined
  /** Whether a subquery has all columns of a table that is not listed. */
  readonly isOpen?: boolean
  /** Why columns that are not in `columns` may be ids. */
  readonly unknown?: string | undefined
}

export interface Scope {
  readonly tables: ReadonlyMap<string, Columns>
  /** The common table expressions. */
  readonly named: ReadonlyMap<string, Source>
  readonly sources: readonly Source[]
  /** The table that the query writes, if it is one. */
  readonly target?: Source | undefined
  readonly outer?: Scope
}

/** A column of a result, or all columns of `all`. */
export interface Output extends Column {
  readonly all?: Source
}

export function enter(query: Query, outer: Scope): Scope {
  const named = new Map(outer.named)
  let scope: Scope = { tables: outer.tables, named, sources: [], outer }
  const { expressions = [], recursive } = query.with ?? {}
  if (recursive)
    for (const {
      name: { table },
    } of expressions) {
      const { name } = nameOf(table)
      named.set(name, { name, unknown: `the recursive ${name}` })
    }
  for (const {
    name: { table, columns },
    expression,
  } of expressions) {
    const { name } = nameOf(table)
    const add = (source: Source) => named.set(name, source)
    const addQuery = (part: Query) =>
      add(sourceOfOutputs(name, outputsOf(part, scope), columns))
    if (!isQuery(expression)) add(sourceOfFragment(name, expression, scope))
    else {
      if (recursive && 'setOperations' in expression)
        addQuery({ ...expression, setOperations: [] })
      addQuery(expression)
    }
  }
  const { table, into, from, using, joins = [] } = query as QueryParts
  const target = into ?? table
  const targets = target ? listOfNode(target) : []
  const nodes = [
    ...targets,
    ...(from?.froms ?? []),
    ...(using ? ('tables' in using ? using.tables : [using.table]) : []),
    ...joins.map((join) => join.table),
  ]
  // An UPDATE or INSERT of MERGE has no table.
  if (!nodes[0] && query.kind !== 'SelectQueryNode') return { ...outer, named }
  // A lateral subquery reads the tables before it.
  for (const node of nodes)
    scope = { ...scope, sources: [...scope.sources, sourceOf(node, scope)] }
  return {
    ...scope,
    target: targets.length === 1 ? scope.sources[0] : undefined,
  }
}

/** The parts of a query that name tables. */
interface QueryParts {
  readonly table?: Node
  readonly into?: Node
  readonly from?: Kysely.FromNode
  readonly using?: Kysely.UsingNode | Kysely.JoinNode
  readonly joins?: readonly Kysely.JoinNode[]
}

const listOfNode = (node: Node): readonly Node[] =>
  node.kind === 'ListNode' ? (node as Kysely.ListNode).items : [node]

function sourceOf(node: Node, scope: Scope, alias?: string): Source {
  const table = known(node)
  switch (table.kind) {
    case 'AliasNode': {
      const name = known(table.alias)
      return name.kind === 'IdentifierNode'
        ? sourceOf(table.node, scope, fold(name.name))
        : sourceOfFragment('', table.node, scope)
    }
    case 'ParensNode':
      return sourceOf(table.node, scope, alias)
    case 'TableNode': {
      const { schema, name } = nameOf(table)
      const found =
        (!schema && scope.named.get(name)) ||
        ({ schema, columns: findTable(table, scope) } satisfies Partial<Source>)
      return { ...found, name: alias ?? name }
    }
    default:
      return isQuery(table)
        ? sourceOfOutputs(alias ?? '', outputsOf(table, scope))
        : sourceOfFragment(alias ?? '', table, scope)
  }
}

function sourceOfOutputs(
  name: string,
  outputs: readonly Output[],
  names?: readonly Kysely.ColumnNode[],
): Source {
  const all = expand(outputs)
  const columns = new Map<string, Column>()
  // Names of columns stand for positions, which `*` hides.
  const isMoved = names && outputs.some((one) => one.all)
  for (const [i, column] of isMoved ? [] : all.entries()) {
    const renamed = names?.[i]?.column.name ?? column.name
    columns.set(fold(renamed), { ...column, name: renamed })
  }
  const hidden =
    outputs.find((one) => one.all?.unknown)?.all?.unknown ??
    all.find((one) => one.name === '' && one.shape)?.shape?.place
  const moved = isMoved && all.some(({ shape }) => shape)
  return {
    name,
    columns,
    isOpen: outputs.some(({ all }) => all && (!all.columns || all.isOpen)),
    unknown: hidden ?? (moved ? `${name}(…) as select *` : undefined),
  }
}

/** The columns of a sql fragment or function are those listed for its alias. */
function sourceOfFragment(name: string, node: Node, scope: Scope): Source {
  const columns = scope.tables.get(name)
  return !columns && mentionsTable(node, scope)
    ? { name, unknown: 'a FROM or JOIN that is not a table' }
    : { name, columns }
}

function mentionsTable(node: Node, scope: Scope): boolean {
  const { tables, named } = scope
  if (node.kind === 'TableNode') {
    const { name } = nameOf(node as Kysely.TableNode)
    return !!findTable(node as Kysely.TableNode, scope) || named.has(name)
  }
  const text = fold(
    node.kind === 'RawNode' ? (node as Kysely.RawNode).sqlFragments.join() : '',
  )
  return (
    [...tables.keys(), ...named.keys()].some((name) =>
      text.includes(name.replace(/.*\./, '')),
    ) || partsOf(node).some((part) => mentionsTable(part, scope))
  )
}

const partsOf = (node: Node): Node[] =>
  Object.values(node)
    .flat()
    .filter((part) => typeof part?.kind === 'string')

/** Before 0.29.9, `withSchema` replaces a table in `to_json` by its name. */
const nameOf = ({
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

/**
 * Finds the columns of a table that is configured with its schema, or without a
 * schema for all schemas.
 */
function findTable(
  table: Kysely.TableNode,
  { tables }: Scope,
): Columns | undefined {
  const { schema, name } = nameOf(table)
  return tables.get(`${schema}.${name}`) ?? tables.get(name)
}

function findSource(table: Kysely.TableNode, scope: Scope): Source | undefined {
  const { schema, name } = nameOf(table)
  const { sources, target, outer } = scope
  return (
    sources.find(
      (one) => one.name === name && (!schema || one.schema === schema),
    ) ??
    (name === 'excluded' ? target : undefined) ??
    // The alias may be one that is written as SQL.
    sources.find((one) => one.name === '' && one.unknown) ??
    (outer && findSource(table, outer))
  )
}

const shapeIn = (source: Source | undefined, name: string) => {
  const column = source?.columns?.get(fold(name))
  if (column || !source?.unknown) return column?.shape
  return lost(source.unknown)
}

/**
 * Returns the shape of a column. A column that is named without a table belongs
 * to a table of the query itself, or cannot be followed.
 */
function shapeOfColumn(
  { column: { name } }: Kysely.ColumnNode,
  { sources, outer }: Scope,
): Shape | undefined {
  const own = sources.find((one) => one.columns?.has(fold(name)))
  if (own) return shapeIn(own, name)
  const unknown = sources.map((one) => shapeIn(one, name)).find(Boolean)
  if (unknown) return unknown
  for (let scope = outer; scope; scope = scope.outer)
    for (const source of scope.sources) {
      const shape = shapeIn(source, name)
      if (shape && shape !== PLAIN) return lost(expressionWith(shape))
    }
  return undefined
}

/** Returns the shape of a column that a query writes. */
export function shapeOfTarget(node: Node, scope: Scope): Shape | undefined {
  const column = known(node)
  return column.kind === 'ColumnNode' && scope.target
    ? shapeIn(scope.target, column.column.name)
    : shapeOfOperand(node, scope)
}

const setOf = (names: string) => new Set(names.split(' '))
const NUMBERS = setOf('count sum avg')
const CHOICES = setOf('coalesce ifnull nullif greatest least')
/** Other functions that return their first argument, or a value like it. */
const SAME = setOf(
  'min max any_value first_value last_value nth_value lag lead to_json to_jsonb row_to_json',
)
const LISTS = setOf(
  'array_agg json_agg jsonb_agg json_group_array json_arrayagg',
)
/** Returns whether a function returns one of its arguments. */
export const isChoice = (func: string) => CHOICES.has(func.toLowerCase())

function shapeOfFunction(
  name: string,
  parameters: readonly Node[],
  scope: Scope,
): Shape | undefined {
  const func = name.toLowerCase()
  if (NUMBERS.has(func)) return undefined
  const shapes = parameters.map((one) => shapeOf(one, scope))
  if (isChoice(func) || SAME.has(func)) return unify(shapes)
  return LISTS.has(func) ? listOf(shapes[0]) : unfollowed(shapes)
}

/** The shape of an expression that does something else with its parts. */
function unfollowed(shapes: readonly (Shape | undefined)[]) {
  const found = shapes.find(Boolean)
  return found && lost(expressionWith(found))
}

/** Returns the shape of an expression, or PLAIN. */
export function shapeOfOperand(operand: Node, scope: Scope): Shape | undefined {
  const node = known(operand)
  switch (node.kind) {
    case 'AliasNode':
    case 'ParensNode':
      return shapeOfOperand(node.node, scope)
    case 'ColumnNode':
      return shapeOfColumn(node, scope)
    case 'ReferenceNode': {
      const column = known(node.column)
      if (column.kind !== 'ColumnNode') return undefined
      return node.table
        ? shapeIn(findSource(node.table, scope), column.column.name)
        : shapeOfColumn(column, scope)
    }
    default:
      return shapeOf(node, scope)
  }
}

/** Returns what the value of an expression contains. */
function shapeOf(expression: Node, scope: Scope): Shape | undefined {
  const node = known(expression)
  const shapesOf = (nodes: readonly (Node | undefined)[]) =>
    nodes.map((one) => one && shapeOf(one, scope))
  switch (node.kind) {
    case 'AliasNode':
    case 'ParensNode':
    case 'ColumnNode':
    case 'ReferenceNode': {
      const shape = shapeOfOperand(node, scope)
      return shape === PLAIN ? undefined : shape
    }
    case 'TableNode': {
      const source = findSource(node, scope)
      return source?.unknown
        ? lost(source.unknown)
        : objectOf(columnsOf(source))
    }
    case 'AggregateFunctionNode':
      return shapeOfFunction(node.func, node.aggregated, scope)
    case 'FunctionNode':
      return shapeOfFunction(node.func, node.arguments, scope)
    case 'CaseNode': {
      const results = node.when?.map(({ result }) => result) ?? []
      return unify(shapesOf([...results, node.else]))
    }
    case 'CastNode':
      return unfollowed(shapesOf([node.expression]))
    case 'AndNode':
    case 'OrNode':
    case 'UnaryOperationNode':
      return undefined
    case 'BinaryOperationNode':
      return isComparison(node)
        ? undefined
        : unfollowed(shapesOf([node.leftOperand, node.rightOperand]))
    case 'RawNode':
      return shapeOfFragment(node, scope)
    default: {
      if (!isQuery(node)) return unfollowed(shapesOf(partsOf(node)))
      const outputs = outputsOf(node, scope)
      const shapes = expand(outputs).map(({ shape }) => shape)
      return outputs.length === 1 && !outputs[0]?.all
        ? shapes[0]
        : unfollowed(shapes)
    }
  }
}

/** The beginnings of `jsonArrayFrom` and `jsonObjectFrom`. */
const HELPERS = [
  '(select coalesce(json_agg(agg), ',
  '(select to_json(obj) from ',
  '(select coalesce(json_group_array(json_object(',
  '(select cast(coalesce(json_arrayagg(json_object(',
  '(select json_object(',
]
const BUILDERS = ['json_build_object(', 'json_object(']

/** Follows the helpers of Kysely, which are sql fragments. */
function shapeOfFragment(
  node: Kysely.RawNode,
  scope: Scope,
): Shape | undefined {
  const { sqlFragments: fragments, parameters } = node
  const [first = '', last = ''] = [fragments[0], fragments.at(-1)]
  const final = parameters.at(-1)
  if (final && parameters.length === 1) {
    const pairs = known(final)
    if (fragments.every((sql) => sql === '')) return shapeOf(final, scope)
    if (BUILDERS.includes(first) && last === ')' && pairs.kind === 'RawNode')
      return objectOf(pairsOf(pairs, scope))
  }
  if (
    final &&
    isQuery(final) &&
    HELPERS.some((helper) => first.startsWith(helper)) &&
    (last === ' as agg)' || last === ' as obj)')
  ) {
    const row = objectOf(expand(outputsOf(final, scope)))
    return last === ' as agg)' ? listOf(row) : row
  }
  return unfollowed(parameters.map((one) => shapeOf(one, scope)))
}

/** The columns of `jsonBuildObject`: a list of names and values. */
function pairsOf(list: Kysely.RawNode, scope: Scope): Column[] {
  const items = list.parameters
    .map(known)
    .filter((one) => one.kind !== 'RawNode' || one.sqlFragments[0] !== ', ')
  return items.flatMap((value, i) => {
    const before = items[i - 1]
    if (i % 2 === 0 || !before) return []
    const name = known(
      (before.kind === 'RawNode' && before.parameters[0]) || before,
    )
    const shape = shapeOf(value, scope)
    return name.kind === 'ValueNode'
      ? { name: `${name.value}`, shape }
      : { name: '', shape: unfollowed([shape]) }
  })
}

/** Returns the columns of a result, with those that `*` stands for. */
export function expand(outputs: readonly Output[]): Column[] {
  const columns: Column[] = []
  for (const { all, ...column } of outputs) {
    if (!all) columns.push(column)
    else {
      // A later column replaces an earlier one of the same name.
      if ((!all.columns || all.isOpen) && columns.some(({ shape }) => shape))
        columns.push(star(`select * with unlisted ${all.name}`))
      if (all.unknown) columns.push(star(all.unknown))
      columns.push(...columnsOf(all))
    }
  }
  return columns
}

/** The columns of a source. Those without ids have no shape. */
const columnsOf = (source: Source | undefined): Column[] =>
  [...(source?.columns?.values() ?? [])].map(({ name, shape }) => ({
    name,
    shape: shape === PLAIN ? undefined : shape,
  }))

const star = (place: string): Column => ({ name: '*', shape: lost(place) })

export function outputsOf(query: Query, outer: Scope): Output[] {
  const scope = enter(query, outer)
  if ('output' in query && query.output && scope.sources[0]?.columns)
    return [star('OUTPUT')]
  const returning = 'returning' in query ? query.returning : undefined
  const selections =
    ('selections' in query ? query.selections : returning?.selections) ?? []
  const outputs = selections.flatMap(({ selection }): Output[] => {
    const node = known(selection)
    const isReference = node.kind === 'ReferenceNode'
    const column = isReference ? known(node.column) : node
    if (column.kind === 'SelectAllNode') {
      const table = isReference && node.table && findSource(node.table, scope)
      const sources = isReference ? (table ? [table] : []) : scope.sources
      // In SQLite, unlike PostgreSQL, RETURNING * contains only the columns of
      // the changed table.
      return returning &&
        sources.length > 1 &&
        sources.some(({ columns, unknown }) => columns?.size || unknown)
        ? [star('returning * of several tables')]
        : sources.map((all) => ({ name: '*', all }))
    }
    return [{ name: nameOfOutput(node), shape: shapeOf(node, scope) }]
  })
  return (('setOperations' in query && query.setOperations) || []).reduce(
    (all, { expression }) => unite(all, outputsOfOperand(expression, scope)),
    outputs,
  )
}

function outputsOfOperand(node: Node, scope: Scope): Output[] {
  const operand = known(node)
  if (operand.kind === 'ParensNode')
    return outputsOfOperand(operand.node, scope)
  if (isQuery(operand)) return outputsOf(operand, scope)
  return mentionsTable(node, scope) ? [star('a UNION with sql')] : []
}

function nameOfOutput(node: KnownNode): string {
  if (node.kind === 'ReferenceNode') return nameOfOutput(known(node.column))
  if (node.kind === 'ColumnNode') return node.column.name
  const alias = node.kind === 'AliasNode' && known(node.alias)
  return alias && alias.kind === 'IdentifierNode' ? alias.name : ''
}

/** Returns the columns of a UNION, whose positions have to agree. */
function unite(left: Output[], right: readonly Output[]): Output[] {
  const same = (a: Output, b: Output | undefined) =>
    a.all || b?.all
      ? a.all?.columns === b?.all?.columns && a.all?.unknown === b?.all?.unknown
      : a.shape?.key === b?.shape?.key
  if (
    left.length === right.length &&
    left.every((one, i) => same(one, right[i]))
  )
    return left
  const [found] = [...expand(left), ...expand(right)].filter(
    ({ shape }) => shape,
  )
  if (!found?.shape) return left
  const { read, place } = found.shape
  return [star(read ? `a UNION of ${place}` : place)]
}
