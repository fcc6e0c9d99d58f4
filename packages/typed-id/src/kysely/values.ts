import type {
  AndNode,
  BinaryOperationNode,
  ColumnUpdateNode,
  InsertQueryNode,
  OperationNode,
  OperatorNode,
  ParensNode,
  PrimitiveValueListNode,
  ValueListNode,
  ValueNode,
  ValuesNode,
} from 'kysely'
import { type Codec, codecOf, enter, isQuery, type Scope } from './scope.ts'

/** The operators that compare whole ids. Other operators, such as `like`, compare with a part of an id. */
const COMPARISONS = /^(=|==|!=|<>|<=>|<|<=|>|>=|(not )?in|is( not)?( distinct from)?|between( symmetric)?)$/

/**
 * Returns a copy of the node in which ids that are compared with an id column or written to one have the form that the
 * database stores. Does not use Kysely's OperationNodeTransformer, whose methods differ between 0.27 and 0.29.
 */
export function convertValues<T>(node: T, outer: Scope): T {
  if (Array.isArray(node)) return node.map((item) => convertValues(item, outer)) as T
  if (!isNode(node) || node.kind === 'ValueNode' || node.kind === 'PrimitiveValueListNode') return node
  const scope = isQuery(node) ? enter(node, outer) : outer
  const children = Object.entries(convertOwn(node, scope)).map(([key, child]) => [
    key,
    convertValues(child, scope),
  ])
  return Object.fromEntries(children)
}

const isNode = (value: unknown): value is OperationNode =>
  typeof value === 'object' && value !== null && typeof (value as OperationNode).kind === 'string'

/** Converts the values of a comparison, an assignment or an INSERT, but not those of nested queries. */
function convertOwn(node: OperationNode, scope: Scope): OperationNode {
  switch (node.kind) {
    case 'BinaryOperationNode': {
      const { leftOperand: left, operator, rightOperand: right } = node as BinaryOperationNode
      if (!COMPARISONS.test((operator as OperatorNode).operator)) return node
      const rightOperand = convert(right, codecOf(left, scope))
      return { ...node, leftOperand: convert(left, codecOf(right, scope)), rightOperand } as OperationNode
    }
    case 'InsertQueryNode': {
      const { columns, values } = node as InsertQueryNode
      const codecs = columns?.map((column) => codecOf(column, scope)) ?? []
      return { ...node, values: values && convertRows(values, codecs) } as OperationNode
    }
    case 'ColumnUpdateNode': {
      const { column, value } = node as ColumnUpdateNode
      return { ...node, value: convert(value, codecOf(column, scope)) } as OperationNode
    }
    default:
      return node
  }
}

/** Converts each row of VALUES by the columns of the INSERT. */
function convertRows(values: OperationNode, codecs: readonly (Codec | undefined)[]): OperationNode {
  if (values.kind !== 'ValuesNode') return values
  const rows = (values as ValuesNode).values.map((row) => {
    if (row.kind === 'PrimitiveValueListNode')
      return { ...row, values: row.values.map((value, i) => toDatabase(value, codecs[i])) }
    return { ...row, values: row.values.map((value, i) => convert(value, codecs[i])) }
  })
  return { ...values, values: rows } as OperationNode
}

/** Converts a value, the values of a list, and both bounds of BETWEEN. Leaves expressions unchanged. */
function convert(node: OperationNode, codec: Codec | undefined): OperationNode {
  switch (codec && node.kind) {
    case 'ValueNode':
      return { ...node, value: toDatabase((node as ValueNode).value, codec) } as OperationNode
    case 'PrimitiveValueListNode': {
      const values = (node as PrimitiveValueListNode).values.map((value) => toDatabase(value, codec))
      return { ...node, values } as OperationNode
    }
    case 'ValueListNode': {
      const values = (node as ValueListNode).values.map((value) => convert(value, codec))
      return { ...node, values } as OperationNode
    }
    case 'ParensNode':
      return { ...node, node: convert((node as ParensNode).node, codec) } as OperationNode
    case 'AndNode': {
      const { left, right } = node as AndNode
      return { ...node, left: convert(left, codec), right: convert(right, codec) } as OperationNode
    }
    default:
      return node
  }
}

/** Casts, because the compiler checks values against the types of the tables. `toDatabase` throws if one is not an id. */
const toDatabase = (value: unknown, codec: Codec | undefined): unknown =>
  codec ? codec.toDatabase(value as never) : value
