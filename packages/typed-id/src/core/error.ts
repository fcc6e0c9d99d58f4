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
  'missing_crypto',
] as const

export type TypedIdErrorCode = (typeof TYPED_ID_ERROR_CODES)[number]

/**
 * The error for an invalid id.
 *
 * `expected` describes a valid value. `received` is the invalid value, cut to
 * 80 characters, or the prefix of the id if the code is `wrong_type` or
 * `unknown_prefix`. `reason` is the message without the value, for responses
 * and logs that must not contain it.
 *
 * @example
 * UserId.parse('team-0190163d-8694-739b-aea5-966c26f8ad91')
 * // TypedIdError: wrong type: expected user, received team in "team-0190163d-8694-739b-aea5-966c26f8ad91"
 */
export class TypedIdError extends Error {
  override message = ''
  declare readonly code: TypedIdErrorCode
  declare readonly expected: string
  declare readonly received: string
  declare reason: string

  /**
   * `found` describes what is wrong with the value, such as `31 of 32 digits`.
   * The message starts with `title`.
   */
  constructor(
    code: TypedIdErrorCode,
    expected: string,
    value?: unknown,
    found = '',
    title: string = code.replaceAll('_', ' '),
  ) {
    super()
    const quoted = quote(value)
    this.code = code
    this.expected = expected
    this.received = found || quoted
    this.reason = `${title}: expected ${expected}${found && ', received '}${found}`
    this.message = this.reason + (found ? ' in ' : ', received ') + quoted
  }

  // A getter, because Node.js would print an own property with every error, and
  // an assignment to `TypedIdError.prototype.name` would keep the class in
  // every bundle.
  override get name(): string {
    return 'TypedIdError'
  }

  override set name(value: string) {
    Object.defineProperty(this, 'name', {
      value,
      enumerable: true,
      writable: true,
      configurable: true,
    })
  }
}

/**
 * Returns whether a value is a TypedIdError. Unlike `instanceof`, also accepts
 * errors of a second copy of this package, which a program loads if it uses
 * both `import` and `require`.
 *
 * @example
 * isTypedIdError(UserId.safeParse('junk').error) // true
 */
export function isTypedIdError(value: unknown): value is TypedIdError {
  try {
    const { code, expected, received } = value as TypedIdError
    return (
      Object.prototype.toString.call(value) === '[object Error]' &&
      TYPED_ID_ERROR_CODES.includes(code) &&
      typeof expected === 'string' &&
      typeof received === 'string'
    )
  } catch {
    return false
  }
}

/**
 * For an object, returns only the word `object`, because reading a property
 * could throw. In a string, escapes characters that could control a terminal or
 * be invisible.
 */
function quote(value: unknown): string {
  if (typeof value !== 'string')
    return typeof value === 'number' || value === null
      ? `${value}`
      : typeof value
  if (value.length > 80) return `${quote(value.slice(0, 80))}…`
  return `"${value.replace(/[^ !#-[\]-~]/g, (unit) => `\\u{${unit.charCodeAt(0).toString(16)}}`)}"`
}

/** The result of `safeParse`, in the shape that zod uses. */
export type SafeResult<T> =
  | { readonly success: true; readonly data: T; readonly error?: undefined }
  | {
      readonly success: false
      readonly data?: undefined
      readonly error: TypedIdError
    }

type Failure = SafeResult<never> & { readonly success: false }

/**
 * Creates the error without a stack trace, so that a failed `safeParse` takes
 * 0.32 µs instead of 4 µs.
 */
export function createFailure(createError: () => TypedIdError): Failure {
  const limit = (Error as V8Error).stackTraceLimit
  try {
    setStackTraceLimit(undefined)
    return { success: false, error: createError() }
  } finally {
    setStackTraceLimit(limit)
  }
}

type V8Error = { stackTraceLimit?: number | undefined }

/**
 * `undefined` turns off stack traces, as 0 does, but V8 then creates an error
 * 0.15 µs faster than with 0.
 */
function setStackTraceLimit(limit: number | undefined): void {
  try {
    ;(Error as V8Error).stackTraceLimit = limit
  } catch {} // `Error` is frozen, so the trace stays
}
