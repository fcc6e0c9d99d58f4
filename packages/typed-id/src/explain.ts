import { TypedIdError } from './error.ts'
import { prefixOfShort, prefixOfStandard } from './prefix.ts'

/** Says why a value was refused where ids with `prefix` were expected. */
export type Explain = (prefix: string, value: unknown) => TypedIdError

export const explainStandard: Explain = (prefix, value) => {
  const expected = `${prefix}-<lowercase uuid>`
  if (typeof value !== 'string') return new TypedIdError('not_a_string', expected, value)
  const received = prefixOfStandard(value)
  return received && received !== prefix
    ? new TypedIdError('wrong_type', prefix, value, received)
    : new TypedIdError('malformed_standard', expected, value)
}

export const explainShort: Explain = (prefix, value) => {
  const expected = `${prefix}_<26 lowercase base32 characters>`
  if (typeof value !== 'string') return new TypedIdError('not_a_string', expected, value)
  const received = prefixOfShort(value)
  return received && received !== prefix
    ? new TypedIdError('wrong_type', prefix, value, received)
    : new TypedIdError('malformed_short', expected, value)
}

/** The separator tells which of the two forms was meant. */
export const explainAny: Explain = (prefix, value) =>
  (typeof value === 'string' && value.includes('_') ? explainShort : explainStandard)(prefix, value)

/** For a registry, which knows several prefixes. */
export const explainUnknown: Explain = (known, value) => {
  const received = typeof value === 'string' && (prefixOfStandard(value) || prefixOfShort(value))
  return received ? new TypedIdError('unknown_prefix', known, value, received) : explainAny('<prefix>', value)
}

export function explainUuid(value: unknown): TypedIdError {
  const code = typeof value === 'string' ? 'invalid_uuid' : 'not_a_string'
  return new TypedIdError(code, '8-4-4-4-12 lowercase hexadecimal digits', value)
}
