import { TypedIdError } from './error.ts'
import { isUuid } from './text.ts'

/** A function that returns a new UUID in canonical lowercase text each time it is called. */
export type UuidSource = () => string

/** Makes the next uuid behind a fixed start, such as `user-`; in a burst without another look at the clock. */
export type Generator = (burst?: boolean) => string

/** Under this key a source of ours offers generators that work on its own sequence, without a check of each text. */
export const GENERATOR: unique symbol = Symbol()

export interface TrustedSource extends UuidSource {
  [GENERATOR](start: string): Generator
}

/** Any other source is a stranger: each text it returns is checked. */
export function generatorOf(source: UuidSource, start: string): Generator {
  return (source as Partial<TrustedSource>)[GENERATOR]?.(start) ?? (() => start + checkUuid(source()))
}

/** Returns a value that is a uuid, and throws for any other. */
export function checkUuid(value: unknown): string {
  if (isUuid(value, '')) return value
  throw new TypedIdError(
    typeof value === 'string' ? 'invalid_uuid' : 'not_a_string',
    'a lowercase uuid',
    value,
  )
}
