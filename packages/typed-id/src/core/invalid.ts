import { TypedIdError, type TypedIdErrorCode } from './error.ts'
import { EXAMPLE_UUID, parsePrefix } from './grammar.ts'

export function codeOfString(
  code: TypedIdErrorCode,
  value: unknown,
): TypedIdErrorCode {
  return typeof value === 'string' ? code : 'not_a_string'
}

export function describeForm(start: string, short?: boolean): string {
  return `"${start}" and ${short ? '26 lowercase characters' : 'a lowercase UUID'}`
}

const hasShortSeparator = (value: unknown): boolean =>
  typeof value === 'string' && value.includes('_')

/**
 * Returns the arguments of an error, because an error created here would
 * capture one more function on the stack, and make a failed `parse` 10 %
 * slower.
 */
export function explainInvalid(
  prefix: string,
  value: unknown,
  short = hasShortSeparator(value),
): ConstructorParameters<typeof TypedIdError> {
  const start = prefix + (short ? '_' : '-')
  const expected = describeForm(start, short)
  if (typeof value !== 'string') return ['not_a_string', expected, value]
  // A value with the expected start is not an id of another type. Skipping
  // `parsePrefix` saves 15 % of a failed `safeParse`.
  const other = value.startsWith(start) ? '' : parsePrefix(value)
  if (other && other !== prefix) {
    const differsInCase = other.toLowerCase() === prefix.toLowerCase()
    return [
      'wrong_type',
      prefix,
      value,
      other,
      differsInCase ? 'wrong letter case' : undefined,
    ]
  }
  const digits = value.length - start.length - 4
  return [
    short ? 'malformed_short' : 'malformed_standard',
    expected,
    value,
    other === '' &&
    digits !== 32 &&
    /^([\da-f]*-){4}[\da-f]*$/i.test(value.slice(start.length))
      ? `${digits} of 32 digits`
      : '',
    // `other` is set here only if the value is a valid id in the wrong form,
    // such as a short id where a standard id is expected.
    `${other ? `${short ? 'standard' : 'short'} form of` : 'not'} a valid ${prefix} id`,
  ]
}

export function invalidId(
  value: unknown,
  short = hasShortSeparator(value),
): TypedIdError {
  const code = codeOfString(
    short ? 'malformed_short' : 'malformed_standard',
    value,
  )
  const form = describeForm('', short).replace(
    '""',
    `a prefix, "${short ? '_' : '-'}"`,
  )
  return new TypedIdError(
    code,
    form,
    value,
    '',
    typeof value === 'string' ? 'not a valid id' : undefined,
  )
}

export function checkPrefix<P>(prefix: P): P & string {
  if (
    typeof prefix === 'string' &&
    parsePrefix(`${prefix}-${EXAMPLE_UUID}`) === prefix
  )
    return prefix
  throw new TypedIdError('invalid_prefix', '1 to 63 letters and digits', prefix)
}
