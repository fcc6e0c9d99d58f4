import { afterEach, describe, expect, test, vi } from 'vitest'
import {
  createUuidv7,
  createUuidv7After,
  defineId,
  uuidv4,
  uuidv7,
  uuidv7At,
} from '../src/index.ts'
import { timeOf } from './reference.ts'

const NOON = Date.UTC(2024, 5, 14, 12)
const DAY = 86_400_000

function createControlledSource({
  after,
  ...rest
}: {
  after?: string
  maxRollback?: number
} = {}) {
  const clock = { time: NOON }
  const options = { now: () => clock.time, ...rest }
  return {
    clock,
    uuid:
      after === undefined
        ? createUuidv7(options)
        : createUuidv7After(after, options),
  }
}

afterEach(() => {
  vi.useRealTimers()
})

describe('the option maxRollback', () => {
  test('is one day by default, measured from the time in the latest id, not from the previous reading of the clock', () => {
    const { clock, uuid } = createControlledSource()
    uuid()
    for (let behind = 0; behind <= DAY; behind += DAY / 4) {
      clock.time = NOON - behind
      expect(timeOf(uuid())).toBe(NOON)
    }
    clock.time--
    expect(timeOf(uuid())).toBe(clock.time)
  })

  test.each([0, 10_000])('can be %i ms', (maxRollback) => {
    const { clock, uuid } = createControlledSource({ maxRollback })
    uuid()
    clock.time = NOON - maxRollback
    expect(timeOf(uuid())).toBe(NOON)
    clock.time--
    expect(timeOf(uuid())).toBe(clock.time)
  })

  test('Infinity keeps the order whatever the clock returns', () => {
    const { clock, uuid } = createControlledSource({
      maxRollback: Number.POSITIVE_INFINITY,
    })
    const first = uuid()
    clock.time = 0
    const second = uuid()
    expect([timeOf(second), second > first]).toEqual([NOON, true])
  })

  test('fake timers set the time of the default sequence, also to the past, and of other sequences', () => {
    const UserId = defineId('user')
    UserId.generate()
    for (const year of [2024, 2100, 2001]) {
      vi.useFakeTimers({ now: Date.UTC(year, 0, 1) })
      expect(UserId.timestamp(UserId.generate())).toEqual(
        new Date(Date.UTC(year, 0, 1)),
      )
      expect(timeOf(createUuidv7()())).toBe(Date.UTC(year, 0, 1))
    }
  })
})

describe('createUuidv7After', () => {
  test.each([
    ['equal to the clock', NOON],
    ['behind the clock', NOON - 5000],
    ['a second ahead of the clock', NOON + 1000],
    ['ten years ahead of the clock', NOON + 3650 * DAY],
  ])('every uuid is greater than a stored one that is %s', (_, time) => {
    const counterIsFull = `${uuidv7At(time).slice(0, 15)}fff-bfff-ffffffffffff`
    for (const after of [uuidv7At(time), counterIsFull]) {
      const { clock, uuid } = createControlledSource({ after })
      const uuids = [uuid(), uuid()]
      clock.time -= 20 * DAY
      uuids.push(uuid(), uuid())
      expect([after, ...uuids].toSorted()).toEqual([after, ...uuids])
      expect(timeOf(uuids[0] as string)).toBe(Math.max(NOON, time + 1))
    }
  })

  test('reads neither the clock nor random bytes before the first uuid', () => {
    const fail = () => expect.fail('was called')
    createUuidv7After(uuidv7(), { now: fail, random: fail })
  })

  test('the clock is Date.now by default', () => {
    vi.useFakeTimers({ now: NOON })
    const uuid = createUuidv7After(uuidv7At(NOON - 5000))
    expect(timeOf(uuid())).toBe(NOON)
  })

  test('the sequence follows the clock again once the clock has passed the stored uuid', () => {
    const { clock, uuid } = createControlledSource({
      after: uuidv7At(NOON + 1000),
    })
    uuid()
    clock.time = NOON + 1002
    expect(timeOf(uuid())).toBe(NOON + 1002)
  })

  test('holds even when the sequence follows a clock that was set back', () => {
    const after = uuidv7At(NOON - 1000)
    const { clock, uuid } = createControlledSource({ after, maxRollback: 0 })
    uuid()
    clock.time = NOON - 500
    expect(timeOf(uuid())).toBe(NOON - 500)
    clock.time = 0
    const last = uuid()
    expect([timeOf(last), last > after]).toEqual([NOON - 999, true])
  })

  test.each([
    [uuidv4(), 'invalid_uuid'],
    ['user-0190163d-8694-739b-aea5-966c26f8ad91', 'invalid_uuid'],
    ['', 'invalid_uuid'],
    [5, 'not_a_string'],
    [null, 'not_a_string'],
  ])('rejects %j', (after, code) => {
    const error = { code, expected: 'a UUID of version 7' }
    expect(() => createUuidv7After(after as string)).toThrow(
      expect.objectContaining(error),
    )
  })

  test('there is no uuid after the last millisecond of 48 bits', () => {
    const uuid = createUuidv7After('ffffffff-ffff-7000-8000-000000000000')
    expect(uuid).toThrow(expect.objectContaining({ code: 'invalid_time' }))
  })
})

test('uuidv7At accepts a Date of another realm and no other object', async () => {
  const { runInNewContext } = await import('node:vm')
  expect(timeOf(uuidv7At(runInNewContext(`new Date(${NOON})`)))).toBe(NOON)
  const forged = { getTime: () => NOON, [Symbol.toStringTag]: 'Date' }
  for (const value of [
    forged,
    Object.create(Date.prototype),
    new Proxy(new Date(NOON), {}),
  ]) {
    const error = { code: 'invalid_time', received: 'object' }
    expect(() => uuidv7At(value)).toThrow(expect.objectContaining(error))
  }
})
