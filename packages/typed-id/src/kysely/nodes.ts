import type { OperationNode } from 'kysely'

/** A node of Kysely. Kysely's versions type nodes differently, so code tests for a property that a node may lack. */
// biome-ignore lint/suspicious/noExplicitAny: the properties depend on the kind.
export type Node = { readonly kind: OperationNode['kind'] } & Readonly<Record<string, any>>

export const isNode = (value: unknown): value is Node => typeof (value as Node | null)?.kind === 'string'
export const isQuery = ({ kind }: Node): boolean => kind.endsWith('QueryNode')

/** Returns whether a node compares whole ids, unlike operators such as `like`, which compare a part of an id. */
export const isComparison = ({ kind, operator }: Node): boolean =>
  kind === 'BinaryOperationNode' &&
  /^([<=>]+|!=|@>|<@|&&|(not )?in|is( not)?( distinct from)?|between( symmetric)?)$/.test(operator.operator)

/** Returns the arguments of a function whose result is one of the arguments, or an array of them, such as coalesce. */
export const selectedBy = ({ func, arguments: args, aggregated }: Node): readonly Node[] =>
  /^(coalesce|ifnull|nullif|greatest|least|min|max|any|some|all|array_agg|(any|first|last)_value)$/i.test(
    func,
  )
    ? (args ?? aggregated)
    : []

/** Returns the THEN and ELSE expressions of CASE. */
export const resultsOf = ({ when, else: otherwise }: Node): (Node | undefined)[] => [
  ...when.map(({ result }: Node) => result),
  otherwise,
]
