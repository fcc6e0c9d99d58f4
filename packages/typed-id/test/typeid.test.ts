import { describe, expect, test } from 'vitest'
import { defineId, uuidv4, uuidv7 } from '../src/index.ts'
import {
  defineTypeId,
  fromString,
  fromTypeId,
  toTypeId,
} from '../src/typeid.ts'
import { codeOf } from './reference.ts'

const UserId = defineTypeId('user')
const LineId = defineTypeId('order_line')
const BareId = defineTypeId('')
const SUFFIX = '01j0b3v1mmeedtx9cpdgkfhbch'
const UUID = '0190163d-8694-739b-aea5-966c26f8ad91'

test.each([
  'User',
  'user2',
  '_user',
  'user_',
  'user-id',
  'a'.repeat(64),
  'user\n',
])('%j is not a prefix', (prefix) => {
  expect(codeOf(() => defineTypeId<string>(prefix))).toBe('invalid_prefix')
})

test.each(['', 'a', 'a__b', 'z'.repeat(63), `a${'_'.repeat(61)}z`])(
  '%j is a prefix',
  (prefix) => {
    const id = defineTypeId<string>(prefix).fromUuid(UUID)
    expect(id).toBe(prefix === '' ? SUFFIX : `${prefix}_${SUFFIX}`)
    expect(fromString(id, prefix)).toBe(id)
  },
)

// biome-ignore format: one message a line
test.each([
  [UserId, LineId.example, `wrong type: expected user, received order_line in "order_line_${SUFFIX}"`],
  [UserId, SUFFIX, `wrong type: expected user, received no prefix in "${SUFFIX}"`],
  [UserId, '?', 'not a valid user id: expected "user_" and 26 lowercase characters, received "?"'],
  [BareId, '?', 'not a valid id: expected 26 lowercase characters, received "?"'],
  [UserId, 5, 'not a string: expected "user_" and 26 lowercase characters, received 5'],
  [BareId, `user_${SUFFIX}`, `wrong type: expected no prefix, received user in "user_${SUFFIX}"`],
])('the type "$prefix" rejects %j with a message about both types', (type, value, message) => {
  expect(type.safeParse(value).error?.message).toBe(message)
})

test('conversions reject the standard form of an id', () => {
  for (const convert of [UserId.toUuid, UserId.toBytes])
    expect(codeOf(() => convert(`user-${UUID}` as never))).toBe(
      'malformed_short',
    )
})

test('new TypeIDs of all types, and ids of defineId, share one increasing sequence', () => {
  const CoreId = defineId('core')
  const uuids = Array.from({ length: 100 }, () => [
    UserId.toUuid(UserId.generate()),
    CoreId.toUuid(CoreId.generate()),
    ...LineId.generateMany(2).map(LineId.toUuid),
    BareId.toUuid(BareId.generate()),
    uuidv7(),
  ]).flat()
  expect(uuids).toEqual([...new Set(uuids)].sort())
})

test('a source of UUIDs can be given', () => {
  const SessionId = defineTypeId('session', { uuid: uuidv4 })
  expect(SessionId.version(SessionId.generate())).toBe(4)
  expect(SessionId.timestamp(SessionId.generate())).toBeUndefined()
})

test('a type is frozen, and its prefix is a string', () => {
  expect(Object.isFrozen(UserId)).toBe(true)
  expect(codeOf(() => defineTypeId(['user'] as never))).toBe('invalid_prefix')
  expect(UserId.timestamp(UserId.example)?.toISOString()).toBe(
    '2024-06-14T10:14:09.300Z',
  )
})

test.each([UserId, LineId, BareId])(
  'bytes and UUIDs of "$prefix" convert back',
  (type) => {
    const { example, fromBytes, fromUuid, toBytes, toUuid } =
      type as typeof UserId
    expect(fromBytes(toBytes(example))).toBe(example)
    expect(fromUuid(toUuid(example))).toBe(example)
    expect(example.slice(-26)).toBe(SUFFIX)
  },
)

describe('conversion from and to a type of defineId', () => {
  const CoreId = defineId('user')

  test('keeps the UUID in both directions', () => {
    const id = CoreId.generate()
    const typeid = toTypeId(CoreId, id)
    expect(typeid).toBe(CoreId.toShort(id))
    expect(UserId.toUuid(typeid)).toBe(CoreId.toUuid(id))
    expect(fromTypeId(CoreId, typeid)).toBe(id)
  })

  test('rejects a TypeID of another type, and a prefix that TypeID does not allow', () => {
    expect(codeOf(() => fromTypeId(CoreId, LineId.example as never))).toBe(
      'malformed_short',
    )
    expect(codeOf(() => fromTypeId(CoreId, `team_${SUFFIX}` as never))).toBe(
      'wrong_type',
    )
    const UpperId = defineId<string>('User2')
    expect(codeOf(() => toTypeId(UpperId, UpperId.example))).toBe(
      'invalid_prefix',
    )
  })
})
