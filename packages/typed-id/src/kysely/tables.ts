import type { OperationNode } from 'kysely'

/**
 * A node of Kysely's syntax tree. Versions of Kysely type nodes differently, so
 * any property may be missing.
 */
export type Node = { readonly kind: OperationNode['kind'] } & Readonly<
  // biome-ignore lint/suspicious/noExplicitAny: the properties depend on the kind.
  Record<string, any>
>

export const isNode = (value: unknown): value is Node =>
  typeof (value as Node | null)?.kind === 'string'
export const isQuery = ({ kind }: Node): boolean => kind.endsWith('QueryNode')

/**
 * Returns whether a node compares whole ids, unlike operators such as `like`,
 * which compare a part of an id.
 */
export const isComparison = ({ kind, operator }: Node): boolean =>
  kind === 'BinaryOperationNode' &&
  /^([<=>]+|!=|(not )?in|is( not)?( distinct from)?|between( symmetric)?)$/.test(
    operator.operator,
  )

const partsOf = (node: Node): Node[] =>
  Object.values(node).flat().filter(isNode)

export function fail(place: string): never {
  throw new TypeError(
    `idPlugin: cannot convert ${place}: list the column, or use idCodec`,
  )
}

export interface Codec {
  /** Table and column for messages, such as `users.id`. */
  readonly column: string
  /**
   * The prefix of the ids, or '' for a column whose values are not converted.
   */
  readonly prefix: string
  toDatabase(value: unknown): unknown
  fromDatabase(value: unknown): unknown
}

/** The codecs of a table's id columns. The keys are results of `fold`. */
export type Columns = ReadonlyMap<string, Codec>

/**
 * Maps `teamId`, a name for the CamelCasePlugin, and `team_id`, the name in the
 * database, to the same key.
 */
export const fold = (name: string): string =>
  name.replaceAll('_', '').toLowerCase()

/**
 * A table of a query, by its alias or name. `columns` is undefined if the
 * configuration does not list the table.
 */
interface Source {
  readonly name: string
  readonly schema?: string | undefined
  readonly columns: Columns | undefined
}

export interface Scope {
  readonly tables: ReadonlyMap<string, Columns>
  readonly sources: readonly Source[]
  readonly outer?: Scope
}

export interface Output {
  readonly name: string
  readonly codec: Codec | undefined
}

export function enter(query: Node, outer: Scope): Scope {
  const { tables } = outer
  if (query.output || query.kind === 'MergeQueryNode') fail('MERGE or OUTPUT')
  const named: readonly Node[] = query.with?.expressions ?? []
  if (
    named.some(({ expression }) => expression.kind === 'RawNode') ||
    (named[0] && hasListed(query, tables))
  )
    fail('a common table expression')
  const { table, into, from, using, joins } = query
  const sources = [
    table?.items ?? table,
    into,
    from?.froms,
    using?.tables,
    joins?.map((join: Node) => join.table),
  ]
    .flat()
    .filter(isNode)
    .map((source) => sourceOf(source, tables))
  return { tables, sources, outer }
}

function sourceOf(source: Node, tables: Scope['tables']): Source {
  const { node: table = source, alias } = source
  if (alias && !alias.name) fail('a sql alias')
  if (table.kind !== 'TableNode') {
    if (table.kind === 'RawNode' || hasListed(table, tables))
      fail('a FROM or JOIN that is not a table')
    return { name: fold(alias.name), columns: undefined }
  }
  const { schema, name } = nameOfTable(table)
  return {
    name: alias ? fold(alias.name) : name,
    schema,
    columns: findTable(table, tables),
  }
}

const nameOfTable = ({ table: { schema, identifier } }: Node) => ({
  schema: schema && fold(schema.name),
  name: fold(identifier.name),
})

/**
 * Finds the columns of a table that is configured with its schema, or without a
 * schema for all schemas.
 */
function findTable(table: Node, tables: Scope['tables']): Columns | undefined {
  const { schema, name } = nameOfTable(table)
  return tables.get(`${schema}.${name}`) ?? tables.get(name)
}

export const hasListed = (node: Node, tables: Scope['tables']): boolean =>
  node.kind === 'TableNode'
    ? !!findTable(node, tables)
    : partsOf(node).some((part) => hasListed(part, tables))

function findSource(
  table: Node,
  { sources, outer }: Scope,
): Source | undefined {
  const { schema, name } = nameOfTable(table)
  const found = sources.find(
    (one) => one.name === name && (!schema || one.schema === schema),
  )
  return (
    found ??
    (name === 'excluded' ? sources[0] : undefined) ??
    (outer && findSource(table, outer))
  )
}

/**
 * Returns the codec of a column. A column that is named without a table belongs
 * to a table of the query itself.
 */
export function codecOf(node: Node, scope: Scope): Codec | undefined {
  if (node.kind === 'AliasNode' || node.kind === 'ParensNode')
    return codecOf(node.node, scope)
  const { table, column = node } = node
  if (
    !/^(Column|Reference)Node$/.test(node.kind) ||
    !(column.column ?? column).name
  )
    return undefined
  const key = fold((column.column ?? column).name)
  const sources = table ? [findSource(table, scope)] : scope.sources
  return sources.map((source) => source?.columns?.get(key)).find(Boolean)
}

export function outputsOf(query: Node, outer: Scope): Output[] {
  const scope = enter(query, outer)
  const selections: Node[] =
    query.selections ?? query.returning?.selections ?? []
  const outputs = selections.flatMap(({ selection }) =>
    outputsOfSelection(selection, query, scope),
  )
  for (const { expression } of query.setOperations ?? [])
    if (
      outputs.some(({ codec }) => codec) ||
      hasListed(expression, scope.tables)
    )
      fail('a UNION')
  return outputs
}

function outputsOfSelection(
  selection: Node,
  query: Node,
  scope: Scope,
): Output[] {
  const { table, column = selection } = selection
  if (column.kind === 'SelectAllNode') {
    const sources = table ? [findSource(table, scope)] : scope.sources
    const columns = sources.flatMap((source) => [
      ...(source?.columns?.values() ?? []),
    ])
    const unlisted = sources.find((source) => !source?.columns)
    if (columns.length > 0 && unlisted)
      fail(`select * with unlisted ${unlisted.name}`)
    // In SQLite, unlike PostgreSQL, RETURNING * contains only the columns of
    // the changed table.
    if (columns.length > 0 && query.returning && sources.length > 1)
      fail('returning * of several tables')
    return columns.map((codec) => ({
      name: codec.column.replace(/.*\./, ''),
      codec,
    }))
  }
  const codec = codecOf(selection, scope)
  const name: string | undefined = (selection.alias ?? column.column)?.name
  const unread = codec ? !name && codec.column : mentionOf(selection, scope)
  if (unread) fail(`the selected expression with ${unread}`)
  return [{ name: name ?? '', codec }]
}

/**
 * Returns the name of an id column that an expression reads, if the expression
 * may return its values.
 */
function mentionOf(node: Node, scope: Scope): string | undefined {
  if (
    isComparison(node) ||
    /(UnaryOperation|And|Or)Node/.test(node.kind) ||
    node.func === 'count'
  )
    return undefined
  if (isQuery(node))
    return outputsOf(node, scope).find(({ codec }) => codec)?.codec?.column
  if (node.kind === 'TableNode')
    return findSource(node, scope)?.columns && nameOfTable(node).name
  for (let own: Scope | undefined = scope; own; own = own.outer) {
    const codec = codecOf(node, own)
    if (codec) return codec.column
  }
  return partsOf(node).flatMap((part) => mentionOf(part, scope) ?? [])[0]
}
