import { TypedIdError } from './core/error.ts'
import { setReplacement, type UuidSource } from './core/uuid-source.ts'
import { createUuidv7 } from './core/uuidv7.ts'

/**
 * Makes all id types take their UUIDs from `source` until `restoreUuids` is
 * called, and returns `source`. After `vi.resetModules`, import this function
 * again, because new imports of id types use a new copy of this package.
 *
 * @example
 * beforeEach(() => replaceUuids(countingUuids()))
 * afterEach(restoreUuids)
 * // UserId.generate() // 'user-00000000-0000-7000-8000-000000000001' in each test
 */
export function replaceUuids<Source extends UuidSource>(
  source: Source,
): Source {
  setReplacement(source)
  return source
}

/** Makes all id types use their own sources again. */
export function restoreUuids(): void {
  setReplacement(undefined)
}

/**
 * Returns a source of version 7 UUIDs that contain the first millisecond of
 * 1970 and end in a decimal counter.
 *
 * @throws TypedIdError `invalid_count` when `first` is not a whole number from
 * 0 to 999,999,999,999.
 * @example
 * const UserId = defineId('user', { uuid: countingUuids() })
 * UserId.generate() // 'user-00000000-0000-7000-8000-000000000001'
 */
export function countingUuids(first = 1): UuidSource {
  if (!Number.isInteger(first) || first < 0 || first > 999_999_999_999) {
    throw new TypedIdError(
      'invalid_count',
      'a whole number from 0 to 999999999999',
      first,
    )
  }
  let next = first
  return () => `00000000-0000-7000-8000-${String(next++).padStart(12, '0')}`
}

export interface SeededUuidsOptions {
  /** A whole number that determines which ids are generated. 1 by default. */
  seed?: number
  /**
   * Milliseconds since 1970, or a function that returns them.
   * 2024-01-01T00:00:00Z by default.
   */
  now?: number | (() => number)
}

/**
 * Returns a source of version 7 UUIDs that look random but are the same in each
 * run. Use the source in tests only, because its UUIDs can be predicted.
 *
 * @throws TypedIdError `invalid_count` when the seed is not a whole number. The
 * returned source throws `invalid_time` when the clock is out of range.
 * @example
 * const UserId = defineId('user', { uuid: seededUuids({ seed: 7 }) })
 * UserId.generate() === defineId('user', { uuid: seededUuids({ seed: 7 }) }).generate() // true
 */
export function seededUuids({
  seed = 1,
  now = Date.UTC(2024, 0, 1),
}: SeededUuidsOptions = {}): UuidSource {
  if (!Number.isSafeInteger(seed))
    throw new TypedIdError('invalid_count', 'a whole number', seed)
  return createUuidv7({
    now: typeof now === 'number' ? () => now : now,
    random: createSplitmix32(seed),
  })
}

function createSplitmix32(seed: number): (bytes: Uint8Array) => void {
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
