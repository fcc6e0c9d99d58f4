import { describe, expect, test, vi } from 'vitest'
import {
  createUuidv7,
  defineId,
  TypedIdError,
  uuidv4,
  uuidv7,
  uuidv7At,
} from '../src/index.ts'
import { counterOf, numberOfUuid, timeOf } from './reference.ts'

const VERSION_7 =
  /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/
const VERSION_4 =
  /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/
const NOON = Date.UTC(2024, 5, 14, 12)

/**
 * Returns a source whose clock the test sets, and whose random bytes are 0, 1,
 * 2 …
 */
function createControlledSource(time = NOON) {
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
  })
  return { clock, uuid }
}

function times(count: number, uuid: () => string): string[] {
  return Array.from({ length: count }, uuid)
}

function expectIncreasing(texts: readonly string[]): void {
  for (let i = 1; i < texts.length; i++) {
    if (!((texts[i - 1] as string) < (texts[i] as string)))
      expect.fail(`${texts[i - 1]} before ${texts[i]}`)
  }
}

/** Returns the bits that are 0 in some of the numbers and 1 in others. */
const varyingBits = (numbers: readonly bigint[]) =>
  numbers.reduce((bits, number) => bits | (number ^ (numbers[0] as bigint)), 0n)

const randomOf = (uuid: string) => Number(numberOfUuid(uuid) & 0xffffffffffffn)

describe('uuidv7', () => {
  test('increases strictly over a million calls, across types, and without running ahead of the clock', () => {
    const UserId = defineId('user')
    const TeamId = defineId('team')
    const uuids: string[] = []
    while (uuids.length < 1_000_000) {
      uuids.push(
        UserId.generate().slice(5),
        TeamId.generate().slice(5),
        uuidv7(),
        UserId.generateMany(2).join().slice(5, 41),
      )
      uuids.push(uuidv7())
    }
    expectIncreasing(uuids)
    expect(timeOf(uuids.at(-1) as string)).toBeLessThanOrEqual(Date.now())
  })

  test('two sources return 200,000 different uuids in one millisecond', () => {
    const now = () => NOON
    const [one, two] = [createUuidv7({ now }), createUuidv7({ now })]
    expect(new Set([...times(100_000, one), ...times(100_000, two)]).size).toBe(
      200_000,
    )
  })
})

describe('the sequence', () => {
  test('increases strictly while the clock stands still', () => {
    const { uuid } = createControlledSource()
    const uuids = times(300_000, uuid)
    expectIncreasing(uuids)
    expect(timeOf(uuids.at(-1) as string)).toBe(NOON)
  })

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
    const seen = new Set<number>()
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
    const uuids = times(10_000, uuid)
    for (const value of uuids.map(randomOf)) {
      for (const word of [
        Math.floor(value / 2 ** 32),
        Math.floor(value / 2 ** 16) % 2 ** 16,
        value % 2 ** 16,
      ]) {
        expect(seen.has(word)).toBe(false)
        seen.add(word)
      }
    }
    expect(fills).toBe(Math.ceil(30_002 / 4095))
  })

  test('discards unused random bytes when the clock jumps by more than 10 ms', () => {
    const { clock, uuid } = createControlledSource()
    uuid()
    expect(clock.fills).toBe(1)
    clock.time += 10
    uuid()
    expect(clock.fills).toBe(1)
    clock.time += 11
    uuid()
    expect(clock.fills).toBe(2)
    clock.time -= 11
    uuid()
    uuid()
    expect(clock.fills).toBe(3)
  })

  test.each([0, 1, 2 ** 48 - 1])(
    'starts with a random counter when the clock returns %s',
    (time) => {
      const { uuid } = createControlledSource(time)
      const first = uuid()
      expect(first).toMatch(VERSION_7)
      expect(timeOf(first)).toBe(time)
      expect(counterOf(first)).toBeGreaterThan(1)
    },
  )

  test('accepts a clock with fractions of a millisecond', () => {
    let time = NOON
    const uuids = times(200, createUuidv7({ now: () => (time += 1 / 256) }))
    expectIncreasing(uuids)
    expect(new Set(uuids.map(timeOf))).toEqual(new Set([NOON]))
  })

  test.each([
    Number.NaN,
    -1,
    -0.5,
    2 ** 48,
    Number.POSITIVE_INFINITY,
    '5',
    undefined,
  ])('rejects a clock that returns %s, at first and later', (time) => {
    const { clock, uuid } = createControlledSource()
    const before = uuid()
    clock.time = time as number
    expect(uuid).toThrow(expect.objectContaining({ code: 'invalid_time' }))
    expect(uuid).toThrow(expect.objectContaining({ code: 'invalid_time' }))
    clock.time = NOON
    expect(uuid() > before).toBe(true)
    const atFirst = createUuidv7({ now: () => time as number })
    expect(atFirst).toThrow(expect.objectContaining({ code: 'invalid_time' }))
  })

  test('continues in order after random threw an error', () => {
    let broken = true
    let time = NOON
    const uuid = createUuidv7({
      now: () => time,
      random: (bytes) => {
        if (broken) throw new Error('no entropy')
        crypto.getRandomValues(bytes as Uint8Array<ArrayBuffer>)
      },
    })
    expect(uuid).toThrow('no entropy')
    expect(uuid).toThrow('no entropy')
    broken = false
    const before = uuid()
    expect(timeOf(before)).toBe(NOON)
    broken = true
    time += 5000
    expect(uuid).toThrow('no entropy')
    broken = false
    const after = uuid()
    expect(timeOf(after)).toBe(NOON + 5000)
    expect(after > before).toBe(true)
  })
})

test('uuidv7At does not change the sequence', () => {
  const before = uuidv7()
  uuidv7At(Date.UTC(2200, 0, 1))
  const after = uuidv7()
  expect(after > before).toBe(true)
  expect(timeOf(after)).toBeLessThan(Date.UTC(2200, 0, 1))
})

test.each([0, 1, 2, 5000])(
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
  ['uuidv4', uuidv4, VERSION_4, 4n],
  // The fixed 52 bits include the time.
  ['uuidv7At', () => uuidv7At(NOON), VERSION_7, 52n],
] as const)(
  'all bits of %s vary but time, version and variant',
  (_, uuid, pattern, fixed) => {
    const uuids = times(1000, uuid)
    for (const text of uuids) expect(text).toMatch(pattern)
    const bits = ((2n ** fixed - 1n) << 76n) | (3n << 62n)
    expect(varyingBits(uuids.map(numberOfUuid))).toBe(2n ** 128n - 1n - bits)
  },
)

describe('a custom source', () => {
  test('provides the uuids', () => {
    const Id = defineId('order', {
      uuid: () => '919108f7-52d1-4320-9bac-f847db4148a8',
    })
    expect(Id.generate()).toBe('order-919108f7-52d1-4320-9bac-f847db4148a8')
    expect(Id.generateMany(2)).toEqual(
      Array(2).fill('order-919108f7-52d1-4320-9bac-f847db4148a8'),
    )
  })

  test.each([
    '',
    'nonsense',
    '919108F7-52D1-4320-9BAC-F847DB4148A8',
    `${uuidv4()}\n`,
    5,
    null,
    undefined,
  ])('is rejected when it returns %j', (text) => {
    const Id = defineId('order', { uuid: () => text as string })
    expect(Id.generate).toThrow(TypedIdError)
    expect(() => Id.generateMany(1)).toThrow(TypedIdError)
  })
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
