import type { AnyIdType } from '../core/any-id.ts'
import { TypedIdError } from '../core/error.ts'
import { startOf } from '../core/grammar.ts'

/*
 * The short form of the Python package typed-uuid and of similar libraries:
 *
 *   <prefix>_<digits>   digits: the 128 bits as one number in base 62, most significant digit first, without leading
 *                       zeros: 1 to 22 characters of 0-9, A-Z, a-z
 *
 * The strings differ in length, so they do not sort as the ids do.
 */

/** A base 62 short id: `user_2aUyqjCzEIiEcYMKj7TZtw`. */
export type Base62Id<P extends string> = P extends ''
  ? string
  : `${P}_${string}`

const DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const SHAPE =
  /* @__PURE__ */ /^(?:(\w{1,63})_)?(0|[1-9A-Za-z][0-9A-Za-z]{0,21})$/

/**
 * Returns the base 62 short form of an id.
 *
 * @throws TypedIdError as `parse` does.
 * @see https://pypi.org/project/typed-uuid/
 * @example
 * toBase62(UserId, UserId.fromUuid('550e8400-e29b-41d4-a716-446655440000')) // 'user_2aUyqjCzEIiEcYMKj7TZtw'
 */
export function toBase62<T extends AnyIdType>(
  type: T,
  id: T['example'],
): Base62Id<T['prefix']> {
  let number = BigInt(`0x${type.toUuid(id).replaceAll('-', '')}`)
  let digits = ''
  do {
    digits = DIGITS.charAt(Number(number % 62n)) + digits
    number /= 62n
  } while (number)
  return (startOf(type.prefix) + digits) as Base62Id<T['prefix']>
}

/**
 * Returns the id for a base 62 short form.
 *
 * @throws TypedIdError `not_a_string`; `wrong_type`; `malformed_short` for an
 * invalid digit, a leading zero, or a number of more than 128 bits.
 * @example
 * fromBase62(UserId, 'user_2aUyqjCzEIiEcYMKj7TZtw') // 'user-550e8400-e29b-41d4-a716-446655440000'
 */
export function fromBase62<T extends AnyIdType>(
  type: T,
  text: string,
): T['example'] {
  const prefix: string = type.prefix
  const start = startOf(type.prefix)
  const expected = `${start && `"${start}" and `}1 to 22 letters and digits`
  if (typeof text !== 'string')
    throw new TypedIdError('not_a_string', expected, text)

  const [, received = '', digits] = SHAPE.exec(text) ?? []
  const hex = digits && numberOf(digits).toString(16).padStart(32, '0')
  if (hex?.length !== 32 || (!received && start))
    throw new TypedIdError('malformed_short', expected, text)
  if (received !== prefix)
    throw new TypedIdError('wrong_type', prefix || 'no prefix', text, received)
  return type.fromUuid(hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-'))
}

const numberOf = (digits: string): bigint =>
  [...digits].reduce(
    (number, digit) => number * 62n + BigInt(DIGITS.indexOf(digit)),
    0n,
  )
