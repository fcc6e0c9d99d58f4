/* Finds the id types that a schema of an OpenAPI document accepts, for the generators of clients. */
import {
  PREFIX_PATTERN,
  SUFFIX_PATTERN,
  UUID_PATTERN,
} from '../core/grammar.ts'

export interface IdSchema {
  readonly type?: unknown
  readonly nullable?: unknown
  readonly pattern?: unknown
  readonly 'x-typed-id'?: { readonly prefix: string }
  readonly 'x-typeid'?: { readonly prefix: string }
}

export interface ClientType {
  readonly name: 'TypedId' | 'ShortId'
  readonly prefix: string
}

const escapePattern = (text: string) => text.replace(/[[\]{}-]/g, '\\$&')
/**
 * Matches a `pattern` of `typed-id/zod` that accepts the standard form, alone
 * or before a second form.
 */
const STANDARD = /* @__PURE__ */ new RegExp(
  `^\\^(${PREFIX_PATTERN})-${escapePattern(UUID_PATTERN)}\\$(?:\\|\\^(?:(\\1_)${escapePattern(SUFFIX_PATTERN)}|${escapePattern(UUID_PATTERN).replaceAll('f', 'f(?:A\\-F)?')})\\$)?$`,
)
const SHORT = /* @__PURE__ */ new RegExp(
  `^\\^(?:(\\w{1,63})_)?${escapePattern(SUFFIX_PATTERN)}\\$$`,
)

/**
 * Returns the id types for a schema: two if the schema accepts both forms, none
 * if it is not the schema of an id. Bare UUIDs have no type, so a schema that
 * also accepts them has the type of the standard form. A schema without `x-`
 * keywords, such as one of a short id whose prefix has digits, is identified by
 * its pattern.
 */
export function typesOf({
  pattern,
  'x-typed-id': standard,
  'x-typeid': short,
}: IdSchema): ClientType[] {
  const source = typeof pattern === 'string' ? pattern : ''
  const [, found, wide] = STANDARD.exec(source) ?? []
  const prefix = standard ? prefixOf('x-typed-id', standard) : found
  if (prefix) {
    const type: ClientType = { name: 'TypedId', prefix }
    return wide ? [type, { name: 'ShortId', prefix }] : [type]
  }
  const match = SHORT.exec(source)
  if (short) return [{ name: 'ShortId', prefix: prefixOf('x-typeid', short) }]
  return match ? [{ name: 'ShortId', prefix: match[1] ?? '' }] : []
}

/**
 * Returns the prefix in a schema. Throws if it is invalid, because generators
 * write it into code.
 */
function prefixOf(
  key: string,
  { prefix }: { readonly prefix: string },
): string {
  if (typeof prefix === 'string' && /^\w{0,63}$/.test(prefix)) return prefix
  throw new Error(
    `typed-id/openapi: expected the prefix of an id in ${key}, received ${JSON.stringify(prefix)}`,
  )
}

export function sourceOf(types: ClientType[]): string {
  const source = types
    .map(({ name, prefix }) => `import('typed-id').${name}<'${prefix}'>`)
    .join(' | ')
  return types.length > 1 ? `(${source})` : source
}

/**
 * Whether a schema accepts null: OpenAPI 3.1 has a list of types, 3.0 has
 * `nullable`.
 */
export const isNullable = ({ type, nullable }: IdSchema) =>
  nullable === true || (Array.isArray(type) && type.includes('null'))
