// biome-ignore-all lint/style/noNonNullAssertion: every index is inside the pool

import { TypedIdError } from './error.ts'
import { GENERATOR, type Generator, type TrustedSource, type UuidSource } from './source.ts'
import { readBytes, uuid7Stem, writeTail, writeUuid } from './text.ts'

export interface Uuidv7Options {
  /** The clock, in milliseconds since 1970, whole or with a fraction; `Date.now` by default. */
  now?: () => number
  /** Fills an array with random bytes, 8,192 at a time; `crypto.getRandomValues` by default. */
  random?: (bytes: Uint8Array) => unknown
}

/**
 * Makes a source of version 7 UUIDs (RFC 9562), each strictly greater than the one before it.
 *
 * Method 1 of RFC 9562, section 6.2: 48 bits of milliseconds, then a counter of 26 bits, then 48 random bits.
 * Each millisecond the counter starts at 25 random bits, so that at least 33,554,432 ids fit into what is
 * left of it; past that the sequence runs one millisecond ahead of the clock. A clock that stands still or is
 * set back leaves the sequence at the latest millisecond it has seen, counting, until the clock has caught up.
 * After a jump of the clock by more than a second, as when a snapshot is resumed, unused randomness is dropped.
 *
 * @throws TypedIdError `invalid_time` when the clock gives anything but 0 to 2^48 - 1.
 * @example
 * const uuid = createUuidv7({ now: () => Date.UTC(2024, 0, 1) })
 * uuid() // '018cc251-f400-7a31-8c5e-…'
 */
export function createUuidv7({
  now = () => Date.now(),
  random = (bytes) => crypto.getRandomValues(bytes as Uint8Array<ArrayBuffer>),
}: Uuidv7Options = {}): UuidSource {
  const LAST_COUNT = 0x3ff_ffff
  const LAST_OF_PAGE = 0xfff
  const JUMP_MS = 1000
  const POOL_WORDS = 4096

  let seen = -1 // what the clock said last
  let ms = -1 // where the sequence stands
  let counter = 0
  let page = 0 // goes up whenever the stem of the uuids changes: with each millisecond and every 4,096 counts
  const pool = new Uint16Array(POOL_WORDS)
  let used = POOL_WORDS

  /** Moves to the next place in the sequence. */
  function advance(): void {
    const time = now()
    if (time === seen) count()
    else {
      if (!(Math.abs(time - seen) <= JUMP_MS)) used = POOL_WORDS
      const whole = checkTime(time)
      if (whole > ms) enter(whole)
      else count()
      seen = time // last, since what comes before can throw
    }
  }

  function count(): void {
    if (counter === LAST_COUNT) enter(checkTime(ms + 1))
    else if ((++counter & LAST_OF_PAGE) === 0) page++
  }

  function enter(next: number): void {
    counter = ((pool[draw(2)]! << 16) | pool[used - 1]!) >>> 7
    ms = next
    page++
  }

  /** Where in the pool there are so many words that nobody has had. */
  function draw(words: number): number {
    if (used + words > POOL_WORDS) {
      random(new Uint8Array(pool.buffer))
      used = 0
    }
    used += words
    return used - words
  }

  /** What is behind `start` changes once a page only, and is kept: the rest is 16 characters an id. */
  function generatorFor(start: string): Generator {
    let stem = ''
    let stemPage = 0

    return (burst) => {
      if (burst) count()
      else advance()
      if (stemPage !== page) {
        stem = start + uuid7Stem(ms, counter)
        stemPage = page
      }
      return stem + writeTail(counter, pool, draw(3))
    }
  }

  const next = generatorFor('')
  const source: UuidSource & Partial<TrustedSource> = () => next()
  source[GENERATOR] = generatorFor
  return source
}

function checkTime(time: number): number {
  if (typeof time === 'number' && time >= 0 && time < 2 ** 48) return Math.floor(time)
  throw new TypedIdError('invalid_time', '0 to 2^48 - 1 ms', time)
}

/**
 * Returns a version 7 UUID (RFC 9562), strictly greater than every one before it in this process.
 *
 * All types share this sequence unless they are given another, so ids sort in the order of their making
 * across types, too. Worker threads, and a second copy of this package, have sequences of their own.
 * Whoever reads one learns when it was made: see `uuidv4`.
 *
 * @example
 * uuidv7() // '0190163d-8694-739b-aea5-966c26f8ad91'
 */
export const uuidv7: UuidSource = /* @__PURE__ */ createUuidv7()

/**
 * Returns a version 7 UUID (RFC 9562) for a given time, as a Date or in milliseconds since 1970, such as the one at
 * which a row was made that had no id. Within its millisecond it is random: it stands outside the increasing sequence.
 *
 * @throws TypedIdError `invalid_time` for anything but 0 to 2^48 - 1.
 * @example
 * UserId.fromUuid(uuidv7At(new Date('2024-06-14T10:14:09.300Z'))) // 'user-0190163d-8694-7…'
 */
export function uuidv7At(time: Date | number): string {
  const ms = checkTime(time instanceof Date ? time.getTime() : time)
  const bytes = randomBytes()
  for (let i = 0; i < 6; i++) bytes[i] = ms / 2 ** (40 - 8 * i)
  return uuidOf(7, bytes)
}

/**
 * Returns a version 4 UUID (RFC 9562): 122 random bits, for ids that must not tell when they were made.
 *
 * @example
 * const SessionId = defineId('session', { uuid: uuidv4 })
 */
export const uuidv4: UuidSource = () => uuidOf(4, randomBytes())

/** Such ids are often secrets, so each draws its own randomness: there is no pool that a copy of the process repeats. */
const randomBytes = () => crypto.getRandomValues(new Uint8Array(16))

function uuidOf(version: number, bytes: Uint8Array): string {
  bytes[6] = (bytes[6]! & 0x0f) | (version << 4)
  bytes[8] = (bytes[8]! & 0x3f) | 0x80
  readBytes(bytes)
  return writeUuid()
}
