import { runInNewContext } from 'node:vm'
import { afterEach, describe, expect, test, vi } from 'vitest'
import {
  createUuidv7,
  createUuidv7After,
  defineId,
  type Uuidv7Options,
  uuidv4,
  uuidv7,
  uuidv7At,
} from '../src/index.ts'
import { codeOf, counterOf, numberOfUuid, timeOf } from './reference.ts'

const patternOf = (version: number) =>
  new RegExp(
    `^[0-9a-f]{8}-[0-9a-f]{4}-${version}[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$`,
  )
const NOON = Date.UTC(2024, 5, 14, 12)
const DAY = 86_400_000

afterEach(() => void vi.useRealTimers())

function createControlledSource(time = NOON, options: Uuidv7Options = {}) {
  const clock = { time, readings: 0, fills: 0, byte: 0 }
  const uuid = createUuidv7({
    now: () => {
      clock.readings++
      return clock.time
    },
    random: (bytes) => {
      clock.fills++
      for (let i = 0; i < bytes.length; i++) bytes[i] = clock.byte++
    },
    ...options,
  })
  return { clock, uuid }
}

function times(count: number, uuid: () => string): string[] {
  return Array.from({ length: count }, uuid)
}

function expectIncreasing(texts: readonly string[]): void {
  expect(texts).toEqual([...new Set(texts)].sort())
}

const varyingBits = (numbers: readonly bigint[]) =>
  numbers.reduce((bits, number) => bits | (number ^ (numbers[0] as bigint)), 0n)

describe('the sequence', () => {
  test('increases across types that share it, also after more ids of one type than have the same first 20 characters', () => {
    const { clock, uuid } = createControlledSource()
    const UserId = defineId('user', { uuid })
    const TeamId = defineId('team', { uuid })
    UserId.generate()
    clock.time++
    const uuids = TeamId.generateMany(5000).map(TeamId.toUuid)
    expectIncreasing([...uuids, UserId.toUuid(UserId.generate())])
  })

  test('seeds the counter with every one of the 25 bits', () => {
    let time = NOON
    const uuid = createUuidv7({ now: () => time++ })
    expect(
      varyingBits(times(500, uuid).map((text) => BigInt(counterOf(text)))),
    ).toBe(2n ** 25n - 1n)
  })

  test('never uses a random byte twice, and takes 8 KB at a time', () => {
    let next = 0
    let fills = 0
    const uuid = createUuidv7({
      now: () => NOON,
      random: (bytes) => {
        fills++
        const words = new Uint16Array(bytes.buffer)
        for (let i = 0; i < words.length; i++) words[i] = next++
      },
    })
    const words = times(10_000, uuid).flatMap((text) =>
      [24, 28, 32].map((at) => text.slice(at, at + 4)),
    )
    expect(new Set(words).size).toBe(30_000)
    expect(fills).toBe(Math.ceil(30_002 / 4095))
  })

  test('discards unused random bytes when the clock jumps by more than 10 ms', () => {
    const { clock, uuid } = createControlledSource()
    const fillsAfter = (ms: number) => {
      clock.time += ms
      uuid()
      return clock.fills
    }
    expect([0, 10, 11, -11, 0].map(fillsAfter)).toEqual([1, 1, 2, 3, 3])
  })

  test.each([0, 2 ** 48 - 1])(
    'starts with a random counter when the clock returns %s',
    (time) => {
      const { uuid } = createControlledSource(time)
      const first = uuid()
      expect(first).toMatch(patternOf(7))
      expect(timeOf(first)).toBe(time)
      expect(counterOf(first)).toBeGreaterThan(1)
    },
  )

  test('accepts a clock with fractions of a millisecond', () => {
    let time = NOON
    const uuids = times(200, createUuidv7({ now: () => (time += 1 / 256) }))
    expectIncreasing(uuids)
    expect(timeOf(uuids.at(-1) as string)).toBe(NOON)
  })

  test.each([Number.NaN, -0.5, 2 ** 48, '5'])(
    'rejects a clock that returns %s, at first and later',
    (time) => {
      const { clock, uuid } = createControlledSource()
      const before = uuid()
      clock.time = time as number
      for (const source of [
        uuid,
        uuid,
        createUuidv7({ now: () => clock.time }),
        createUuidv7After(before, { now: () => clock.time }),
      ])
        expect(codeOf(source)).toBe('invalid_time')
      clock.time = NOON
      expect(uuid() > before).toBe(true)
    },
  )

  test('continues in order after random threw an error', () => {
    let broken = false
    let time = NOON
    const uuid = createUuidv7({
      now: () => time,
      random: (bytes) => {
        if (broken) throw new Error('no entropy')
        crypto.getRandomValues(bytes as Uint8Array<ArrayBuffer>)
      },
    })
    for (const expected of [NOON, NOON + 5000]) {
      time = expected
      broken = true
      for (const _ of [1, 2]) expect(uuid).toThrow('no entropy')
      broken = false
      expect(timeOf(uuid())).toBe(expected)
    }
  })
})

test.each([0, 1, 5000])(
  'generateMany returns %i increasing ids and reads the clock once, generate for each id',
  (count) => {
    const { clock, uuid } = createControlledSource()
    const Id = defineId('user', { uuid })
    const ids = Id.generateMany(count)
    expect(ids.length).toBe(count)
    expect(ids.every(Id.is)).toBe(true)
    expect(clock.readings).toBe(count ? 1 : 0)
    expectIncreasing([...ids, Id.generate(), Id.generate()])
    expect(clock.readings).toBe(count ? 3 : 2)
  },
)

test.each([
  ['uuidv4', uuidv4, patternOf(4), 4n],
  // 52 constant bits: 48 of the time, and 4 of the version.
  ['uuidv7At', () => uuidv7At(NOON), patternOf(7), 52n],
] as const)(
  'all bits of %s vary but time, version and variant',
  (_, uuid, pattern, fixed) => {
    const uuids = times(1000, uuid)
    for (const text of uuids) expect(text).toMatch(pattern)
    const bits = ((2n ** fixed - 1n) << 76n) | (3n << 62n)
    expect(varyingBits(uuids.map(numberOfUuid))).toBe(2n ** 128n - 1n - bits)
  },
)

test('a custom source provides the uuids, which are checked', () => {
  let next: unknown = '919108f7-52d1-4320-9bac-f847db4148a8'
  const Id = defineId('order', { uuid: () => next as string })
  const id = `order-${next}`
  expect([Id.generate(), ...Id.generateMany(2)]).toEqual([id, id, id])
  for (next of ['', `${next}`.toUpperCase(), `${uuidv4()}\n`, 5, undefined])
    for (const create of [Id.generate, () => Id.generateMany(1)])
      expect(codeOf(create)).toMatch(/^(invalid_uuid|not_a_string)$/)
})

test('reads neither the clock nor random bytes before the first id', async () => {
  vi.resetModules()
  const random = vi.spyOn(crypto, 'getRandomValues')
  const now = vi.spyOn(Date, 'now')
  const { defineId } = await import('../src/index.ts')
  const Id = defineId('user')
  expect(random).not.toHaveBeenCalled()
  expect(now).not.toHaveBeenCalled()
  Id.generate()
  expect(random).toHaveBeenCalledTimes(1)
  expect(now).toHaveBeenCalledTimes(1)
  vi.restoreAllMocks()
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
    const { clock, uuid } = createControlledSource(NOON, { maxRollback })
    uuid()
    clock.time = NOON - maxRollback
    expect(timeOf(uuid())).toBe(NOON)
    clock.time--
    expect(timeOf(uuid())).toBe(clock.time)
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
  function createAfter(after: string, options: Uuidv7Options = {}) {
    const clock = { time: NOON }
    const now = () => clock.time
    return { clock, uuid: createUuidv7After(after, { now, ...options }) }
  }

  test.each([
    ['equal to the clock', NOON],
    ['behind the clock', NOON - 5000],
    ['ten years ahead of the clock', NOON + 3650 * DAY],
  ])('every uuid is greater than a stored one that is %s', (_, time) => {
    const counterIsFull = `${uuidv7At(time).slice(0, 15)}fff-bfff-ffffffffffff`
    for (const after of [uuidv7At(time), counterIsFull]) {
      const { clock, uuid } = createAfter(after)
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
    const { clock, uuid } = createAfter(uuidv7At(NOON + 1000))
    uuid()
    clock.time = NOON + 1002
    expect(timeOf(uuid())).toBe(NOON + 1002)
  })

  test('holds even when the sequence follows a clock that was set back', () => {
    const after = uuidv7At(NOON - 1000)
    const { clock, uuid } = createAfter(after, { maxRollback: 0 })
    uuid()
    clock.time = NOON - 500
    expect(timeOf(uuid())).toBe(NOON - 500)
    clock.time = 0
    const last = uuid()
    expect([timeOf(last), last > after]).toEqual([NOON - 999, true])
  })

  test.each([
    [uuidv4(), 'invalid_uuid'],
    ['', 'invalid_uuid'],
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

test('uuidv7At accepts a Date of another realm and no other object', () => {
  expect(timeOf(uuidv7At(runInNewContext(`new Date(${NOON})`)))).toBe(NOON)
  const forged = { getTime: () => NOON, [Symbol.toStringTag]: 'Date' }
  const error = { code: 'invalid_time', received: 'object' }
  for (const value of [forged, Object.create(Date.prototype)])
    expect(() => uuidv7At(value)).toThrow(expect.objectContaining(error))
})
