/** Every `code` a `TypedIdError` can carry. */
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

/** One sentence a code; `expected` and `received` are the error's own fields, `value` is what was given. */
const MESSAGES: Record<TypedIdErrorCode, (expected: string, received: string, value: string) => string> = {
  not_a_string: (expected, _, value) => `Expected ${expected}, received ${value}`,
  wrong_type: (expected, received, value) => `Expected type ${expected}, received type ${received}: ${value}`,
  malformed_standard: (expected, _, value) => `Expected ${expected}, received ${value}`,
  malformed_short: (expected, _, value) => `Expected ${expected}, received ${value}`,
  unknown_prefix: (expected, _, value) => `Expected prefix ${expected}, received ${value}`,
  invalid_prefix: (expected, _, value) => `Invalid prefix ${value}, expected ${expected}`,
  duplicate_prefix: (expected, _, value) => `Duplicate prefix ${value}, expected ${expected}`,
  invalid_uuid: (expected, _, value) => `Invalid uuid ${value}, expected ${expected}`,
  invalid_bytes: (expected, _, value) => `Invalid bytes: expected ${expected}, received ${value}`,
  invalid_time: (expected, _, value) => `Invalid time ${value}, expected ${expected}`,
  invalid_count: (expected, _, value) => `Invalid count ${value}, expected ${expected}`,
}

/**
 * The only error this library throws on purpose.
 *
 * `code` says which rule was broken. `expected` is what would have passed and `received` what came instead:
 * for `wrong_type`, `unknown_prefix` and `duplicate_prefix` these are prefixes, else short texts.
 * The message shows at most 80 characters of the value.
 *
 * @example
 * UserId.parse('team-0190163d-8694-739b-aea5-966c26f8ad91')
 * // TypedIdError: Expected type user, received type team: "team-0190163d-8694-739b-aea5-966c26f8ad91"
 */
export class TypedIdError extends Error {
  readonly code: TypedIdErrorCode
  readonly expected: string
  readonly received: string

  constructor(code: TypedIdErrorCode, expected: string, value: unknown, received: string = show(value)) {
    super(MESSAGES[code](expected, received, show(value)))
    this.code = code
    this.expected = expected
    this.received = received
  }

  // On the prototype, since the first line of `stack` is written before any field is set.
  override get name(): string {
    return 'TypedIdError'
  }
}

/** A value as a short, harmless text: an object is never looked into, since its traps could throw. */
function show(value: unknown): string {
  if (typeof value === 'string') {
    return value.length > 80
      ? `${JSON.stringify(value.slice(0, 80))}… (${value.length} characters)`
      : JSON.stringify(value)
  }
  if (value === null || value === undefined || typeof value === 'number' || typeof value === 'boolean') {
    return String(value)
  }
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`
}
