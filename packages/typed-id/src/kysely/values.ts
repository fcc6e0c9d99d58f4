import type { IdStorage } from '../codec.ts'
import {
  type Codec,
  codecOf,
  enter,
  fail,
  hasListed,
  isComparison,
  isNode,
  isQuery,
  type Node,
  type Scope,
} from './tables.ts'

/**
 * Returns a function that copies a query with ids in the form that the database
 * stores. The function throws if the query contains an id that is neither
 * compared with an id column nor written to one.
 *
 * @param isId whether a value is an id that has to be converted
 */
export function createConverter(
  storage: IdStorage,
  isId: (value: unknown) => boolean,
) {
  // Nodes that are converted already: Kysely calls plugins again when a
  // converted query becomes part of another query.
  const converted = new WeakSet<Node>()
  const mark = <T extends Node>(node: T): T => {
    converted.add(node)
    return node
  }

  function convertTree<T>(value: T, outer: Scope, place: string): T {
    if (Array.isArray(value))
      return value.map((item) => convertTree(item, outer, place)) as T
    if (!isNode(value) || converted.has(value)) return value
    if (value.kind === 'ValueNode' || value.kind === 'PrimitiveValueListNode') {
      rejectIds(value.values ?? value.value, place)
      return value
    }
    const scope = isQuery(value) ? enter(value, outer) : outer
    const own = convertOwn(value, scope)
    const inner = placeOf(own) ?? place
    return mapParts(own, (part) => convertTree(part, scope, inner)) as T
  }

  function convertOwn(node: Node, scope: Scope): Node {
    switch (node.kind) {
      case 'BinaryOperationNode': {
        const { leftOperand: left, rightOperand: right } = node
        const [codec, other] = [codecOf(left, scope), codecOf(right, scope)]
        const compared = codec ?? other
        if (!isComparison(node) && compared?.prefix && storage !== 'text')
          fail(`${compared.column} for the operator ${node.operator.operator}`)
        return isComparison(node)
          ? {
              ...node,
              leftOperand: convert(left, other),
              rightOperand: convert(right, codec),
            }
          : node
      }
      case 'InsertQueryNode': {
        const { values, columns = [] } = node
        if (values?.kind === 'ValuesNode')
          return { ...node, values: convertRows(values, columns, scope) }
        if (values && hasListed(node, scope.tables)) fail('INSERT … SELECT')
        return node
      }
      case 'ColumnUpdateNode':
        return {
          ...node,
          value: convert(node.value, codecOf(node.column, scope)),
        }
      default:
        return node
    }
  }

  /**
   * Converts the rows of VALUES. A row is a list of nodes if one of its values
   * is an expression.
   */
  function convertRows(
    node: Node,
    columns: readonly Node[],
    scope: Scope,
  ): Node {
    const codecs = columns.map((column) => codecOf(column, scope))
    const values = node.values.map((row: Node) => ({
      ...row,
      values: row.values.map((value: unknown, i: number) => {
        const [codec, place] = [codecs[i], `column ${nameOf(columns[i])}`]
        if (isNode(value))
          return codec
            ? convert(value, codec)
            : convertTree(value, scope, place)
        return codec ? codec.toDatabase(value) : rejectIds(value, place)
      }),
    }))
    for (const row of values)
      if (row.kind === 'PrimitiveValueListNode') mark(row)
    return { ...node, values }
  }

  /**
   * Converts the values in an operand, but not the values of a function or of
   * another query.
   */
  function convert(node: Node, codec: Codec | undefined): Node {
    if (!codec || !isNode(node) || converted.has(node)) return node
    if (node.kind === 'ValueNode')
      return mark({ ...node, value: codec.toDatabase(node.value) })
    if (node.kind === 'PrimitiveValueListNode')
      return mark({ ...node, values: node.values.map(codec.toDatabase) })
    if (!/^(ValueList|Parens|And)Node$/.test(node.kind)) return node
    return mapParts(node, (part) =>
      Array.isArray(part)
        ? part.map((one) => convert(one, codec))
        : convert(part as Node, codec),
    ) as Node
  }

  function rejectIds<T>(value: T, place: string): T {
    if (Array.isArray(value)) for (const item of value) rejectIds(item, place)
    return isId(value) ? fail(`${value} in ${place}`) : value
  }

  return (node: Node, scope: Scope) => convertTree(node, scope, 'the query')
}

const mapParts = (node: Node, map: (part: unknown) => unknown) =>
  Object.fromEntries(
    Object.entries(node).map(([key, part]) => [key, map(part)]),
  )

const nameOf = (node: Node | undefined): string =>
  (node?.column?.column ?? node?.column)?.name ?? '…'

/** Returns the expression around a value as text, for an error message. */
function placeOf({
  kind,
  leftOperand,
  operator,
  func,
  column,
}: Node): string | undefined {
  if (kind === 'RawNode') return 'a sql fragment'
  if (kind === 'BinaryOperationNode')
    return `${nameOf(leftOperand)} ${operator.operator ?? ''} …`
  if (kind === 'ColumnUpdateNode') return `column ${nameOf(column)}`
  return func && `${func}(…)`
}
