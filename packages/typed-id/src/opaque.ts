// biome-ignore-all lint/style/noNonNullAssertion: every index is a literal below 16

import { TypedIdError } from './core/error.ts'
import type { IdType, TypedId } from './core/types.ts'
import { parseKeys } from './opaque/key.ts'
import { high, low, type SipState, sipHash } from './opaque/siphash.ts'

/*
 * A stored id has a version 7 UUID: 48 bits of time, 26 bits of a counter, 48 random bits. Its opaque id is a version 4
 * UUID with the same number of free bits. `hash` is SipHash-2-4, `xor` takes as many of its lowest bits as it needs.
 *
 *   time'    = time xor hash(counter, random)     this line alone is UUIDv47 (github.com/stateless-me/uuidv47)
 *   counter' = counter
 *   random'  = random
 *
 * With a numbered key, the first 4 bits of time', which are zero in a time before the year 2527, become the number, and
 *
 *   counter' = counter xor hash(time', random)
 *
 * Without that line, ids of one millisecond would be recognized by their counters. The messages have 10 and 12 bytes, and
 * SipHash includes the length, so no message of one line is a message of the other.
 */

/** The UUID that is being converted. Each function fills and reads it within one call. */
const bytes = /* @__PURE__ */ new Uint8Array(16)
const view = /* @__PURE__ */ new DataView(bytes.buffer)

/** The conversions between the stored ids and the opaque ids of a type. They can be passed as callbacks. */
export interface OpaqueIds<P extends string> {
  readonly type: IdType<P>
  /**
   * Returns the opaque id for a stored id: a version 4 UUID, under the first key.
   * @throws TypedIdError as `parse` does; `invalid_uuid` if the UUID is not of version 7, or if the key has a number and
   * the time is after the year 2527.
   */
  toOpaque(this: void, id: TypedId<P>): TypedId<P>
  /**
   * Returns the stored id for an opaque id of any key of the ring.
   * @throws TypedIdError as `parse` does; `invalid_uuid` if the UUID is not of version 4, or if no key has its number.
   */
  fromOpaque(this: void, value: unknown): TypedId<P>
}

export interface OpaqueOptions {
  /**
   * The key ring: the current key, and previous ones whose ids are still accepted. A key is 16 random bytes in
   * hexadecimal or base64, after its number and a colon: `1:00112233445566778899aabbccddeeff`. The number is one
   * hexadecimal digit, with which its opaque ids begin. One key alone can have no number: its ids are those of UUIDv47.
   */
  keys: readonly string[]
}

/**
 * Returns the conversions between version 7 ids for the database and ids without a readable time for clients. Both are
 * ids of the same type and grammar.
 *
 * An opaque id hides when its record was created. It is no secret and no permission.
 *
 * @throws TypeError for an invalid key or key ring. Messages contain no part of a key.
 * @see https://github.com/stateless-me/uuidv47
 * @example
 * const userIds = opaqueIds(UserId, { keys: ['1:0f1e2d3c4b5a69788796a5b4c3d2e1f0'] })
 * userIds.toOpaque(UserId.example) // 'user-12439b5b-8d21-41df-8dbd-966c26f8ad91'
 * userIds.fromOpaque('user-12439b5b-8d21-41df-8dbd-966c26f8ad91') // UserId.example
 */
export function opaqueIds<P extends string>(type: IdType<P>, { keys }: OpaqueOptions): OpaqueIds<P> {
  const ring = parseKeys(keys)
  const [[number, current]] = ring as unknown as [[number, SipState]]

  /** Reads the UUID of an id into `view`. */
  function read(value: unknown, version: 4 | 7): void {
    bytes.set(type.toBytes(value as TypedId<P>))
    if (bytes[6]! >> 4 !== version || bytes[8]! >> 6 !== 2) reject(`version ${version} uuid`, value)
  }

  function reject(expected: string, value: unknown): never {
    throw new TypedIdError('invalid_uuid', `${type.prefix}-<${expected}>`, value)
  }

  function toOpaque(id: TypedId<P>): TypedId<P> {
    read(id, 7)
    if (number >= 0 && bytes[0]! > 15) reject('version 7 uuid before 2527', id)
    maskTime(current)
    if (number >= 0) {
      bytes[0] = (number << 4) | (bytes[0]! & 15)
      maskCounter(current)
    }
    return type.fromBytes(bytes)
  }

  function fromOpaque(value: unknown): TypedId<P> {
    read(value, 4)
    const key = number < 0 ? current : ring.get(bytes[0]! >> 4)
    if (!key) return reject('uuid with the number of a key', value)
    if (number >= 0) maskCounter(key)
    maskTime(key)
    if (number >= 0) bytes[0]! &= 15
    return type.fromBytes(bytes)
  }

  return Object.freeze({ type, toOpaque, fromOpaque })
}

/**
 * Masks the 48 bits of time by the 74 bits of counter and random bits, and changes the version from 7 to 4. A second call
 * does the reverse.
 */
function maskTime(key: SipState): void {
  const withoutVersion = view.getInt32(6, true) & 0xff3fff0f
  sipHash(key, withoutVersion, view.getInt32(10, true), view.getUint16(14, true), 10 << 24)
  view.setInt16(0, view.getInt16(0) ^ high)
  view.setInt32(2, view.getInt32(2) ^ low)
  bytes[6]! ^= 0x30
}

/** Masks the 26 bits of the counter by the masked time and the random bits. A second call removes the mask. */
function maskCounter(key: SipState): void {
  const middle = view.getUint16(4, true) | (view.getUint16(10, true) << 16)
  sipHash(key, view.getInt32(0, true), middle, view.getInt32(12, true), 12 << 24)
  view.setInt32(6, view.getInt32(6) ^ (low & 0x0fff3fff))
}
