import fc from 'fast-check'
import { decodeTime, ulid } from 'ulid'
import { describe, expect, test } from 'vitest'
import {
  defineId,
  firstIdAt,
  fromBase62,
  fromUlid,
  idFromName,
  lastIdAt,
  parseLoose,
  toBase62,
  toUlid,
  ulidTime,
  uuidv7At,
} from '../src/index.ts'
import { opaqueIds } from '../src/opaque.ts'
import { defineTypeId } from '../src/typeid.ts'
import { codeOf } from './reference.ts'

const UserId = defineId('user')

test.each([
  ['one more than 128 bits', 'user_7n42DGM5Tflk9n8mt7Fhc8', 'malformed_short'],
  ['a leading zero', 'user_01', 'malformed_short'],
  ['another case of the prefix', 'User_2aUyqjCzEIiEcYMKj7TZtw', 'wrong_type'],
])('base 62: %s is rejected', (_, text, code) => {
  expect(codeOf(() => fromBase62(UserId, text))).toBe(code)
})

test.each([
  [
    'an uppercase namespace',
    UserId.example.slice(5).toUpperCase(),
    'invalid_uuid',
  ],
  ['a null namespace', null, 'not_a_string'],
])('names: %s is rejected', async (_, namespace, code) => {
  await expect(
    idFromName(UserId, 'ada', namespace as string),
  ).rejects.toMatchObject({ code })
})

describe('times', () => {
  const times = fc.nat({ max: 2 ** 48 - 1 })

  test('the bounds contain the millisecond and nothing else', () => {
    fc.assert(
      fc.property(times, times, (ms, other) => {
        const [first, last] = [
          firstIdAt(UserId, ms),
          lastIdAt(UserId, new Date(ms)),
        ]
        expect(
          [first, last].map((id) => UserId.timestamp(id)?.getTime()),
        ).toEqual([ms, ms])
        for (const time of [ms, other]) {
          const id = UserId.fromUuid(uuidv7At(time))
          expect([first <= id, id <= last]).toEqual([ms <= time, time <= ms])
        }
      }),
    )
  })

  test.each([null, '0'])(
    'firstIdAt and lastIdAt reject the time %j',
    (time) => {
      for (const bound of [firstIdAt, lastIdAt])
        expect(() => bound(UserId, time as never)).toThrow(
          expect.objectContaining({ code: 'invalid_time' }),
        )
    },
  )
})

describe('ULIDs', () => {
  test.each<[time: number, text: string]>([
    [0, '00000000000000000000000000'],
    [1718360049300, '01J0B3V1MMEEDTX9CPDGKFHBCH'],
    [2 ** 48 - 1, '7ZZZZZZZZZZZZZZZZZZZZZZZZZ'],
    [1_800_000_000_000, ulid(1_800_000_000_000)],
  ])(
    'a ULID of %s ms becomes an id with its time, and the id becomes the ULID',
    (time, text) => {
      const id = fromUlid(UserId, text)
      expect(UserId.is(id)).toBe(true)
      expect(toUlid(UserId, id)).toBe(text)
      expect(ulidTime(UserId, id).getTime()).toBe(time)
      expect(decodeTime(text)).toBe(time)
      expect(fromUlid(UserId, text.toLowerCase())).toBe(id)
    },
  )

  test.each([
    ['more than 128 bits', '80000000000000000000000000'],
    ['a Kelvin sign, whose lower case is k', '01J0B3V1MMEEDTX9CPDG\u212aFHBCH'],
    ['a line break', '01J0B3V1MMEEDTX9CPDGKFHBCH\n'],
    ['an array of a ULID', ['01J0B3V1MMEEDTX9CPDGKFHBCH'], 'not_a_string'],
  ])('fromUlid rejects %s', (_, value, code = 'malformed_short') => {
    const expected = 'a ULID of 26 base32 digits'
    expect(() => fromUlid(UserId, value as string)).toThrow(
      expect.objectContaining({ code, expected }),
    )
  })
})

const TYPE_IDS = ['user', 'order_line', ''].map((prefix) =>
  defineTypeId<string>(prefix),
)
const uuid = UserId.toUuid(UserId.example)
const TIME = new Date('2024-06-14T00:00:00Z')

describe.each(TYPE_IDS)('the TypeIDs of "$prefix"', (type) => {
  const id = type.example

  test('have the UUIDs of the ids of defineId', async () => {
    const sameUuid = (
      found: string,
      other: (type: typeof UserId) => string,
    ) => {
      expect(type.is(found), found).toBe(true)
      expect(type.toUuid(found as never)).toBe(
        UserId.toUuid(other(UserId) as never),
      )
    }
    sameUuid(firstIdAt(type, TIME), (type) => firstIdAt(type, TIME))
    sameUuid(lastIdAt(type, TIME), (type) => lastIdAt(type, TIME))
    const ulid = toUlid(UserId, UserId.example)
    sameUuid(fromUlid(type, ulid), (type) => fromUlid(type, ulid))
    expect(toUlid(type, id)).toBe(ulid)
    expect(ulidTime(type, id)).toEqual(ulidTime(UserId, UserId.example))
    const inNamespace = await idFromName(UserId, 'Ada', uuid)
    sameUuid(await idFromName(type, 'Ada', uuid), () => inNamespace)
    const userIds = opaqueIds(UserId, { keys: ['0'.repeat(32)] })
    const { toOpaque, fromOpaque } = opaqueIds(type, { keys: ['0'.repeat(32)] })
    sameUuid(toOpaque(id), () => userIds.toOpaque(UserId.example))
    expect(fromOpaque(toOpaque(id))).toBe(id)
    expect(() => fromOpaque(id)).toThrow('expected a UUID of version 4')
    expect(() => fromOpaque('nope')).toThrow('id: expected')
  })

  test('convert to base 62 and back', () => {
    const text = toBase62(type, id)
    const digits = toBase62(UserId, UserId.example).slice('user_'.length)
    expect(text).toBe(id.slice(0, -26) + digits)
    expect(fromBase62(type, text)).toBe(id)
    expect(() => fromBase62(type, `other_${digits}`)).toThrow(
      `wrong type: expected ${type.prefix || 'no prefix'}, received other in`,
    )
    for (const wrong of [`_${text}`, `${text}00`])
      expect(() => fromBase62(type, wrong), wrong).toThrow()
  })

  test('are named in the messages of base 62', () => {
    const start = type.prefix && `"${type.prefix}_" and `
    expect(() => fromBase62(type, '?')).toThrow(
      `malformed short: expected ${start}1 to 22 letters and digits, received "?"`,
    )
  })

  test('are corrected by parseLoose', () => {
    for (const typed of [
      ` ${id.toUpperCase()}\n`,
      id.replaceAll('_', '%5F'),
      `${id.slice(0, -26)}${id.slice(-26).replace('0', 'O').replace('1', 'l')}`,
    ])
      expect(parseLoose(type, typed).data, typed).toBe(id)
    expect(parseLoose(type, `team_${id.slice(-26)}`).error?.code).toBe(
      'wrong_type',
    )
    for (const wrong of [`${id}0`, uuid, '', 5])
      expect(parseLoose(type, wrong).success).toBe(false)
  })
})
