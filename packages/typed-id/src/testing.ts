import { createUuidv7, TypedIdError, type UuidSource } from './index.ts'

/**
 * Makes a source of UUIDs that count, so that a failing test is readable and a snapshot stays as it is.
 *
 * They are valid version 7 UUIDs of the first millisecond of 1970, in increasing order, and they count in decimal.
 * Each source counts for itself.
 *
 * @throws TypedIdError `invalid_count` when `first` is not a whole number from 0 to 999,999,999,999.
 * @example
 * const UserId = defineId('user', { uuid: countingUuids() })
 * UserId.generate() // 'user-00000000-0000-7000-8000-000000000001'
 * UserId.generate() // 'user-00000000-0000-7000-8000-000000000002'
 */
export function countingUuids(first = 1): UuidSource {
  if (!Number.isInteger(first) || first < 0 || first > 999_999_999_999) {
    throw new TypedIdError('invalid_count', 'a whole number from 0 to 999999999999', first)
  }
  let next = first
  return () => `00000000-0000-7000-8000-${String(next++).padStart(12, '0')}`
}

export interface SeededUuidsOptions {
  /** Which sequence; a whole number. 1 by default. */
  seed?: number
  /** What the clock shows, or the clock itself, in milliseconds since 1970; 2024-01-01T00:00:00Z by default. */
  now?: number | (() => number)
}

/**
 * Makes a source of version 7 UUIDs that look real and are the same in each run. Never use it outside of tests:
 * whoever knows one of its ids knows all.
 *
 * @throws TypedIdError `invalid_time`, when called, for a clock out of range.
 * @example
 * const UserId = defineId('user', { uuid: seededUuids({ seed: 7 }) })
 * UserId.generate() === defineId('user', { uuid: seededUuids({ seed: 7 }) }).generate() // true
 */
export function seededUuids(options: SeededUuidsOptions = {}): UuidSource {
  const { seed = 1, now = Date.UTC(2024, 0, 1) } = options
  return createUuidv7({ now: typeof now === 'number' ? () => now : now, random: seededBytes(seed) })
}

/** Splitmix32, which needs one word of state and passes for random in a test. */
function seededBytes(seed: number): (bytes: Uint8Array) => void {
  let state = seed | 0
  return (bytes) => {
    for (let i = 0; i < bytes.length; i++) {
      state = (state + 0x9e3779b9) | 0
      let word = Math.imul(state ^ (state >>> 16), 0x21f0aaad)
      word = Math.imul(word ^ (word >>> 15), 0x735a2d97)
      bytes[i] = word ^ (word >>> 15)
    }
  }
}
