/**
 * A function that returns a new UUID in canonical lowercase text on each call.
 */
export type UuidSource = () => string

/**
 * Returns a fixed string, such as `user-`, followed by the next UUID. With
 * `skipClock` it does not read the clock again, which halves the time per id in
 * `generateMany`.
 */
export type IdGenerator = (skipClock?: boolean) => string

/**
 * A source of this library. Its generators continue the sequence of the source,
 * and their UUIDs need no validation.
 */
export interface TrustedSource extends UuidSource {
  '~generator'(start: string): IdGenerator
}

/**
 * The source that all id types use while a test replaces their own sources.
 * Reading it takes 2 of the 60 ns of a new id.
 */
export let replacement: UuidSource | undefined

/** `replaceUuids` in `typed-id/testing` calls it. */
export function setReplacement(source: UuidSource | undefined): void {
  replacement = source
}
