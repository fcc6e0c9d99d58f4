import { inspect } from 'node:util'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import * as z from 'zod'
import { defineId, uuidv7At } from '../src/index.ts'
import { opaqueIds } from '../src/opaque.ts'
import { idSchema, opaqueIdSchema } from '../src/zod.ts'

const UserId = defineId('user')
const KEY = '0f1e2d3c4b5a69788796a5b4c3d2e1f0'
const OTHER = '00112233445566778899aabbccddeeff'
const userIds = opaqueIds(UserId, { keys: [`1:${KEY}`, `0:${OTHER}`] })

const keys = fc
  .uint8Array({ minLength: 16, maxLength: 16 })
  .map((bytes) => Buffer.from(bytes))
const storedIds = fc
  .tuple(fc.nat({ max: 2 ** 44 - 1 }), fc.uuid())
  .map(([ms, uuid]) =>
    UserId.fromUuid(
      `${uuidv7At(ms).slice(0, 15)}${uuid.slice(15, 19)}8${uuid.slice(20)}`,
    ),
  )

test('opaque ids return to the stored id under any key, with and without a number', () => {
  fc.assert(
    fc.property(storedIds, keys, fc.nat({ max: 15 }), (id, key, number) => {
      for (const text of [
        key.toString('hex'),
        `${number.toString(16)}:${key.toString('base64')}`,
      ]) {
        const { toOpaque, fromOpaque } = opaqueIds(UserId, { keys: [text] })
        expect(fromOpaque(toOpaque(id))).toBe(id)
        expect(UserId.version(toOpaque(id))).toBe(4)
      }
    }),
  )
})

test.each([
  ['reveals', KEY, true],
  ['hides', `1:${KEY}`, false],
])(
  '%s the time from a client that can page after changed ids: key %s',
  (_, key, isRevealed) => {
    const { toOpaque, fromOpaque } = opaqueIds(UserId, { keys: [key] })
    const id = UserId.generate()
    const opaque = UserId.toBytes(toOpaque(id))
    // A client flips a bit of an opaque id, and requests the ids after the
    // changed id. If the key has no number, the same bit of the hidden time
    // changes: the client receives the original id only if the bit was 1.
    let time = 0
    for (let bit = 4; bit < 48; bit++) {
      const changed = opaque.map((byte, i) =>
        i === bit >> 3 ? byte ^ (128 >> (bit & 7)) : byte,
      )
      time = 2 * time + Number(fromOpaque(UserId.fromBytes(changed)) < id)
    }
    expect(time === UserId.timestamp(id)?.getTime()).toBe(isRevealed)
  },
)

describe('a key ring', () => {
  const previous = opaqueIds(UserId, { keys: [`0:${OTHER}`] })

  test('accepts the ids of the previous key and returns ids of the current key', () => {
    const id = UserId.generate()
    expect(userIds.fromOpaque(previous.toOpaque(id))).toBe(id)
    expect(userIds.toOpaque(id)).toMatch(/^user-1/)
  })

  test('rejects the ids of every key that it does not have', () => {
    for (let number = 1; number < 16; number++) {
      const keys = [`${number.toString(16)}:${KEY}`]
      const unknown = opaqueIds(UserId, { keys }).toOpaque(UserId.example)
      const ring = number === 1 ? previous : userIds
      expect(() => ring.fromOpaque(unknown)).toThrow(
        /^invalid uuid: expected an opaque id of a current key, received "user-/,
      )
    }
  })

  test.each([userIds, previous])(
    'rejects a time from the year 2527, whose bits contain the number',
    ({ toOpaque }) => {
      expect(() => toOpaque(UserId.fromUuid(uuidv7At(2 ** 44)))).toThrow(
        'invalid uuid: expected a UUID of version 7 before the year 2527, received "user-',
      )
    },
  )

  test('without a number converts any time', () => {
    const { toOpaque, fromOpaque } = opaqueIds(UserId, { keys: [KEY] })
    const id = UserId.fromUuid(uuidv7At(2 ** 48 - 1))
    expect(fromOpaque(toOpaque(id))).toBe(id)
  })
})

const opaque = userIds.toOpaque(UserId.example)
const NIL = '00000000-0000-0000-0000-000000000000'
const variant = opaque.replace(/-.(.{3}-.{12})$/, '-c$1')

test.each([
  ['fromOpaque', 'a stored id', UserId.example, 'invalid_uuid'],
  ['fromOpaque', 'another type', opaque.replace('user', 'team'), 'wrong_type'],
  ['fromOpaque', 'upper case', opaque.toUpperCase(), 'malformed_standard'],
  ['fromOpaque', 'another variant', variant, 'invalid_uuid'],
  ['fromOpaque', 'null', null, 'not_a_string'],
  ['toOpaque', 'an opaque id', opaque, 'invalid_uuid'],
  ['toOpaque', 'a nil UUID', UserId.fromUuid(NIL), 'invalid_uuid'],
] as const)('%s rejects %s', (name, _, value, code) => {
  expect(() => userIds[name](value as never)).toThrow(
    expect.objectContaining({ code }),
  )
})

describe('keys', () => {
  test('are hexadecimal in either case, or base64 with or without padding', () => {
    const hex = 'fbefbe00ffffffffff00112233445566'
    const base64 = Buffer.from(hex, 'hex').toString('base64')
    const texts = [hex, hex.toUpperCase(), base64, base64.slice(0, 22)]
    const masked = texts.map((key) =>
      opaqueIds(UserId, { keys: [key] }).toOpaque(UserId.example),
    )
    expect([new Set(texts).size, new Set(masked).size]).toEqual([4, 1])
  })

  test.each([
    [[], 0],
    [[KEY, OTHER], 0],
    [[`1:${KEY}`, OTHER], 1],
    [[`a:${KEY}`, `A:${OTHER}`], 1],
    [[`1:${KEY}`, `0:${OTHER}0`], 1],
    [[`${KEY}\n`], 0],
    [[`10:${KEY}`], 0],
    [['+++++++++++++++++++++/'], 0],
    [[undefined], 0],
  ])('%j are rejected without a part of them in the message', (keys, index) => {
    const create = () => opaqueIds(UserId, { keys: keys as string[] })
    expect(create).toThrow(TypeError)
    expect(create).toThrow(
      `keys[${index}]: expected <own hex digit>:<16 bytes in hex or base64>`,
    )
    const showsKey = ({ stack = '' }: Error) =>
      [KEY, OTHER].some((key) => stack.includes(key.slice(0, 8)))
    expect(create).not.toThrow(expect.toSatisfy(showsKey))
  })

  test('are not in what is printed of the conversions', () => {
    expect(
      inspect(userIds, { depth: 9, showHidden: true }) +
        JSON.stringify(userIds),
    ).not.toContain(KEY)
    expect(Object.keys(userIds)).toEqual(['type', 'toOpaque', 'fromOpaque'])
    expect(Object.isFrozen(userIds)).toBe(true)
  })
})

describe('opaqueIdSchema', () => {
  const schema = z.object({ user_id: opaqueIdSchema(userIds) })

  test('takes and returns opaque ids at the edge, and stored ids inside', () => {
    const id = UserId.generate()
    const outside = z.encode(schema, { user_id: id })
    expect(outside).toEqual({ user_id: userIds.toOpaque(id) })
    expect(schema.parse(outside)).toEqual({ user_id: id })
  })

  test.each([
    ['a stored id of a request', z.safeDecode, UserId.example, 4],
    ['an id without an opaque id', z.safeEncode, opaque, 7],
  ] as const)(
    'reports %s as an issue, without the id',
    (_, convert, id, version) => {
      const message = `Expected a UUID of version ${version}`
      expect(convert(schema, { user_id: id }).error?.issues).toEqual([
        { code: 'custom', path: ['user_id'], message },
      ])
    },
  )

  test.each([
    ['a message', 'not an id'],
    ['a function', () => 'not an id'],
  ])('applies the option error, %s, to a stored id, too', (_, error) => {
    const result = opaqueIdSchema(userIds, { error }).safeParse(UserId.example)
    expect(result.error?.issues).toMatchObject([
      { code: 'custom', message: 'not an id' },
    ])
  })

  test('has the JSON Schema of idSchema', () => {
    const io = 'input'
    expect(z.toJSONSchema(opaqueIdSchema(userIds), { io })).toEqual(
      z.toJSONSchema(idSchema(UserId), { io }),
    )
  })
})
