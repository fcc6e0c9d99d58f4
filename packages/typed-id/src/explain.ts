import { TypedIdError } from './error.ts'
import { prefixOf } from './prefix.ts'

/**
 * Throws the reason why a value was refused where ids with `prefix` were expected, in the standard or in the short
 * form. Where both were, the separator tells which one was meant.
 */
export function refuse(
  prefix: string,
  value: unknown,
  short = typeof value === 'string' && value.includes('_'),
): never {
  const found = prefixOf(value)
  if (found && found !== prefix) throw new TypedIdError('wrong_type', prefix, value, found)
  throw new TypedIdError(
    typeof value === 'string' ? `malformed_${short ? 'short' : 'standard'}` : 'not_a_string',
    prefix + (short ? '_<26 base32 digits>' : '-<lowercase uuid>'),
    value,
  )
}
