// biome-ignore-all lint/style/noNonNullAssertion: every index of `words` is below 8

import { type AnyIdType, hasTwoForms } from './core/any-id.ts'
import { readUuid, words, writeUuid } from './core/conversions.ts'
import { TypedIdError } from './core/error.ts'
import {
  createSipState,
  high,
  low,
  type SipState,
  sipHash,
} from './opaque/siphash.ts'

/*
 * A stored id has a version 7 UUID: 48 bits of time, 26 bits of a counter, 48
 * random bits. An opaque id has a version 4 UUID, which also has room for these
 * 122 bits. `hash` is SipHash-2-4. `xor` uses the lowest bits of the hash.
 *
 * A key changes the time. A key without a number changes nothing else, for
 * compatibility with UUIDv47 (github.com/stateless-me/uuidv47):
 *
 *   time' = time xor hash(counter, random)
 *
 * A key with a number, such as 2 in `2:0011…`, also hides the counter, because
 * successive counters reveal ids of the same millisecond. The number replaces
 * the first 4 bits of time', which are zero in `time` before the year 2527:
 *
 *   counter' = counter xor hash(time', random)
 *
 * SipHash also hashes the length of its input, here 10 or 12 bytes, so the two
 * hashes never have the same input.
 */

/** The conversions between stored and opaque ids. */
export interface OpaqueIds<T extends AnyIdType> {
  readonly type: T
  /**
   * Returns the opaque id for a stored id: a version 4 UUID, masked with the
   * first key.
   * @throws TypedIdError as `parse` does; `invalid_uuid` if the UUID is not of
   * version 7, or, for a key such as `1:0011…`, if its time is after 2526.
   */
  toOpaque(this: void, id: T['example']): T['example']
  /**
   * Returns the stored id for an opaque id of any key of the ring.
   * @throws TypedIdError as `parse` does; `invalid_uuid` if the UUID is not of
   * version 4, or if its first digit is not the number of a key of the ring.
   */
  fromOpaque(this: void, value: unknown): T['example']
}

export interface OpaqueOptions {
  /**
   * The key ring: the current key, and previous ones whose ids are still
   * accepted. A key is 16 random bytes in hexadecimal or base64, after a
   * hexadecimal digit and a colon: `1:00112233445566778899aabbccddeeff`. The
   * opaque UUIDs begin with this digit. A ring of one key may omit the digit
   * and the colon, as UUIDv47 does.
   */
  keys: readonly string[]
}

/**
 * Returns the conversions between version 7 ids for the database and opaque ids
 * for clients, which do not reveal the creation time. An opaque id is not a
 * secret and grants no permission.
 *
 * @throws TypeError for an invalid key or key ring. Messages contain no part of
 * a key.
 * @see https://github.com/stateless-me/uuidv47
 * @example
 * const userIds = opaqueIds(UserId, { keys: ['1:0f1e2d3c4b5a69788796a5b4c3d2e1f0'] })
 * userIds.toOpaque(UserId.example) // 'user-12439b5b-8d21-41df-8dbd-966c26f8ad91'
 * userIds.fromOpaque('user-12439b5b-8d21-41df-8dbd-966c26f8ad91') // UserId.example
 */
export function opaqueIds<T extends AnyIdType>(
  type: T,
  { keys }: OpaqueOptions,
): OpaqueIds<T> {
  const ring = parseKeys(keys)
  const [[number, current]] = ring as unknown as [[number, SipState]]

  // For a standard id, reading the digits after `start` takes 0.2 µs, and
  // `toUuid` 0.3 µs.
  const start = hasTwoForms(type) ? `${type.prefix}-` : undefined
  const write = (): string =>
    start === undefined ? type.fromUuid(writeUuid()) : start + writeUuid()

  function read(value: unknown, version: 4 | 7): void {
    if (start === undefined) readUuid(type.toUuid(value as string), '')
    else if (!readUuid(value, start)) type.parse(value)
    if (words[3]! >> 12 !== version || words[4]! >> 14 !== 2)
      reject(`a UUID of version ${version}`, value)
  }

  function reject(expected: string, value: unknown): never {
    throw new TypedIdError('invalid_uuid', expected, value)
  }

  function toOpaque(id: string): string {
    read(id, 7)
    if (number >= 0 && words[0]! >> 12)
      reject('a UUID of version 7 before the year 2527', id)
    maskTime(current)
    if (number >= 0) {
      words[0] = (number << 12) | (words[0]! & 0xfff)
      maskCounter(current)
    }
    return write()
  }

  function fromOpaque(value: unknown): string {
    read(value, 4)
    const key =
      ring.get(number >= 0 ? words[0]! >> 12 : number) ??
      reject('an opaque id of a current key', value)
    if (number >= 0) maskCounter(key)
    maskTime(key)
    if (number >= 0) words[0]! &= 0xfff
    return write()
  }

  return Object.freeze({ type, toOpaque, fromOpaque })
}

/**
 * The last of 22 base64 digits is A, Q, g or w, because the last 4 of its 6
 * bits are beyond the 16 bytes.
 */
const KEY =
  /^(?:([\da-fA-F]):)?(?:([\da-fA-F]{32})|([\da-zA-Z+/]{21}[AQgw])(?:==)?)$/

/**
 * Returns the keys by number, the current key first. A key without a digit has
 * the number NaN.
 */
function parseKeys(parts: readonly string[]): ReadonlyMap<number, SipState> {
  const ring = new Map<number, SipState>()
  for (const text of parts[0] ? parts : ['']) {
    const [found, digit, hex, base64] = KEY.exec(text) ?? []
    const number = Number(`0x${digit}`)
    if (!found || ring.has(number) || (!digit && parts[1]))
      throw new TypeError(
        `keys[${ring.size}]: expected <own hex digit>:<16 bytes in hex or base64>`,
      )
    ring.set(
      number,
      createSipState(
        hex?.replace(/../g, (byte) =>
          String.fromCharCode(Number(`0x${byte}`)),
        ) ?? atob(base64 as string),
      ),
    )
  }
  return ring
}

/**
 * In `words`, masks the time of the id and swaps versions 7 and 4. A second
 * call restores the id.
 */
function maskTime(key: SipState): void {
  sipHash(
    key,
    pair(3, 4) & 0xff3fff0f,
    pair(5, 6),
    pair(7, 7) & 0xffff,
    10 << 24,
  )
  words[0]! ^= high
  words[1]! ^= low >> 16
  words[2]! ^= low
  words[3]! ^= 0x3000
}

function maskCounter(key: SipState): void {
  sipHash(key, pair(0, 1), pair(2, 5), pair(6, 7), 12 << 24)
  words[3]! ^= (low >> 16) & 0xfff
  words[4]! ^= low & 0x3fff
}

/** Returns two words of 16 bits as one word of 32, with its bytes reversed. */
function pair(first: number, second: number): number {
  const bits = words[first]! | (words[second]! << 16)
  return ((bits & 0xff00ff) << 8) | ((bits >> 8) & 0xff00ff)
}
