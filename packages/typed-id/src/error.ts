import { parsePrefix } from './text.ts'

/** Every `code` a `TypedIdError` can have. */
export const TYPED_ID_ERROR_CODES = [
  'not_a_string',
  'wrong_type',
  'malformed_standard',
  'malformed_short',
  'unknown_prefix',
  'invalid_prefix',
  'duplicate_prefix',
  'invalid_uuid',
  'invalid_bytes',
  'invalid_time',
  'invalid_count',
] as const

export type TypedIdErrorCode = (typeof TYPED_ID_ERROR_CODES)[number]

/**
 * The only error class that this library throws.
 *
 * `code` names the broken rule and `expected` describes a valid value. `received` is the prefix that was found for
 * `wrong_type` and `unknown_prefix`, and otherwise the invalid value, cut to 80 characters.
 *
 * @example
 * UserId.parse('team-0190163d-8694-739b-aea5-966c26f8ad91')
 * // TypedIdError: wrong type: expected user, received team in "team-0190163d-8694-739b-aea5-966c26f8ad91"
 */
export class TypedIdError extends Error {
  declare readonly code: TypedIdErrorCode
  declare readonly expected: string
  declare readonly received: string

  constructor(code: TypedIdErrorCode, expected: string, value: unknown, prefix?: string) {
    const quoted = quote(value)
    const received = prefix ? `${prefix} in ${quoted}` : quoted
    super(`${code.replaceAll('_', ' ')}: expected ${expected}, received ${received}`)
    this.code = code
    this.expected = expected
    this.received = prefix ?? quoted
  }

  // `name` is a getter on the prototype because V8 builds the first line of `stack` before instance fields are set.
  override get name(): string {
    return 'TypedIdError'
  }
}

/** Returns a short text for any value. For an object that is its type only: reading a property could throw. */
function quote(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(value.slice(0, 80)) + (value.length > 80 ? '…' : '')
  return typeof value === 'number' || value === null ? `${value}` : typeof value
}

/**
 * Throws the error for a value that is not an id with `prefix` in the expected form. Where both forms are accepted,
 * the error is about the short form if the value contains its separator, `_`.
 */
export function throwInvalidId(
  prefix: string,
  value: unknown,
  short = typeof value === 'string' && value.includes('_'),
): never {
  const found = parsePrefix(value)
  if (found && found !== prefix) throw new TypedIdError('wrong_type', prefix, value, found)
  throw new TypedIdError(
    typeof value === 'string' ? `malformed_${short ? 'short' : 'standard'}` : 'not_a_string',
    prefix + (short ? '_<26 base32 digits>' : '-<lowercase uuid>'),
    value,
  )
}

/** The result of `safeParse` and `safeParseAny`, in the shape that zod uses. */
export type SafeResult<T> =
  | { readonly success: true; readonly data: T; readonly error?: undefined }
  | { readonly success: false; readonly data?: undefined; readonly error: TypedIdError }

/**
 * A failed result whose error is the one that `parse` throws. The error is created on first access and without a
 * stack trace. Rejecting a value therefore costs one small object, not the 10 µs that V8 needs to walk the stack.
 */
export class Failure {
  readonly success = false
  #parse: ((value: unknown) => unknown) | undefined
  #value: unknown // replaced by the error on first access

  constructor(parse: (value: unknown) => unknown, value: unknown) {
    this.#parse = parse
    this.#value = value
  }

  get error(): TypedIdError {
    const limit = Error.stackTraceLimit
    Reflect.set(Error, 'stackTraceLimit', 0) // unlike an assignment, does not throw where Error is frozen
    try {
      this.#parse?.(this.#value)
    } catch (error) {
      this.#value = error
    }
    Reflect.set(Error, 'stackTraceLimit', limit)
    this.#parse = undefined
    return this.#value as TypedIdError
  }
}
