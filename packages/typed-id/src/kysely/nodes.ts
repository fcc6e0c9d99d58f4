import type * as Kysely from 'kysely'

type NodeFactories = Pick<
  typeof Kysely,
  Extract<keyof typeof Kysely, `${string}Node`>
>
type NodeOf<Factory> = Factory extends {
  is(node: Kysely.OperationNode): node is infer N extends Kysely.OperationNode
}
  ? N
  : never

/**
 * Every node type of Kysely, derived from the types of its node factories. The
 * factories are not imported, because the oldest supported Kysely lacks some.
 */
export type KnownNode = NodeOf<NodeFactories[keyof NodeFactories]>

export type Query = Extract<KnownNode, { kind: `${string}QueryNode` }>

export const known = (node: Kysely.OperationNode) => node as KnownNode

export const isQuery = (node: Kysely.OperationNode): node is Query =>
  node.kind.endsWith('QueryNode')

export const partsOf = (node: Kysely.OperationNode): Kysely.OperationNode[] =>
  Object.values(node)
    .flat()
    .filter((part) => typeof part?.kind === 'string')

const COMPARISONS = new Set(
  '=,==,!=,<>,<,<=,>,>=,<=>,in,not in,is,is not,is distinct from,is not distinct from,between,between symmetric'.split(
    ',',
  ),
)

export const operatorOf = ({ operator }: Kysely.BinaryOperationNode): string =>
  'operator' in operator ? `${operator.operator}` : ''

/**
 * Returns whether an operator compares whole ids, unlike `like`, which may
 * compare a part of an id.
 */
export const isComparison = (node: Kysely.BinaryOperationNode): boolean =>
  COMPARISONS.has(operatorOf(node))

export function nameOf(node: Kysely.OperationNode): string {
  const named = known(node)
  if (named.kind === 'ReferenceNode') return nameOf(named.column)
  if (named.kind === 'ColumnNode') return named.column.name
  const alias = named.kind === 'AliasNode' && known(named.alias)
  return alias && alias.kind === 'IdentifierNode' ? alias.name : '…'
}

export function isValue(node: Kysely.OperationNode): boolean {
  const value = known(node)
  return value.kind === 'AliasNode'
    ? isValue(value.node)
    : value.kind === 'ValueNode'
}
