import type { AnyIdType } from '../core/any-id.ts'
import {
  readSuffix,
  readUuid,
  writeSuffix,
  writeUuid,
} from '../core/conversions.ts'
import { TypedIdError } from '../core/error.ts'
import { SUFFIX_PATTERN } from '../core/grammar.ts'
import { codeOfString } from '../core/invalid.ts'

// Created when first used, because bundlers keep a regular expression whose
// source is a template string, even in programs that do not use it.
let matcher: RegExp | undefined

/**
 * Returns the id that has the 128 bits of a ULID in upper or lower case. Read
 * the time by `ulidTime`, because `timestamp` requires a UUID of version 7.
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
  matcher ??= new RegExp(`^${SUFFIX_PATTERN}$`, 'i')
  if (typeof ulid !== 'string' || !matcher.test(ulid))
    throw new TypedIdError(
      codeOfString('malformed_short', ulid),
      'a ULID of 26 base32 digits',
      ulid,
    )
  // `readSuffix` writes the 128 bits to `words`, which `writeUuid` reads.
  readSuffix(ulid.toLowerCase(), '')
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
 * Returns the time in the first 48 bits of an id, which a ULID and a version 7
 * UUID have in common.
 *
 * @throws TypedIdError as `parse` does.
 * @example
 * ulidTime(UserId, fromUlid(UserId, '01J0B3V1MMEEDTX9CPDGKFHBCH')).toISOString() // '2024-06-14T10:14:09.300Z'
 */
export function ulidTime<T extends AnyIdType>(type: T, id: T['example']): Date {
  return new Date(Number(`0x${type.toUuid(id).replace('-', '').slice(0, 12)}`))
}
