import { expect, test } from 'vitest'
import { defineId, idRegistry, TypedIdError, uuidv4 } from '../src/index.ts'

const UserId = defineId('user')
const TeamId = defineId('team', { uuid: uuidv4 })

test('ids round trip', () => {
  const id = UserId.generate()
  expect(id).toMatch(new RegExp(UserId.pattern))
  expect(UserId.parse(id)).toBe(id)
  expect(UserId.toShort(id)).toMatch(new RegExp(UserId.shortPattern))
  expect(UserId.fromShort(UserId.toShort(id))).toBe(id)
  expect(UserId.parseAny(UserId.toShort(id))).toBe(id)
  expect(UserId.fromBytes(UserId.toBytes(id))).toBe(id)
  expect(UserId.fromUuid(UserId.toUuid(id))).toBe(id)
  expect(Math.abs(Number(UserId.timestamp(id)) - Date.now())).toBeLessThan(1000)
  expect(TeamId.timestamp(TeamId.generate())).toBeUndefined()
  const ids = UserId.generateMany(100000)
  expect(ids.toSorted()).toEqual(ids)
  expect(new Set(ids).size).toBe(100000)
  const refused = UserId.safeParse(TeamId.generate())
  expect(refused.error).toBeInstanceOf(TypedIdError)
  expect(refused.error).toMatchObject({
    code: 'wrong_type',
    expected: 'user',
    received: 'team',
    name: 'TypedIdError',
  })
  expect(refused.error?.stack?.split('\n').length).toBe(1)
  expect(() => UserId.parse(Symbol('x'))).toThrow('Expected user-<lowercase uuid>, received a symbol')
  expect(UserId.toShort(UserId.example)).toBe('user_01j0b3v1mmeedtx9cpdgkfhbch')
  const ids2 = idRegistry([UserId, TeamId])
  expect(ids2.parse('user_01j0b3v1mmeedtx9cpdgkfhbch')).toEqual({ type: 'user', id: UserId.example })
})
