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

export const partsOf = (node: Node): Node[] =>
  Object.values(node).flat().filter(isNode)

export function fail(place: string): never {
  throw new TypeError(
    `idPlugin: cannot convert ${place}: list the column, or use idCodec`,
  )
}
