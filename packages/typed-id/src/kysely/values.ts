import type { IdStorage } from '../codec.ts'
import { type Codec, fold } from './codecs.ts'
import { isComparison, isNode, isQuery, type Node, selectedBy } from './nodes.ts'
import { checkSame, columnsOf, fail, firstColumn } from './outputs.ts'
import { codecOf, enter, isAll, outputsOf, type Scope } from './scope.ts'

/**
 * Returns a function that copies a query. In the copy, ids that are compared with an id column or written to one have
 * the form that the database stores. The function throws if the query contains an id in any other place.
 *
 * @param isId whether a value is an id that has to be converted
 */
export function createConverter(storage: IdStorage, isId: (value: unknown) => boolean) {
  // Nodes to skip. Kysely calls plugins again when a converted query, built from `db`, becomes part of another query.
  const converted = new WeakSet<Node>()
  const mark = <T extends Node>(node: T): T => {
    converted.add(node)
    return node
  }

  function convertTree<T>(value: T, outer: Scope, place: string): T {
    if (Array.isArray(value)) return value.map((item) => convertTree(item, outer, place)) as T
    if (!isNode(value) || converted.has(value)) return value
    if (value.kind === 'ValueNode' || value.kind === 'PrimitiveValueListNode') {
      rejectIds(value.values ?? value.value, place)
      return value
    }
    const scope = isQuery(value) ? enter(value, outer.bodies?.get(value) ?? outer) : outer
    const own = convertOwn(value, scope)
    const inner = placeOf(own) ?? place
    return mapParts(own, (part) => convertTree(part, scope, inner)) as T
  }

  /** Converts the values of a comparison, an assignment, CASE or a function, but not the values of nested queries. */
  function convertOwn(node: Node, scope: Scope): Node {
    switch (node.kind) {
      case 'BinaryOperationNode': {
        const { leftOperand: left, rightOperand: right } = node
        const codec = codecOf(left, scope)
        if (!isComparison(node)) {
          const compared = codec ?? codecOf(right, scope)
          const isPartial = storage !== 'text' && compared?.prefix
          return isPartial ? fail(`${compared.column} for the operator ${node.operator.operator}`) : node
        }
        if (left.kind === 'TupleNode')
          return { ...node, rightOperand: convertTuples(right, left.values, scope) }
        return {
          ...node,
          leftOperand: convert(left, codecOf(right, scope)),
          rightOperand: convert(right, codec),
        }
      }
      case 'InsertQueryNode':
        return { ...node, values: node.values && assignAll(node.values, node.columns ?? [], scope) }
      case 'ColumnUpdateNode':
        return { ...node, value: assign(node.value, node.column, scope) }
      case 'CaseNode': {
        const codec = node.value && codecOf(node.value, scope)
        const when = node.when.map((one: Node) => ({ ...one, condition: convert(one.condition, codec) }))
        return convert({ ...node, when }, codecOf(node, scope))
      }
      case 'FunctionNode':
        return convert(node, codecOf(node, scope))
      default:
        return node
    }
  }

  /** Converts a tuple, or each tuple of a list, with the codecs of the columns that it is compared with. */
  function convertTuples(node: Node, columns: readonly Node[], scope: Scope): Node {
    if (node.kind !== 'TupleNode' && node.kind !== 'ValueListNode') return node
    const values = node.values.map((value: Node, i: number) =>
      node.kind === 'TupleNode' && columns[i]
        ? convert(value, codecOf(columns[i], scope))
        : convertTuples(value, columns, scope),
    )
    return { ...node, values }
  }

  /** Converts the rows of VALUES, or the selections of INSERT … SELECT, with the codecs of the target columns. */
  function assignAll(node: Node, columns: readonly Node[], scope: Scope): Node {
    if (converted.has(node)) return node
    switch (node.kind) {
      case 'ParensNode':
        return { ...node, node: assignAll(node.node, columns, scope) }
      case 'ValuesNode':
        return { ...node, values: node.values.map((row: Node) => assignAll(row, columns, scope)) }
      case 'ValueListNode':
        return { ...node, values: node.values.map((one: Node, i: number) => assign(one, columns[i], scope)) }
      case 'PrimitiveValueListNode': {
        const values = node.values.map((one: unknown, i: number) =>
          codecFor(columns[i], scope).toDatabase(one),
        )
        return mark({ ...node, values })
      }
      case 'SelectQueryNode': {
        assertNames(node, columns, scope)
        const inner = enter(node, scope)
        const selections = node.selections.map((own: Node, i: number) => ({
          ...own,
          selection: assign(own.selection, columns[i], scope, inner),
        }))
        const setOperations = node.setOperations?.map((own: Node) => ({
          ...own,
          expression: assignAll(own.expression, columns, scope),
        }))
        return { ...node, selections, setOperations }
      }
      default:
        return node
    }
  }

  /**
   * Throws if INSERT … SELECT writes ids of another type to a column. If the INSERT names no columns, or the SELECT
   * contains `*`, the positions of columns are unknown, so columns are compared by name.
   */
  function assertNames(node: Node, columns: readonly Node[], scope: Scope): void {
    const { columns: targets } = scope.sources[0] as Scope['sources'][number]
    if (!targets || (columns[0] && !node.selections.some(({ selection }: Node) => isAll(selection)))) return
    const outputs = outputsOf(node, scope)
    if (!firstColumn(outputs)) return
    const names = columns.map(({ column }) => fold(column.name))
    for (const [name, { codec }] of targets)
      if (!names[0] || names.includes(name))
        checkSame(codec, columnsOf(outputs).get(name)?.codec, 'an assignment')
  }

  /** Converts an expression that is written to a column. `inner` is the scope of the expression. */
  function assign(node: Node, column: Node | undefined, scope: Scope, inner = scope): Node {
    if (node.kind === 'AliasNode') return { ...node, node: assign(node.node, column, scope, inner) }
    const codec = codecFor(column, scope)
    const own = codec.prefix && codecOf(node, inner)
    if (own) checkSame(codec, own, 'an assignment')
    return convert(node, codec)
  }

  /** Returns the codec of a column. The codec of a column that is not listed rejects ids. */
  function codecFor(column: Node | undefined, scope: Scope) {
    const toDatabase = (value: unknown) => rejectIds(value, `column ${nameOf(column)}`)
    return { toDatabase, ...(column && codecOf(column, scope)) } as Codec & { toDatabase: typeof toDatabase }
  }

  /** Returns the value or the list of values unchanged. Throws if it contains an id. */
  function rejectIds(value: unknown, place: string): unknown {
    const found = [value].flat(2).find(isId)
    return found === undefined ? value : fail(`${found} in ${place}`)
  }

  /** Converts values, tuples, CASE and functions such as coalesce with a codec. Leaves other expressions unchanged. */
  function convert<T>(node: T, codec: Codec | undefined): T {
    if (Array.isArray(node)) return node.map((one) => convert(one, codec)) as T
    if (!codec?.toDatabase || !isNode(node) || converted.has(node)) return node
    switch (node.kind) {
      case 'ValueNode':
        return mark({ ...node, value: codec.toDatabase(node.value) })
      case 'PrimitiveValueListNode':
        return mark({ ...node, values: codec.toDatabase(node.values) })
      case 'CaseNode':
        return { ...node, when: convert(node.when, codec), else: convert(node.else, codec) }
      case 'WhenNode':
        return { ...node, result: convert(node.result, codec) }
      default: {
        const hasValues = selectedBy(node)[0] || /(ValueList|Parens|And)Node/.test(node.kind)
        return hasValues ? (mapParts(node, (part) => convert(part, codec)) as T) : node
      }
    }
  }

  return (node: Node, scope: Scope) => convertTree(node, scope, 'the query')
}

const mapParts = (node: Node, map: (part: unknown) => unknown) =>
  Object.fromEntries(Object.entries(node).map(([key, part]) => [key, map(part)]))

/** Returns the name of a column for an error message. */
const nameOf = (node: Node | undefined): string => (node?.column?.column ?? node?.column)?.name ?? '…'

/** Returns the expression that contains a value, for an error message. */
function placeOf({ kind, leftOperand, operator, func }: Node): string | undefined {
  if (kind === 'RawNode') return 'a sql fragment'
  if (kind === 'BinaryOperationNode') return `${nameOf(leftOperand)} ${operator.operator ?? ''} …`
  return func && `${func}(…)`
}
