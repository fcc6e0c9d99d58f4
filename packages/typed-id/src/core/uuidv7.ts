// biome-ignore-all lint/style/noNonNullAssertion: every index is inside the pool

import { writeUuid7Start, writeUuidEnd } from './conversions.ts'
import { TypedIdError } from './error.ts'
import { fillRandom } from './random.ts'
import type { IdGenerator, TrustedSource, UuidSource } from './uuid-source.ts'

export function checkTime(time: number): number {
  if (typeof time === 'number' && time >= 0 && time < 2 ** 48)
    return time - (time % 1)
  throw new TypedIdError('invalid_time', '0 to 2^48 - 1 ms', time)
}

export interface Uuidv7Options {
  /**
   * Returns milliseconds since 1970, with or without a fraction. `Date.now` by
   * default.
   */
  now?: () => number
  /**
   * Fills an array of 8,192 bytes with random bytes. `crypto.getRandomValues`
   * by default.
   */
  random?: (bytes: Uint8Array) => unknown
  /**
   * While the clock is at most this many milliseconds behind the latest UUID,
   * new UUIDs keep the time of the latest. If the clock is further behind, new
   * UUIDs have the time of the clock, and sort before earlier UUIDs. One day by
   * default, `Infinity` to always keep the order.
   */
  maxRollback?: number
}

/**
 * Returns a source of version 7 UUIDs (RFC 9562), each strictly greater than
 * the previous one.
 *
 * The source uses method 1 of RFC 9562, section 6.2: 48 bits of milliseconds, a
 * 26-bit counter, 48 random bits. In each millisecond the counter starts at 25
 * random bits, which leaves room for at least 33,554,432 ids. When the counter
 * overflows, the sequence moves one millisecond ahead of the clock. While the
 * clock stands still or is behind the latest millisecond, the sequence stays in
 * that millisecond.
 *
 * If the clock is more than `maxRollback` behind the latest UUID, the sequence
 * restarts from the clock. The new UUIDs sort before the latest, and are still
 * unique: 73 of their bits are random (section 6.7).
 *
 * The source reads 8,192 random bytes in advance, and processes that start from
 * one memory snapshot have copies of these bytes. When a process starts, the
 * clock has usually advanced since the snapshot, so the source discards unused
 * bytes after a jump of the clock by more than 10 ms.
 *
 * @throws TypedIdError The source throws `invalid_time` when the clock returns
 * anything but a number from 0 to 2^48 - 1.
 * @example
 * const uuid = createUuidv7({ now: () => Date.UTC(2024, 0, 1) })
 * uuid() // '018cc251-f400-7a31-8c5e-…'
 */
export function createUuidv7({
  now = () => Date.now(),
  random = fillRandom,
  maxRollback = 86_400_000,
}: Uuidv7Options = {}): UuidSource {
  const MAX_COUNTER = 0x3ff_ffff
  // The lower 12 bits of the counter. While only these bits change, the source
  // reuses the first 20 characters of the previous UUID.
  const BLOCK_MASK = 0xfff
  const JUMP_MS = 10
  const POOL_WORDS = 4096

  let lastTime = 0 / 0 // NaN, because the first time may be any number
  let ms = -1
  let counter = 0
  let block = 0
  const pool = new Uint16Array(POOL_WORDS)
  let used = POOL_WORDS

  function advance(): void {
    const time = now()
    if (time === lastTime) incrementCounter()
    else {
      const whole = checkTime(time)
      if (Math.abs(time - lastTime) > JUMP_MS) used = POOL_WORDS
      if (whole > ms || ms - whole > maxRollback) startMillisecond(whole)
      else incrementCounter()
      // Set only after `checkTime`: calls at `lastTime` skip this check, so an
      // invalid time would otherwise throw only once.
      lastTime = time
    }
  }

  function incrementCounter(): void {
    if (counter === MAX_COUNTER) startMillisecond(checkTime(ms + 1))
    else if ((++counter & BLOCK_MASK) === 0) block++
  }

  function startMillisecond(next: number): void {
    counter = ((pool[takeRandomWords(2)]! << 16) | pool[used - 1]!) >>> 7
    ms = next
    block++
  }

  function takeRandomWords(count: number): number {
    if (used + count > POOL_WORDS) {
      random(new Uint8Array(pool.buffer))
      used = 0
    }
    used += count
    return used - count
  }

  function createGenerator(start: string): IdGenerator {
    let cachedStart = ''
    let cachedBlock = 0

    return (skipClock) => {
      if (skipClock) incrementCounter()
      else advance()
      if (cachedBlock !== block) {
        cachedStart = start + writeUuid7Start(ms, counter)
        cachedBlock = block
      }
      return cachedStart + writeUuidEnd(counter, pool, takeRandomWords(3))
    }
  }

  const next = createGenerator('')
  const source: UuidSource & Partial<TrustedSource> = () => next()
  source['~generator'] = createGenerator
  return source
}

/**
 * Returns a version 7 UUID (RFC 9562), strictly greater than every previous one
 * of this copy of the package in this process.
 *
 * All id types use this source by default, so ids sort by creation across
 * types. Each worker thread has a separate source. A version 7 UUID reveals its
 * creation time: see `uuidv4`.
 *
 * @example
 * uuidv7() // '0190163d-8694-739b-aea5-966c26f8ad91'
 */
export const uuidv7: UuidSource = /* @__PURE__ */ createUuidv7()
