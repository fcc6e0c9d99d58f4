import { defineId, type TypedId, TypedIdError } from '../index.ts'

/*
 * The grammar of TypeID 0.3 (https://github.com/jetify-com/typeid/tree/main/spec):
 *
 *   typeid   <prefix>_<suffix>, or <suffix> alone if the prefix is empty
 *   prefix   0 to 63 lowercase letters and underscores, of which the first and the last are letters
 *   suffix   128 bits as 26 lowercase Crockford base32 digits, the first 0 to 7
 *
 * A suffix contains no underscore, so the last underscore ends the prefix.
 *
 * The suffix is that of the short form of the core, which also converts it: as an id of the type `Carrier`.
 */

/** An id type that no user sees. */
export const Carrier = /* @__PURE__ */ defineId('id')
type CarrierId = TypedId<'id'>

export const PREFIX_RULE = '0 to 63 letters a-z and underscores, the first and the last a letter'
export const SUFFIX_RULE = '<26 base32 digits>'

const PREFIX = /^(?:[a-z](?:[a-z_]{0,61}[a-z])?)?$/
/** The source of the regular expression for a suffix: that of `^id_<suffix>$` without its start and its end. */
export const SUFFIX_PATTERN = /* @__PURE__ */ Carrier.shortPattern.slice('^id_'.length, -1)
const SUFFIX = /* @__PURE__ */ new RegExp(`^${SUFFIX_PATTERN}$`)

/** Returns the prefix if it is valid, and throws otherwise. */
export function checkPrefix<P>(prefix: P): P {
  if (typeof prefix === 'string' && PREFIX.test(prefix)) return prefix
  throw new TypedIdError('invalid_prefix', PREFIX_RULE, prefix)
}

/** Returns the text before the suffix of a TypeID. */
export function startOf(prefix: string): string {
  return prefix && `${prefix}_`
}

/** Returns the prefix and the suffix of a TypeID, or undefined for any other value. */
export function split(value: unknown): { prefix: string; suffix: string } | undefined {
  if (typeof value !== 'string') return undefined
  const at = value.lastIndexOf('_')
  const prefix = value.slice(0, Math.max(at, 0))
  const suffix = value.slice(at + 1)
  return at !== 0 && PREFIX.test(prefix) && isSuffix(suffix) ? { prefix, suffix } : undefined
}

export function isSuffix(text: unknown): text is string {
  return typeof text === 'string' && SUFFIX.test(text)
}

/** Returns the id of the core for a valid suffix. */
export function suffixToCarrier(suffix: string): CarrierId {
  return Carrier.fromShort(`id_${suffix}`)
}

/** Returns the suffix for an id of the core. */
export function carrierToSuffix(id: CarrierId): string {
  return Carrier.toShort(id).slice('id_'.length)
}

/** Returns the error for a value that is not a TypeID with the expected prefix. */
export function invalidTypeId(prefix: string, value: unknown): TypedIdError {
  const found = split(value)?.prefix
  if (found !== undefined)
    return new TypedIdError('wrong_type', prefix || 'no prefix', value, found || 'no prefix')
  const code = typeof value === 'string' ? 'malformed_short' : 'not_a_string'
  return new TypedIdError(code, startOf(prefix) + SUFFIX_RULE, value)
}
