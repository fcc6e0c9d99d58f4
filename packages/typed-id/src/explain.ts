import { TypedIdError } from './error.ts'
import { prefixOf } from './prefix.ts'

/** Says why a value was refused where ids with `prefix` were expected. */
export type Explain = (prefix: string, value: unknown) => TypedIdError

export const explainStandard: Explain = (prefix, value) => explain(prefix, value)

export const explainShort: Explain = (prefix, value) => explain(prefix, value, true)

/** The separator tells which of the two forms was meant. */
export const explainAny: Explain = (prefix, value) =>
  explain(prefix, value, typeof value === 'string' && value.includes('_'))

/** For a registry, which has several prefixes. */
export const explainUnknown: Explain = (known, value) => {
  const found = prefixOf(value)
  return found ? new TypedIdError('unknown_prefix', known, value, found) : explainAny('<prefix>', value)
}

function explain(prefix: string, value: unknown, short?: boolean): TypedIdError {
  const found = prefixOf(value)
  if (found && found !== prefix) return new TypedIdError('wrong_type', prefix, value, found)
  const code = short ? 'malformed_short' : 'malformed_standard'
  const expected = short ? `${prefix}_<26 lowercase base32 digits>` : `${prefix}-<lowercase uuid>`
  return new TypedIdError(typeof value === 'string' ? code : 'not_a_string', expected, value)
}
