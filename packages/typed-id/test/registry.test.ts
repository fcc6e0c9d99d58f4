import { expect, test } from 'vitest'
import { defineId, idRegistry } from '../src/index.ts'

const UserId = defineId('user')
const TeamId = defineId('team')
const ids = idRegistry([UserId, TeamId])

test('parse tells the type of either form and returns the standard form', () => {
  expect(ids.parse(UserId.example)).toEqual({ type: 'user', id: UserId.example })
  expect(ids.parse(TeamId.toShort(TeamId.example))).toEqual({ type: 'team', id: TeamId.example })
  expect(ids.safeParse(TeamId.example)).toEqual({ success: true, data: { type: 'team', id: TeamId.example } })
})

test('is holds for standard ids of its types only', () => {
  expect(ids.is(UserId.example)).toBe(true)
  expect(ids.is(UserId.toShort(UserId.example))).toBe(false)
  expect(ids.is(defineId('role').example)).toBe(false)
})

test('generate makes an id of the named type', () => {
  expect(TeamId.is(ids.generate('team'))).toBe(true)
  expect(() => ids.generate('role' as 'team')).toThrow(expect.objectContaining({ code: 'unknown_prefix' }))
})

test('types lists what it was given, and can be changed by nobody', () => {
  const list = [UserId, TeamId]
  const { types } = idRegistry<'user' | 'team'>(list)
  list.pop()
  expect(types.map(({ prefix }) => prefix)).toEqual(['user', 'team'])
  expect(Object.isFrozen(types)).toBe(true)
})

test('a prefix that every object has as a property is unknown unless defined', () => {
  const uuid = UserId.toUuid(UserId.example)
  for (const prefix of ['constructor', 'toString', 'valueOf', 'hasOwnProperty']) {
    expect(ids.safeParse(`${prefix}-${uuid}`).error?.code).toBe('unknown_prefix')
  }
  expect(idRegistry([defineId('constructor')]).parse(`constructor-${uuid}`).type).toBe('constructor')
})

test('one prefix may begin with another', () => {
  const nested = idRegistry([defineId('a'), defineId('aa'), defineId('aaa')])
  expect(nested.parse(defineId('aa').example).type).toBe('aa')
})

test('prefixes that differ in case are different types', () => {
  expect(idRegistry([defineId('user'), defineId('User')]).parse(defineId('User').example).type).toBe('User')
})

test('an empty registry knows nothing', () => {
  expect(idRegistry([]).safeParse(UserId.example).error?.code).toBe('unknown_prefix')
})
