/* What a generator of clients has to know of the schema of an id: which types of ids it accepts. */
import { PREFIX_PATTERN, SUFFIX_PATTERN, UUID_PATTERN } from '../core/grammar.ts'

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
/** Matches the source of each pattern of `typed-id/zod`. A wide pattern starts with the standard form. */
const STANDARD = /* @__PURE__ */ new RegExp(
  `^\\^(${PREFIX_PATTERN})-${escapePattern(UUID_PATTERN)}\\$(?:\\|\\^(?:(\\1_)${escapePattern(SUFFIX_PATTERN)}|${escapePattern(UUID_PATTERN)})\\$)?$`,
)
const SHORT = /* @__PURE__ */ new RegExp(`^\\^(?:(\\w{1,63})_)?${escapePattern(SUFFIX_PATTERN)}\\$$`)

/**
 * Returns the type that a client has for a schema: two types for a schema that accepts both forms, none if it is not the
 * schema of an id. Bare UUIDs have no type, so a schema that also accepts them has that of the standard form. The
 * pattern identifies an id without keys, such as a short id whose prefix no TypeID has.
 */
export function typesOf({ pattern, 'x-typed-id': standard, 'x-typeid': short }: IdSchema): ClientType[] {
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

/** The prefix becomes code of the client. */
function prefixOf(key: string, { prefix }: { readonly prefix: string }): string {
  if (typeof prefix === 'string' && /^\w{0,63}$/.test(prefix)) return prefix
  throw new Error(
    `typed-id/openapi: expected the prefix of an id in ${key}, received ${JSON.stringify(prefix)}`,
  )
}

export function sourceOf(types: ClientType[]): string {
  const source = types.map(({ name, prefix }) => `import('typed-id').${name}<'${prefix}'>`).join(' | ')
  return types.length > 1 ? `(${source})` : source
}

/** Whether null is valid, in OpenAPI 3.1 or by `nullable` of 3.0. */
export const isNullable = ({ type, nullable }: IdSchema) =>
  nullable === true || (Array.isArray(type) && type.includes('null'))
