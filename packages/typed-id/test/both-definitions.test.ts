import { describe, expect, expectTypeOf, test } from 'vitest'
import {
  defineId,
  firstIdAt,
  fromBase62,
  fromUlid,
  type IdDefinition,
  idFromName,
  lastIdAt,
  parseLoose,
  toBase62,
  toUlid,
  ulidTime,
} from '../src/index.ts'
import { opaqueIds } from '../src/opaque.ts'
import {
  type CheckedTypeIdPrefix,
  defineTypeId,
  type TypeIdType,
} from '../src/typeid.ts'

/**
 * Every function that accepts a type of `defineId` must also accept one of
 * `defineTypeId`.
 */
const UserId = defineId('user')
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
    for (const wrong of [`other_${digits}`, `_${text}`, `${text}00`])
      expect(() => fromBase62(type, wrong), wrong).toThrow()
  })

  test('are named in the messages of base 62', () => {
    const start = type.prefix && `"${type.prefix}_" and `
    expect(() => fromBase62(type, '?')).toThrow(
      `malformed short: expected ${start}1 to 22 letters and digits, received "?"`,
    )
    expect(() => fromBase62(type, 'team_0')).toThrow(
      `wrong type: expected ${type.prefix || 'no prefix'}, received team in "team_0"`,
    )
  })

  test('are corrected by parseLoose', () => {
    for (const typed of [
      id,
      ` ${id.toUpperCase()}\n`,
      id.replaceAll('_', '%5F'),
      id.slice(0, -2) + id.slice(-2).toUpperCase(),
      `${id.slice(0, -26)}${id.slice(-26).replace('0', 'O').replace('1', 'l')}`,
    ])
      expect(parseLoose(type, typed).data, typed).toBe(id)
    expect(parseLoose(type, `team_${id.slice(-26)}`).error?.code).toBe(
      'wrong_type',
    )
    for (const wrong of [`${id}0`, uuid, '', 5])
      expect(parseLoose(type, wrong).success).toBe(false)
    expect(parseLoose(type, '?').error?.received).toBe('"?"')
  })
})

test('the same name of two prefixes has two ids', async () => {
  const ids = await Promise.all(TYPE_IDS.map((type) => idFromName(type, 'Ada')))
  expect(new Set(ids.map((id) => id.slice(-26))).size).toBe(3)
  expect(ids[0]?.slice(-26)).toBe(
    UserId.toShort(await idFromName(UserId, 'Ada')).slice(-26),
  )
})

test('a generic function takes both definitions', () => {
  const since = <Id extends string>(type: IdDefinition<string, Id>) =>
    firstIdAt(type, TIME)
  const LineId = defineTypeId('order_line')
  expectTypeOf(since(UserId)).toEqualTypeOf<typeof UserId.example>()
  expectTypeOf(since(LineId)).toEqualTypeOf<typeof LineId.example>()
  const define = <const P extends string>(prefix: CheckedTypeIdPrefix<P>) =>
    defineTypeId<P>(prefix)
  expectTypeOf(define('order_line')).toEqualTypeOf<TypeIdType<'order_line'>>()
  expect(since(define('order_line'))).toBe(since(LineId))
  // @ts-expect-error an invalid prefix
  expect(() => define('order-line')).toThrow('invalid prefix')
})
