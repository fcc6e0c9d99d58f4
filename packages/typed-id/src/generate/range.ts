import type { AnyIdType } from '../core/any-id.ts'
import { FIRST_OF_MILLISECOND, LAST_OF_MILLISECOND } from '../core/grammar.ts'
import { uuidv7At } from './random-uuid.ts'

/**
 * Returns the smallest version 7 id of a type in a millisecond, the inclusive
 * lower bound of a time range on the primary key. Do not use the id for a new
 * record: its random bits are zero.
 *
 * @throws TypedIdError `invalid_time` for anything but 0 to 2^48 - 1 ms.
 * @example
 * firstIdAt(UserId, new Date('2024-06-14T00:00:00Z')) // 'user-0190140b-4000-7000-8000-000000000000'
 */
export function firstIdAt<T extends AnyIdType>(
  type: T,
  time: Date | number,
): T['example'] {
  return type.fromUuid(uuidv7At(time).slice(0, 14) + FIRST_OF_MILLISECOND)
}

/**
 * Returns the greatest version 7 id of a type and a millisecond.
 *
 * @throws TypedIdError `invalid_time` for anything but 0 to 2^48 - 1 ms.
 * @example
 * lastIdAt(UserId, new Date('2024-06-14T00:00:00Z')) // 'user-0190140b-4000-7fff-bfff-ffffffffffff'
 */
export function lastIdAt<T extends AnyIdType>(
  type: T,
  time: Date | number,
): T['example'] {
  return type.fromUuid(uuidv7At(time).slice(0, 14) + LAST_OF_MILLISECOND)
}
