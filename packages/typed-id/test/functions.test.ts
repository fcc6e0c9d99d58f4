import Database from 'better-sqlite3'
import fc from 'fast-check'
import { decodeTime, ulid } from 'ulid'
import { describe, expect, test } from 'vitest'
import {
  createUuidv7,
  defineId,
  firstIdAt,
  fromBase62,
  fromUlid,
  idFromName,
  lastIdAt,
  toUlid,
  ulidTime,
  uuidv7At,
} from '../src/index.ts'

const UserId = defineId('user')

describe('base 62', () => {
  test.each([
    ['one more than 128 bits', 'user_7n42DGM5Tflk9n8mt7Fhc8'],
    ['the greatest 22 digits', `user_${'z'.repeat(22)}`],
    ['23 digits', `user_1${'0'.repeat(22)}`],
    ['a leading zero', 'user_01'],
    ['no digits', 'user_'],
    ['no separator', 'user'],
    ['no prefix', '_2aUyqjCzEIiEcYMKj7TZtw'],
    ['a prefix with a hyphen', 'us-er_2aUyqjCzEIiEcYMKj7TZtw'],
    ['a digit outside ASCII', 'user_2aUyqjCzEIiEcYMKj7TZt٣'],
    ['a line break', 'user_2aUyqjCzEIiEcYMKj7TZtw\n'],
    ['the standard form', UserId.example],
    ['the short form of the core', UserId.toShort(UserId.example)],
    ['another type', 'team_2aUyqjCzEIiEcYMKj7TZtw', 'wrong_type'],
    ['another case of the prefix', 'User_2aUyqjCzEIiEcYMKj7TZtw', 'wrong_type'],
    ['a number', 2, 'not_a_string'],
    [
      'an object with string methods',
      { toString: () => 'user_0', indexOf: () => 4 },
      'not_a_string',
    ],
  ])('base 62: %s is rejected', (_, text, code = 'malformed_short') => {
    expect(() => fromBase62(UserId, text as string)).toThrow(
      expect.objectContaining({ code }),
    )
  })
})

describe('names', () => {
  test.each([
    ['a lone surrogate', '\ud83c', undefined, 'not_a_string'],
    [
      'a name that is not a string',
      1,
      undefined,
      'not_a_string',
      'expected a well-formed string, received 1',
    ],
    ['a namespace that is not a uuid', 'ada', 'dns', 'invalid_uuid'],
    [
      'an uppercase namespace',
      'ada',
      '6BA7B811-9DAD-11D1-80B4-00C04FD430C8',
      'invalid_uuid',
    ],
    ['a null namespace', 'ada', null, 'not_a_string'],
  ])('%s is rejected', async (_, name, namespace, code, shown = '') => {
    await expect(
      idFromName(UserId, name as string, namespace as string),
    ).rejects.toMatchObject({ code, message: expect.stringContaining(shown) })
  })
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

  test.each([-1, Number.NaN, 2 ** 48])('rejects the time %s', (time) => {
    expect(() => firstIdAt(UserId, time)).toThrow(
      expect.objectContaining({ code: 'invalid_time' }),
    )
    expect(() => lastIdAt(UserId, time)).toThrow(
      expect.objectContaining({ code: 'invalid_time' }),
    )
  })

  test('SQLite runs a query for a range of times with a range scan on the primary key', () => {
    const db = new Database(':memory:')
    db.exec('create table users (id text primary key) without rowid')
    let now = Date.UTC(2024, 0, 1)
    const uuid = createUuidv7({ now: () => (now += 60_000) })
    const insert = db.prepare('insert into users values (?)')
    for (let i = 0; i < 1000; i++) insert.run(UserId.fromUuid(uuid()))
    const query = 'select id from users where id >= ? and id < ?'
    const range = [Date.UTC(2024, 0, 1, 2), Date.UTC(2024, 0, 1, 3)].map(
      (time) => firstIdAt(UserId, time),
    )
    expect(db.prepare(query).all(...range)).toHaveLength(60)
    expect(
      db.prepare(`explain query plan ${query}`).all(...range),
    ).toMatchObject([
      { detail: 'SEARCH users USING PRIMARY KEY (id>? AND id<?)' },
    ])
  })
})

describe('ULIDs', () => {
  test.each<[time: number, text: string]>([
    [0, '00000000000000000000000000'],
    [1718360049300, '01J0B3V1MMEEDTX9CPDGKFHBCH'],
    [2 ** 48 - 1, '7ZZZZZZZZZZZZZZZZZZZZZZZZZ'],
    ...[1, 1_800_000_000_000, 2 ** 48 - 1].map(
      (time) => [time, ulid(time)] as [number, string],
    ),
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

  test('ids sort as their ULIDs do', () => {
    const ulids = Array.from({ length: 1000 }, (_, i) => ulid(2 ** (i % 48)))
    const ids = ulids.map((text) => fromUlid(UserId, text))
    expect(ids.sort().map((id) => toUlid(UserId, id))).toEqual(ulids.sort())
  })

  test('ulidTime and timestamp return the same time of a version 7 id', () => {
    expect(ulidTime(UserId, UserId.example)).toEqual(
      UserId.timestamp(UserId.example),
    )
  })

  test.each([
    ['more than 128 bits', '80000000000000000000000000'],
    ['25 digits', '01J0B3V1MMEEDTX9CPDGKFHBC'],
    ['27 digits', '01J0B3V1MMEEDTX9CPDGKFHBCH0'],
    ['the letter U', '01J0B3V1MMEEDTX9CPDGKFHBCU'],
    ['a Kelvin sign, whose lower case is k', '01J0B3V1MMEEDTX9CPDG\u212aFHBCH'],
    ['a line break', '01J0B3V1MMEEDTX9CPDGKFHBCH\n'],
    ['an id', 'user_01j0b3v1mmeedtx9cpdgkfhbch'],
    ['an array of a ULID', ['01J0B3V1MMEEDTX9CPDGKFHBCH'], 'not_a_string'],
    ['null', null, 'not_a_string'],
  ])('fromUlid rejects %s', (_, value, code = 'malformed_short') => {
    const expected = 'a ULID of 26 base32 digits'
    expect(() => fromUlid(UserId, value as string)).toThrow(
      expect.objectContaining({ code, expected }),
    )
  })

  test('toUlid and ulidTime reject an id of another type', () => {
    const id = defineId('team').example as string as typeof UserId.example
    expect(() => toUlid(UserId, id)).toThrow('expected user, received team')
    expect(() => ulidTime(UserId, id)).toThrow('expected user, received team')
  })
})
