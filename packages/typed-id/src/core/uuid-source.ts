/** A function that returns a new UUID in canonical lowercase text on each call. */
export type UuidSource = () => string

/**
 * Returns the next UUID after a fixed string, such as `user-`. With `skipClock` it reuses the time of the previous call,
 * which halves the time per id in `generateMany`.
 */
export type IdGenerator = (skipClock?: boolean) => string

/** A source of this library. Its generators use the sequence of the source, and their UUIDs are not validated again. */
export interface TrustedSource extends UuidSource {
  '~generator'(start: string): IdGenerator
}

/** The source of all id types while a test has replaced their own. */
export let replacement: UuidSource | undefined

/**
 * Makes all id types take their UUIDs from one source, whatever source they were defined with, or from their own sources
 * again if it is undefined. `replaceUuids` in `typed-id/testing` calls it.
 */
export function setReplacement(source: UuidSource | undefined): void {
  replacement = source
}
