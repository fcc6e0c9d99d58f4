import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { defineId, TypedIdError, uuidv4 } from '../src/index.ts'
import {
  countingUuids,
  replaceUuids,
  restoreUuids,
  seededUuids,
} from '../src/testing.ts'

const userIds = (uuid: () => string) => defineId('user', { uuid })

describe('countingUuids', () => {
  test('counts in decimal and in increasing order, with a separate counter per source', () => {
    const ids = userIds(countingUuids(98)).generateMany(4)
    expect(ids.map((id) => id.slice(-3))).toEqual(['098', '099', '100', '101'])
    expect(ids.toSorted()).toEqual(ids)
    expect(userIds(countingUuids(98)).generate()).toBe(ids[0])
  })

  test.each([0, 999_999_999_999])('can start at %i', (first) => {
    expect(countingUuids(first)()).toBe(
      `00000000-0000-7000-8000-${String(first).padStart(12, '0')}`,
    )
  })

  test('accepts numbers of 12 digits only', () => {
    const { generateMany } = userIds(countingUuids(999_999_999_999))
    expect(() => generateMany(2)).toThrow(
      expect.objectContaining({ code: 'invalid_uuid' }),
    )
    for (const first of [-1, 0.5, 1e12])
      expect(() => countingUuids(first)).toThrow('invalid count')
  })
})

describe('seededUuids', () => {
  test.each([0.5, 2 ** 53, '1'])('rejects %s as the seed', (seed) => {
    expect(() => seededUuids({ seed: seed as number })).toThrow(
      'invalid count: expected a whole number, received',
    )
  })

  test('the sequence depends on the seed, which is 1 by default', () => {
    const [again, ...ids] = [7, 7, 8, 7 + 2 ** 31].map((seed) =>
      userIds(seededUuids({ seed })).generateMany(1000),
    )
    expect(again).toEqual(ids[0])
    expect(new Set(ids.flat()).size).toBe(3000)
    expect(seededUuids()()).toBe(seededUuids({ seed: 1 })())
  })

  test('returns the same ids in every release', () => {
    const ids = userIds(seededUuids({ seed: 7 })).generateMany(2000)
    // `generateMany` requests random bytes in blocks of 8 KB: ids[0] and ids[1]
    // use the first block, ids[1999] uses the second block.
    expect([ids[0], ids[1], ids[1999]]).toEqual([
      'user-018cc251-f400-7328-928f-992006f006ae',
      'user-018cc251-f400-7328-9290-0683c5719646',
      'user-018cc251-f400-7328-9a5e-172b49d18550',
    ])
  })

  test('accepts a time and a clock', () => {
    let now = 0
    for (const option of [5, () => (now = 5)]) {
      const UserId = userIds(seededUuids({ now: option }))
      expect(UserId.timestamp(UserId.generate())).toEqual(new Date(5))
    }
    expect(now).toBe(5)
  })
})

describe('replaceUuids', () => {
  // Defines types before `replaceUuids` runs, because the modules that a test
  // imports also define their types before the test starts.
  const UserId = defineId('user')
  const SessionId = defineId('session', { uuid: uuidv4 })

  beforeEach(() => void replaceUuids(countingUuids()))
  afterEach(restoreUuids)

  test.each([1, 2])('starts again in each test (%i)', () => {
    expect(UserId.generate()).toBe('user-00000000-0000-7000-8000-000000000001')
    expect(SessionId.generateMany(2)).toEqual([
      'session-00000000-0000-7000-8000-000000000002',
      'session-00000000-0000-7000-8000-000000000003',
    ])
  })

  test('accepts a mock function and any other source', () => {
    const source = replaceUuids(vi.fn(() => UserId.toUuid(UserId.example)))
    expect(UserId.generate()).toBe(UserId.example)
    expect(source).toHaveBeenCalledTimes(1)
    replaceUuids(seededUuids({ seed: 7 }))
    expect(UserId.generate()).toBe('user-018cc251-f400-7328-928f-992006f006ae')
  })

  test('a replacement is validated', () => {
    replaceUuids(() => 'nonsense')
    expect(UserId.generate).toThrow(TypedIdError)
  })

  test('restoreUuids returns each type to its own source', () => {
    restoreUuids()
    expect(UserId.timestamp(UserId.generate())?.getTime()).toBeGreaterThan(
      Date.UTC(2026, 0, 1),
    )
    expect(SessionId.timestamp(SessionId.generate())).toBeUndefined()
  })
})
