import { describeShortForm, describeStandardForm } from './describe.ts'
import { TypedIdError, type TypedIdErrorCode } from './error.ts'
import { EXAMPLE_UUID, PREFIX_PATTERN, parsePrefix } from './grammar.ts'

/** Returns `code` for a string, and `not_a_string` for any other value. */
export function codeOfString(code: TypedIdErrorCode, value: unknown): TypedIdErrorCode {
  return typeof value === 'string' ? code : 'not_a_string'
}

/**
 * Returns the arguments of the error for a value that is not an id with `prefix` in the expected form. Where both forms are
 * accepted, the error is about the short form if the value contains its separator, `_`.
 *
 * The caller creates the error, because one more optimised function on the stack makes a failed `parse` 10 % slower.
 */
export function explainInvalid(
  prefix: string,
  value: unknown,
  short = typeof value === 'string' && value.includes('_'),
): ConstructorParameters<typeof TypedIdError> {
  // A value with the expected start has no other type. Skipping the match saves 15 % of a failed `safeParse`.
  const hasStart = typeof value === 'string' && value.startsWith(prefix + (short ? '_' : '-'))
  const found = hasStart ? undefined : parsePrefix(value)
  if (found !== undefined && found !== prefix) return ['wrong_type', prefix, value, found]
  return [
    codeOfString(short ? 'malformed_short' : 'malformed_standard', value),
    // If `found` is set here, the value is an id of the expected type in the other form.
    (short ? describeShortForm(prefix) : describeStandardForm(prefix)) +
      (found ? ' (or use parseEitherForm)' : ''),
    value,
  ]
}

/** Returns the prefix if it is valid, and throws otherwise. */
export function checkPrefix<P>(prefix: P): P & string {
  if (typeof prefix === 'string' && parsePrefix(`${prefix}-${EXAMPLE_UUID}`) === prefix) return prefix
  throw new TypedIdError('invalid_prefix', PREFIX_PATTERN, prefix)
}
