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

/**
 * The only error this library throws on purpose.
 *
 * `code` says which rule was broken, `expected` what would have passed, and `received` what came instead: the
 * prefix that was found for `wrong_type` and `unknown_prefix`, else the value, of which 80 characters are shown.
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
    const shown = show(value)
    const received = prefix ? `${prefix} in ${shown}` : shown
    super(`${code.replaceAll('_', ' ')}: expected ${expected}, received ${received}`)
    this.code = code
    this.expected = expected
    this.received = prefix ?? shown
  }

  // On the prototype, since the first line of `stack` is written before any field is set.
  override get name(): string {
    return 'TypedIdError'
  }
}

/** A value as a short, harmless text: an object is never looked into, since its traps could throw. */
function show(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(value.slice(0, 80)) + (value.length > 80 ? '…' : '')
  return typeof value === 'number' || value === null ? `${value}` : typeof value
}
