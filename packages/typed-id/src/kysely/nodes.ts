import {
  AliasNode,
  type BinaryOperationNode,
  ColumnNode,
  type FunctionNode,
  IdentifierNode,
  type OperationNode,
  OperatorNode,
  ReferenceNode,
} from 'kysely'

const COMPARISONS =
  '=,==,!=,<>,<,<=,>,>=,<=>,in,not in,is,is not,is distinct from,is not distinct from,between,between symmetric'.split(
    ',',
  )

export const operatorOf = ({ operator }: BinaryOperationNode): string =>
  OperatorNode.is(operator) ? operator.operator : ''

export const isComparison = (node: BinaryOperationNode): boolean =>
  COMPARISONS.includes(operatorOf(node))

/** Replaces `FunctionNode.is`, absent from Kysely before 0.27.6. */
export const isFunction = (node: OperationNode): node is FunctionNode =>
  node.kind === 'FunctionNode'

export function nameOf(node: OperationNode): string {
  if (ReferenceNode.is(node)) return nameOf(node.column)
  if (ColumnNode.is(node)) return node.column.name
  return AliasNode.is(node) && IdentifierNode.is(node.alias)
    ? node.alias.name
    : '…'
}
