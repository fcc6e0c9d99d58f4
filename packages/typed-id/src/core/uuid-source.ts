/** A function that returns a new lowercase UUID on each call. */
export type UuidSource = () => string

export type IdGenerator = (skipClock?: boolean) => string

export interface TrustedSource extends UuidSource {
  '~generator'(start: string): IdGenerator
}

/** The source that all id types use while a test replaces their own sources. */
export let replacement: UuidSource | undefined

export function setReplacement(source: UuidSource | undefined): void {
  replacement = source
}
