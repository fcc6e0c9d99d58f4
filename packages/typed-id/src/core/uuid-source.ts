/** A function that returns a new lowercase UUID on each call. */
export type UuidSource = () => string

/** `skipClock` halves the time per id of `generateMany`. */
export type IdGenerator = (skipClock?: boolean) => string

/** A source of this library, such as `uuidv7`. Its ids need no validation. */
export interface TrustedSource extends UuidSource {
  '~generator'(start: string): IdGenerator
}

/**
 * The source that all id types use while a test replaces their own sources.
 * Reading this variable takes 2 of the 60 ns of a new id.
 */
export let replacement: UuidSource | undefined

export function setReplacement(source: UuidSource | undefined): void {
  replacement = source
}
