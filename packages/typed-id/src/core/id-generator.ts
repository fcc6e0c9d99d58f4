import { TypedIdError } from './error.ts'
import { codeOfString } from './invalid.ts'
import { isUuid } from './text.ts'
import { type IdGenerator, replacement, type TrustedSource, type UuidSource } from './uuid-source.ts'

/** Returns a generator for any source. Every UUID of a source that is not of this library is validated. */
export function createIdGenerator(source: UuidSource, start: string): IdGenerator {
  const next =
    (source as Partial<TrustedSource>)['~generator']?.(start) ?? (() => start + checkUuid(source()))
  return (skipClock) => (replacement ? start + checkUuid(replacement()) : next(skipClock))
}

/** Returns the value if it is a uuid, and throws otherwise. */
export function checkUuid(value: unknown): string {
  if (isUuid(value, '')) return value
  throw new TypedIdError(codeOfString('invalid_uuid', value), '<lowercase uuid>', value)
}
