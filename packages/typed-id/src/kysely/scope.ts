import { type Codec, type Columns, fold, jsonCodec, type Output } from './codecs.ts'
import { isComparison, isNode, isQuery, type Node, resultsOf, selectedBy } from './nodes.ts'
import { checkSame, columnsOf, fail, firstColumn, OTHERS } from './outputs.ts'

/** The tables and columns that an expression of a query can refer to. */
export interface Scope {
  /**
   * The common table expressions by name. Null means a `sql` fragment, whose columns are unknown. The outermost scope
   * has the tables of the configuration instead.
   */
  readonly named: Map<string, Columns | null>
  /** The tables of FROM and JOIN in their order. */
  readonly sources: Source[]
  /** The scope of the enclosing query, or of the preceding common table expressions. */
  readonly outer?: Scope | undefined
  /** The scope of each common table expression of the query, which contains only the preceding expressions. */
  readonly bodies?: ReadonlyMap<Node, Scope>
}

/** A table of a query, by its alias or name. */
interface Source {
  readonly name: string
  readonly schema?: string | undefined
  /** The id columns. Undefined if the table is not listed, and null if the source is a `sql` fragment. */
  readonly columns: Columns | null | undefined
}

/** Returns the scope for the expressions of a query. */
export function enter(query: Node, outer: Scope): Scope {
  const bodies = new Map<Node, Scope>()
  for (const {
    name: { table, columns },
    expression,
  } of query.with?.expressions ?? []) {
    const own: Scope = { named: new Map(), sources: [], outer }
    const body = query.with.recursive ? own : outer
    const { name } = nameOfTable(table)
    // A recursive expression refers to itself after UNION. Its columns are those of the first query.
    for (const part of [{ ...expression, setOperations: undefined }, expression]) {
      const outputs = outputsOf(part, body)
      if (columns && outputs.includes(OTHERS) && firstColumn(outputs)) fail(`* as columns of ${name}`)
      // PostgreSQL accepts fewer names than columns.
      const renamed = outputs.map((one, i) => ({ ...one, name: (columns?.[i]?.column ?? one).name }))
      own.named.set(name, part.kind === 'RawNode' ? null : columnsOf(renamed))
    }
    bodies.set(expression, body)
    outer = own
  }
  const scope: Scope = { named: new Map(), sources: [], outer, bodies }
  const { table, into, from, using, joins } = query
  for (const source of [
    table?.items ?? table,
    into,
    from?.froms,
    using?.tables,
    joins?.map((join: Node) => join.table),
  ].flat())
    if (source) scope.sources.push(sourceOf(source, scope))
  if (into) scope.sources.push({ ...(scope.sources[0] as Source), name: 'excluded' })
  return scope
}

function sourceOf(source: Node, scope: Scope): Source {
  const { node: table = source, alias } = source
  const name = fold(alias?.name ?? '')
  const isTable = table.kind === 'TableNode'
  const { schema, name: own } = isTable ? nameOfTable(table) : { name }
  const columns = isTable
    ? findNamed(own, schema, scope)
    : /Query|Parens/.test(table.kind)
      ? columnsOf(outputsOf(table, scope))
      : null
  const found = { name: name || own, schema, columns }
  if (alias && !name && firstColumn(columnsIn(found))) fail('a sql alias')
  return found
}

const nameOfTable = ({ table: { schema, identifier } }: Node) => ({
  schema: schema && fold(schema.name),
  name: fold(identifier.name),
})

/** Finds a table. A table in a schema may be listed with the schema, or without it for all schemas. */
function findNamed(
  name: string,
  schema: string | undefined,
  { named, outer }: Scope,
): Columns | null | undefined {
  if (!outer) return named.get(`${schema}.${name}`) ?? named.get(name)
  return !schema && named.has(name) ? named.get(name) : findNamed(name, schema, outer)
}

function findSource(table: Node, { sources, outer }: Scope): Source | undefined {
  const { schema, name } = nameOfTable(table)
  const found = sources.find((one) => one.name === name && (!schema || one.schema === schema))
  return found ?? (outer && findSource(table, outer))
}

/** Finds a column that is named without a table. Searches the tables of the query, but not of enclosing queries. */
const findColumn = (name: string, { sources }: Scope): Output | undefined =>
  sources.map(({ columns }) => columns?.get(name)).find(Boolean)

const columnsIn = (source: Source | undefined) => [...(source?.columns?.values() ?? [])]

/** Returns the columns of a query's result. */
export function outputsOf(query: Node, outer: Scope): Output[] {
  if (query.kind === 'ParensNode') return outputsOf(query.node, outer)
  if (query.output || query.kind === 'MergeQueryNode') fail('MERGE or OUTPUT')
  const scope = enter(query, outer)
  const selections: Node[] = query.selections ?? query.returning?.selections ?? []
  const outputs = selections.flatMap(({ selection }) => outputsOfSelection(selection, scope))
  for (const { expression } of query.setOperations ?? [])
    for (const [i, { codec }] of outputsOf(expression, { ...scope, sources: [] }).entries())
      checkSame(outputs[i]?.codec, codec, 'a UNION')
  // SQLite returns only the columns of the changed table, unlike PostgreSQL.
  if (query.returning) columnsOf(outputs)
  return outputs
}

/** Whether a selection is `*` or `table.*`. */
export const isAll = (selection: Node): boolean => (selection.column ?? selection).kind === 'SelectAllNode'

function outputsOfSelection(selection: Node, scope: Scope): Output[] {
  const { table, column = selection } = selection
  if (isAll(selection)) {
    const sources = table ? [findSource(table, scope)] : scope.sources
    const unlisted = sources.find((source) => !source?.columns)
    const columns = sources.flatMap(columnsIn)
    if (unlisted && firstColumn(columns)) fail(`select * with unlisted ${unlisted.name}`)
    return columns
  }
  const codec = codecOf(selection, scope)
  const name = (selection.alias ?? column.column)?.name
  const unread = codec ? !name && codec.column : mentionOf(selection, scope)
  if (unread) fail(`the selected expression with ${unread}`)
  return [{ name: name ?? '', codec }]
}

/** Returns the codec of an id column, or of an expression that returns the values of an id column. */
export function codecOf(node: Node, scope: Scope): Codec | undefined {
  switch (node.kind) {
    case 'ColumnNode':
      return findColumn(fold(node.column.name), scope)?.codec
    case 'ReferenceNode': {
      const { table, column } = node
      // `users.*` is a reference without a column name.
      if (!table || !column.column) return codecOf(column, scope)
      return findSource(table, scope)?.columns?.get(fold(column.column.name))?.codec
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
      return jsonCodec(columnsIn(findSource(table, scope)))
    }
    case 'RawNode':
      return jsonOfHelper(node, scope)
  }
}

function commonCodec(nodes: readonly (Node | undefined)[], scope: Scope): Codec | undefined {
  const codecs = nodes.flatMap((node) => (node && codecOf(node, scope)) ?? [])
  for (const codec of codecs) checkSame(codecs[0], codec, 'one expression')
  return codecs[0]
}

/** Returns the codec of `jsonObjectFrom`, `jsonArrayFrom` and `jsonBuildObject`, which Kysely writes as `sql` fragments. */
function jsonOfHelper({ sqlFragments, parameters }: Node, scope: Scope): Codec | undefined {
  const query = parameters.find(isQuery)
  // Both patterns test the fragments joined by commas.
  if (query && / as (agg|obj)\)$/.test(sqlFragments)) return jsonCodec(outputsOf(query, scope))
  const isObject = /^json_(build_)?object\(,\)$/.test(sqlFragments)
  const pairs: Node[] | undefined = isObject ? parameters[0].parameters : undefined
  // The parameters of `sql.join` alternate between keys and values. A comma follows each of them.
  const outputs = pairs?.flatMap((node, i) => {
    const alias = { name: `${pairs[i - 2]?.parameters?.[0]?.value}` }
    return i % 4 === 2 ? outputsOfSelection({ kind: 'AliasNode', node, alias }, scope) : []
  })
  return outputs && jsonCodec(outputs)
}

/** Expressions that contain no id, although their parts may. */
const WITHOUT_IDS = /(UnaryOperation|And|Or|Value|PrimitiveValueList)Node/

/** Returns the name of an id column whose values an expression may return in a form that the plugin cannot read. */
function mentionOf(node: Node, scope: Scope): string | undefined {
  const codec = codecOf(node, scope)
  if (codec) return codec.column
  if (WITHOUT_IDS.test(node.kind) || isComparison(node) || node.func === 'count') return undefined
  if (node.kind === 'TableNode') return firstColumn(columnsIn(findSource(node, scope)))
  if (isQuery(node)) return firstColumn(outputsOf(node, scope))
  if (node.kind === 'ReferenceNode') return suspect(node, scope)
  const parts: unknown[] =
    node.kind === 'CaseNode' ? resultsOf(node) : (node.aggregated ?? Object.values(node).flat())
  return parts.flatMap((part) => (isNode(part) && mentionOf(part, scope)) || [])[0]
}

/** Returns the name of a column of an unknown table, if a listed column has the same name. */
function suspect({ table, column }: Node, scope: Scope): string | undefined {
  const name = column.column.name
  const sources = table ? [findSource(table, scope)] : scope.sources
  let isUnknown = sources.some((source) => !source || source.columns === null)
  let root = scope
  while (root.outer) {
    root = root.outer
    isUnknown ||= !table && !!root.sources[0]
  }
  return isUnknown && [...root.named.values()].some((columns) => (columns as Columns).has(fold(name)))
    ? name
    : undefined
}
