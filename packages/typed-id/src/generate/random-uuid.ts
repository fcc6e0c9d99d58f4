// biome-ignore-all lint/style/noNonNullAssertion: every index is one of 16 bytes

import { isUuid, readBytes, writeUuid } from '../core/conversions.ts'
import { TypedIdError } from '../core/error.ts'
import { fillRandom, isBuildingSnapshot } from '../core/random.ts'
import type { TrustedSource, UuidSource } from '../core/uuid-source.ts'
import { checkTime } from '../core/uuidv7.ts'

/**
 * Returns a version 4 UUID (RFC 9562): 122 random bits, for ids that must not
 * reveal their creation time.
 *
 * Node prepares random bytes in advance, so virtual machines that start from
 * one memory snapshot can return the same UUIDs. On such machines, pass `{
 * uuid: () => crypto.randomUUID({ disableEntropyCache: true }) }`.
 *
 * @throws TypedIdError `missing_crypto` where there is no
 * `crypto.getRandomValues`, and `invalid_uuid` where `crypto.randomUUID` has
 * been replaced by a function that returns no UUID.
 * @example
 * const SessionId = defineId('session', { uuid: uuidv4 })
 */
export const uuidv4: UuidSource = /* @__PURE__ */ createUuidv4()

function createUuidv4(): UuidSource {
  const source: UuidSource & Partial<TrustedSource> = () => randomUuidv4()
  source['~generator'] = (start) => () => start + randomUuidv4()
  return source
}

/**
 * If true, `crypto.randomUUID` is not used. Node prepares random bytes for this
 * function in advance, so all processes from one snapshot would create the same
 * UUIDs.
 */
let isInSnapshot: boolean | undefined

/**
 * The last `crypto.randomUUID` that returned a valid UUID. Only the first
 * result of this function, or of a test's replacement, is checked, because a
 * check takes twice as long as a call.
 */
let checked: unknown

function randomUuidv4(): string {
  isInSnapshot ??= isBuildingSnapshot()
  const crypto = isInSnapshot ? undefined : globalThis.crypto
  const create: unknown = crypto?.randomUUID
  if (!create) return randomUuid(4) // in a snapshot or a page without https
  const uuid: unknown = crypto?.randomUUID()
  if (create === checked || isUuid(uuid, '')) {
    checked = create
    return uuid as string
  }
  throw new TypedIdError(
    'invalid_uuid',
    'a lowercase UUID from crypto.randomUUID',
    uuid,
  )
}

/**
 * Returns a version 7 UUID (RFC 9562) for a Date or milliseconds since 1970,
 * such as the creation time of an existing record. Apart from the time, version
 * and variant, all bits are random.
 *
 * @throws TypedIdError `invalid_time` for anything but 0 to 2^48 - 1.
 * @example
 * UserId.fromUuid(uuidv7At(new Date('2024-06-14T10:14:09.300Z'))) // 'user-0190163d-8694-7…'
 */
export function uuidv7At(time: Date | number): string {
  const ms = checkTime(typeof time === 'number' ? time : timeOfDate(time))
  return randomUuid(7, (bytes) => {
    for (let i = 0; i < 6; i++) bytes[i] = ms / 2 ** (40 - 8 * i)
  })
}

/** Accepts a Date of another realm, such as an iframe. */
function timeOfDate(date: Date): number {
  try {
    return Date.prototype.getTime.call(date)
  } catch {
    return date as never // not a Date: `checkTime` throws
  }
}

function randomUuid(
  version: number,
  setTime?: (bytes: Uint8Array) => void,
): string {
  const bytes = fillRandom(new Uint8Array(16))
  setTime?.(bytes)
  bytes[6] = (bytes[6]! & 0x0f) | (version << 4)
  bytes[8] = (bytes[8]! & 0x3f) | 0x80
  readBytes(bytes)
  return writeUuid()
}
