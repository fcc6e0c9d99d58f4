import { TypedIdError } from './error.ts'
import { invalidUuid } from './invalid.ts'
import { isUuid } from './text.ts'
import { getReplacement, type IdGenerator, type TrustedSource, type UuidSource } from './uuid-source.ts'

/** Returns a generator for any source. Every UUID of a source that is not of this library is validated. */
export function createIdGenerator(source: UuidSource, start: string): IdGenerator {
  const next =
    (source as Partial<TrustedSource>)['~generator']?.(start) ?? (() => start + checkUuid(source()))
  return (skipClock) => {
    const replacement = getReplacement()
    return replacement ? start + checkUuid(replacement()) : next(skipClock)
  }
}

/** Returns `count` ids, and throws unless it is a whole number below 2^32. Reads the clock once. */
export function generateMany(next: IdGenerator, count: unknown): string[] {
  if (typeof count !== 'number' || count >>> 0 !== count)
    throw new TypedIdError('invalid_count', '0 to 2^32 - 1 ids', count)
  const ids: string[] = []
  while (ids.length < count) ids.push(next(ids.length > 0))
  return ids
}

/** Returns the value if it is a uuid, and throws otherwise. */
export function checkUuid(value: unknown): string {
  if (isUuid(value, '')) return value
  throw invalidUuid(value)
}
