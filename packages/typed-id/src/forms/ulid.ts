import type { AnyIdType } from '../core/any-id.ts'
import {
  readSuffix,
  readUuid,
  writeSuffix,
  writeUuid,
} from '../core/conversions.ts'
import { TypedIdError } from '../core/error.ts'
import { codeOfString } from '../core/invalid.ts'

/**
 * Returns the id that has the 128 bits of a ULID in upper or lower case. Read
 * the time of the id by `ulidTime`, because the UUID of the id is not of
 * version 7.
 *
 * @throws TypedIdError `not_a_string`, or `malformed_short` for anything but 26
 * base32 digits of at most 128 bits.
 * @see https://github.com/ulid/spec
 * @example
 * fromUlid(UserId, '01J0B3V1MMEEDTX9CPDGKFHBCH') // 'user-0190163d-8694-739b-aea5-966c26f8ad91'
 */
export function fromUlid<T extends AnyIdType>(
  type: T,
  ulid: string,
): T['example'] {
  // `\w` rejects the Kelvin sign, which `toLowerCase` would make a k.
  if (
    typeof ulid !== 'string' ||
    !/^\w{26}$/.test(ulid) ||
    !readSuffix(ulid.toLowerCase(), '')
  )
    throw new TypedIdError(
      codeOfString('malformed_short', ulid),
      'a ULID of 26 base32 digits',
      ulid,
    )
  return type.fromUuid(writeUuid())
}

/**
 * Returns the ULID that has the 128 bits of an id, in upper case.
 *
 * @throws TypedIdError as `parse` does.
 * @example
 * toUlid(UserId, UserId.parse('user-0190163d-8694-739b-aea5-966c26f8ad91')) // '01J0B3V1MMEEDTX9CPDGKFHBCH'
 */
export function toUlid<T extends AnyIdType>(type: T, id: T['example']): string {
  readUuid(type.toUuid(id), '')
  return writeSuffix().toUpperCase()
}

/**
 * Returns the time in the first 48 bits of an id, as in a ULID.
 *
 * @throws TypedIdError as `parse` does.
 * @example
 * ulidTime(UserId, fromUlid(UserId, '01J0B3V1MMEEDTX9CPDGKFHBCH')).toISOString() // '2024-06-14T10:14:09.300Z'
 */
export function ulidTime<T extends AnyIdType>(type: T, id: T['example']): Date {
  return new Date(Number(`0x${type.toUuid(id).replace('-', '').slice(0, 12)}`))
}
