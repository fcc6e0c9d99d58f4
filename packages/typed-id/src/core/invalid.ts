import { describeShortForm, describeStandardForm } from './describe.ts'
import { TypedIdError, type TypedIdErrorCode } from './error.ts'
import { EXAMPLE_UUID, PREFIX_PATTERN, parsePrefix } from './grammar.ts'

/* The errors for invalid values, which several files create. */

/** Returns the code, or `not_a_string` if the value is not a string. */
export function codeOfString(code: TypedIdErrorCode, value: unknown): TypedIdErrorCode {
  return typeof value === 'string' ? code : 'not_a_string'
}

/**
 * Returns the error for a value that is not an id with `prefix` in the expected form. Where both forms are accepted,
 * the error is about the short form if the value contains its separator, `_`.
 */
export function invalidId(
  prefix: string,
  value: unknown,
  short = typeof value === 'string' && value.includes('_'),
): TypedIdError {
  // A value with the expected start is not of another type. Its match is skipped: 15 % of a failed `safeParse`.
  const hasStart = typeof value === 'string' && value.startsWith(prefix + (short ? '_' : '-'))
  const found = hasStart ? undefined : parsePrefix(value)
  if (found !== undefined && found !== prefix) return new TypedIdError('wrong_type', prefix, value, found)
  return new TypedIdError(
    codeOfString(short ? 'malformed_short' : 'malformed_standard', value),
    short ? describeShortForm(prefix) : describeStandardForm(prefix),
    value,
  )
}

export function invalidUuid(value: unknown): TypedIdError {
  return new TypedIdError(codeOfString('invalid_uuid', value), '<lowercase uuid>', value)
}

export function invalidBytes(value: unknown): TypedIdError {
  return new TypedIdError('invalid_bytes', 'Uint8Array(16)', value)
}

/** Returns the prefix if it is valid, and throws otherwise. */
export function checkPrefix<P>(prefix: P): P & string {
  if (typeof prefix === 'string' && parsePrefix(`${prefix}-${EXAMPLE_UUID}`) === prefix) return prefix
  throw new TypedIdError('invalid_prefix', PREFIX_PATTERN, prefix)
}
