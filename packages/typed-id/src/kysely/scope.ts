import { type Codec, type Columns, columnsOf, fold, jsonCodec, type Output } from './codecs.ts'
import { isComparison, isNode, isQuery, type Node, resultsOf, selectedBy } from './nodes.ts'

/** The tables and columns that an expression of a query can refer to. */
export interface Scope {
  /** Common table expressions by name. The outermost scope has the tables of the configuration instead. */
  readonly named: Map<string, Columns>
  /** The tables of FROM and JOIN in their order. */
  readonly sources: Source[]
  /** The scope of the enclosing query. */
  readonly outer?: Scope | undefined
}

/** A table of a query, by its alias or name. */
interface Source {
  readonly name: string
  readonly schema?: string | undefined
  /** The id columns. Undefined if the source is a `sql` fragment, whose columns are unknown. */
  readonly columns: Columns | undefined
  readonly isListed: boolean
  /** Whether only a qualified reference finds the table: `excluded`, or `inserted` and `deleted` of SQL Server. */
  readonly isHidden?: boolean
}

/** Returns the scope for the expressions of a query. */
export function enter(query: Node, outer: Scope): Scope {
  const scope: Scope = { named: new Map(), sources: [], outer }
  for (const { name, expression } of query.with?.expressions ?? []) {
    const define = (expression: Node) => {
      const outputs = outputsOf(expression, scope)
      const renamed = name.columns?.map(({ column }: Node, i: number) => ({
        ...outputs[i],
        name: column.name,
      }))
      scope.named.set(fold(name.table.table.identifier.name), columnsOf(renamed ?? outputs))
    }
    // A recursive expression refers to itself after UNION. Its columns are those of the first query.
    define({ ...expression, setOperations: undefined })
    define(expression)
  }
  const { table, into, from, using, joins } = query
  for (const source of [table, into, ...(from?.froms ?? []), ...(using?.tables ?? [])])
    if (source) scope.sources.push(sourceOf(source, scope))
  for (const join of joins ?? []) scope.sources.push(sourceOf(join.table, scope))
  const [target] = scope.sources
  if (into && target)
    for (const name of ['excluded', 'inserted', 'deleted'])
      scope.sources.push({ ...target, name, isHidden: true })
  return scope
}

function sourceOf(source: Node, scope: Scope): Source {
  const { node: table = source, alias } = source
  const name = fold(alias?.name ?? '')
  if (table.kind !== 'TableNode')
    return {
      name,
      columns: isQuery(table) ? columnsOf(outputsOf(table, scope)) : undefined,
      isListed: isQuery(table),
    }
  const { schema, name: own } = nameOfTable(table)
  const columns = findNamed(own, schema, scope)
  return { ...(alias ? { name } : { name: own, schema }), columns: columns ?? new Map(), isListed: !!columns }
}

const nameOfTable = ({ table: { schema, identifier } }: Node) => ({
  schema: schema && fold(schema.name),
  name: fold(identifier.name),
})

/** Finds a table. One of a schema is listed with the schema, or without it for all schemas. */
function findNamed(name: string, schema: string | undefined, { named, outer }: Scope): Columns | undefined {
  if (outer) return (schema === undefined && named.get(name)) || findNamed(name, schema, outer)
  return named.get(`${schema}.${name}`) ?? named.get(name)
}

function findSource(table: Node, { sources, outer }: Scope): Source | undefined {
  const { schema, name } = nameOfTable(table)
  const found = sources.find((one) => one.name === name && (!schema || !one.schema || one.schema === schema))
  return found ?? (outer && findSource(table, outer))
}

/** Finds a column without a table name in the tables of its query, not of enclosing queries. */
const findColumn = (name: string, { sources }: Scope): Output | undefined =>
  sources.find(({ columns, isHidden }) => !isHidden && columns?.has(name))?.columns?.get(name)

const columnsIn = (source: Source | undefined) => [...(source?.columns?.values() ?? [])]

/** Returns the columns of a query's result. Of `select *`, only the id columns are known. */
export function outputsOf(query: Node, outer: Scope): Output[] {
  if (query.kind === 'MergeQueryNode' && query.returning) fail('the result of MERGE')
  if (!isQuery(query)) return []
  const scope = enter(query, outer)
  const selections: Node[] = query.selections ?? (query.returning ?? query.output)?.selections ?? []
  const outputs = selections.flatMap(({ selection }) => outputsOfSelection(selection, scope))
  for (const { expression } of query.setOperations ?? [])
    for (const [i, { codec }] of outputsOf(expression, { ...scope, sources: [] }).entries()) {
      const first = outputs[i]?.codec
      if ((codec?.prefix ?? '') !== (first?.prefix ?? ''))
        fail(`a UNION of ${first?.column ?? 'another value'} and ${codec?.column ?? 'another value'}`)
    }
  return outputs
}

function outputsOfSelection(selection: Node, scope: Scope): Output[] {
  if (selection.kind === 'SelectAllNode') {
    const sources = scope.sources.filter(({ isHidden }) => !isHidden)
    const unlisted = sources.find(({ isListed }) => !isListed)
    if (unlisted && sources.some(({ columns }) => columns?.size))
      fail(`select * with ${unlisted.name}, whose columns are not listed`)
    return sources.flatMap(columnsIn)
  }
  if (selection.column?.kind === 'SelectAllNode') return columnsIn(findSource(selection.table, scope))
  const codec = codecOf(selection, scope)
  const name = (selection.alias ?? selection.column?.column)?.name
  const unread = codec ? name === undefined && codec.column : mentionOf(selection, scope)
  if (unread) fail(`the selected expression with ${unread}`)
  return [{ name: name ?? '', codec }]
}

/** Returns the codec of an id column, or of an expression whose values are those of an id column. */
export function codecOf(node: Node, scope: Scope): Codec | undefined {
  switch (node.kind) {
    case 'ColumnNode':
      return findColumn(fold(node.column.name), scope)?.codec
    case 'ReferenceNode': {
      const name = fold(node.column.column.name)
      return (node.table ? findSource(node.table, scope)?.columns?.get(name) : findColumn(name, scope))?.codec
    }
    case 'AliasNode':
    case 'ParensNode':
      return codecOf(node.node, scope)
    case 'SelectQueryNode':
      return outputsOf(node, scope)[0]?.codec
    case 'CaseNode':
      return commonCodec(resultsOf(node), scope)
    case 'AggregateFunctionNode':
    case 'FunctionNode': {
      const [table] = node.arguments ?? node.aggregated
      if (table?.kind !== 'TableNode' || !/^(to_json|json_agg)$/.test(node.func))
        return commonCodec(selectedBy(node), scope)
      return jsonCodec(findSource(table, scope)?.columns)
    }
    case 'RawNode':
      return jsonOfHelper(node, scope)
    default:
      return undefined
  }
}

function commonCodec(nodes: readonly (Node | undefined)[], scope: Scope): Codec | undefined {
  const codecs = nodes.map((node) => node && codecOf(node, scope)).filter((codec) => codec !== undefined)
  const other = codecs.find(({ prefix }) => prefix !== codecs[0]?.prefix)
  if (other) fail(`an expression that mixes ${codecs[0]?.column} and ${other.column}`)
  return codecs[0]
}

/** Returns the codec of `jsonObjectFrom`, `jsonArrayFrom` and `jsonBuildObject`, which Kysely writes as `sql` fragments. */
function jsonOfHelper({ sqlFragments, parameters }: Node, scope: Scope): Codec | undefined {
  const query = parameters.find(isQuery)
  if (query && / as (agg|obj)\)$/.test(sqlFragments.at(-1)))
    return jsonCodec(columnsOf(outputsOf(query, scope)))
  const [pairs, ...others] = parameters
  if (!/^json_(build_)?object\($/.test(sqlFragments[0]) || !pairs?.parameters || others.length)
    return undefined
  // The parameters of `sql.join` are keys and values in turn, with a comma after each.
  const list: Node[] = pairs.parameters.filter((_: Node, i: number) => i % 2 === 0)
  const outputs = list.flatMap((node, i) => {
    const alias = { name: `${list[i - 1]?.parameters?.[0]?.value}` }
    return i % 2 ? outputsOfSelection({ kind: 'AliasNode', node, alias }, scope) : []
  })
  return jsonCodec(columnsOf(outputs))
}

/** Expressions that contain no id, although their parts may. */
const WITHOUT_IDS = /^(UnaryOperation|And|Or|Value|PrimitiveValueList)Node$/

/** Returns the name of an id column whose values an expression may return in a form that the plugin cannot read. */
function mentionOf(node: Node, scope: Scope): string | undefined {
  const codec = codecOf(node, scope)
  if (codec) return codec.column
  if (WITHOUT_IDS.test(node.kind) || isComparison(node) || /^count$/i.test(node.func)) return undefined
  if (node.kind === 'TableNode') return firstColumn(columnsIn(findSource(node, scope)))
  if (isQuery(node)) return firstColumn(outputsOf(node, scope))
  if (node.kind === 'ReferenceNode') return suspect(node, scope)
  const parts: unknown[] =
    node.kind === 'CaseNode' ? resultsOf(node) : (node.aggregated ?? Object.values(node).flat())
  for (const part of parts) {
    const found = isNode(part) && mentionOf(part, scope)
    if (found) return found
  }
  return undefined
}

const firstColumn = (outputs: readonly Output[]) => outputs.find(({ codec }) => codec)?.codec?.column

/** Returns the name of a column that is not found in its query, if a listed column has this name. */
function suspect({ table, column }: Node, scope: Scope): string | undefined {
  const name = column.column.name
  const isUnknown = table
    ? !findSource(table, scope)?.columns
    : scope.sources.some(({ columns }) => !columns) || scope.outer?.sources.length
  let root = scope
  while (root.outer) root = root.outer
  return isUnknown && [...root.named.values()].some((columns) => columns.has(fold(name))) ? name : undefined
}

export function fail(place: string): never {
  throw new TypeError(`idPlugin: cannot convert ${place}: list the column, or use idCodec`)
}
