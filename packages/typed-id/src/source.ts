import { TypedIdError } from './error.ts'
import { isUuid } from './text.ts'

/** A function that returns a new UUID in canonical lowercase text each time it is called. */
export type UuidSource = () => string

/** Makes uuids behind a fixed start, such as `user-`. */
export interface Generator {
  next(): string
  many(count: number): string[]
  at(ms: number): string
}

/** Under this key a source of ours offers generators that work on its own sequence, without a check of each text. */
export const GENERATOR: unique symbol = Symbol('generator')

export interface TrustedSource extends UuidSource {
  [GENERATOR](start: string): Generator
}

export function generatorOf(source: UuidSource, start: string): Generator {
  return (source as Partial<TrustedSource>)[GENERATOR]?.(start) ?? strangerOf(source, start)
}

/** Any other source is a stranger: each text it returns is checked. */
function strangerOf(source: UuidSource, start: string): Generator {
  const next = () => start + checkUuid(source())
  return {
    next,
    many: (count) => Array.from({ length: count }, next),
    at(time) {
      throw new TypedIdError('invalid_time', 'none, as the uuid source of this type takes no time', time)
    },
  }
}

/** Returns a value that is a uuid, and throws for any other. */
export function checkUuid(value: unknown): string {
  if (typeof value === 'string' && isUuid(value, 0)) return value
  const code = typeof value === 'string' ? 'invalid_uuid' : 'not_a_string'
  throw new TypedIdError(code, '8-4-4-4-12 lowercase hexadecimal digits', value)
}
