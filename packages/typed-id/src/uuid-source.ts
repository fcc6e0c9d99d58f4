import { codeOfString, TypedIdError } from './error.ts'
import { isUuid } from './text.ts'

/** A function that returns a new UUID in canonical lowercase text on each call. */
export type UuidSource = () => string

/**
 * Returns the next UUID after a fixed text, such as `user-`. With `skipClock` it reuses the time of the previous call,
 * which halves the time per id in `generateMany`.
 */
export type Generator = (skipClock?: boolean) => string

/** A source of this library. Its generators use the sequence of the source, and their UUIDs are not validated again. */
export interface TrustedSource extends UuidSource {
  '~generator'(start: string): Generator
}

/** The source of all id types while a test has replaced their own. */
let replacement: UuidSource | undefined

/**
 * Makes all id types take their UUIDs from one source, whatever source they were defined with, or from their own sources
 * again if it is undefined. It is for tests: see `replaceUuids` in `typed-id/testing`.
 */
export function setUuidSource(source: UuidSource | undefined): void {
  replacement = source
}

/** Returns a generator for any source. Every UUID of a source that is not of this library is validated. */
export function createGenerator(source: UuidSource, start: string): Generator {
  const next =
    (source as Partial<TrustedSource>)['~generator']?.(start) ?? (() => start + checkUuid(source()))
  return (skipClock) => (replacement ? start + checkUuid(replacement()) : next(skipClock))
}

/** Returns the value if it is a uuid, and throws otherwise. */
export function checkUuid(value: unknown): string {
  if (isUuid(value, '')) return value
  throw new TypedIdError(codeOfString('invalid_uuid', value), '<lowercase uuid>', value)
}
