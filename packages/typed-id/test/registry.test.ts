import { expect, test } from 'vitest'
import { defineId, idRegistry } from '../src/index.ts'

const UserId = defineId('user')
const TeamId = defineId('team')
const ids = idRegistry([UserId, TeamId])

test('parse returns the type and the standard form of either form', () => {
  expect(ids.parse(UserId.example)).toEqual({ type: 'user', id: UserId.example })
  expect(ids.parse(TeamId.toShort(TeamId.example))).toEqual({ type: 'team', id: TeamId.example })
  expect(ids.safeParse(TeamId.example)).toEqual({ success: true, data: { type: 'team', id: TeamId.example } })
})

test('is accepts only standard ids of its types', () => {
  expect(ids.is(UserId.example)).toBe(true)
  expect(ids.is(UserId.toShort(UserId.example))).toBe(false)
  expect(ids.is(defineId('role').example)).toBe(false)
})

test('generate returns an id of the given type', () => {
  expect(TeamId.is(ids.generate('team'))).toBe(true)
  expect(() => ids.generate('role' as 'team')).toThrow(expect.objectContaining({ code: 'unknown_prefix' }))
})

test('types contains the given types and is frozen', () => {
  const list = [UserId, TeamId]
  const { types } = idRegistry(list)
  list.pop()
  expect(types.map(({ prefix }) => prefix)).toEqual(['user', 'team'])
  expect(Object.isFrozen(types)).toBe(true)
})

test('the name of an Object.prototype property is an unknown prefix unless it is registered', () => {
  const uuid = UserId.toUuid(UserId.example)
  for (const prefix of ['constructor', 'toString', 'valueOf', 'hasOwnProperty']) {
    expect(ids.safeParse(`${prefix}-${uuid}`).error?.code).toBe('unknown_prefix')
  }
  expect(idRegistry([defineId('constructor')]).parse(`constructor-${uuid}`).type).toBe('constructor')
})

test('a prefix may start with another prefix', () => {
  const nested = idRegistry([defineId('a'), defineId('aa'), defineId('aaa')])
  expect(nested.parse(defineId('aa').example).type).toBe('aa')
})

test('prefixes that differ in case are different types', () => {
  expect(idRegistry([defineId('user'), defineId('User')]).parse(defineId('User').example).type).toBe('User')
})

test('an empty registry rejects every id', () => {
  expect(idRegistry([]).safeParse(UserId.example).error?.code).toBe('unknown_prefix')
})

test('an alias accepts the ids of an earlier prefix and writes the current one', () => {
  const renamed = idRegistry([UserId, TeamId], { aliases: { account: UserId, member: UserId } })
  const AccountId = defineId('account')
  const wanted = { type: 'user', id: UserId.example }
  expect(renamed.parse(AccountId.example)).toEqual(wanted)
  expect(renamed.parse(AccountId.toShort(AccountId.example))).toEqual(wanted)
  expect(renamed.safeParse(defineId('member').example)).toEqual({ success: true, data: wanted })
  expect(renamed.parse(UserId.example)).toEqual(wanted)
  expect(renamed.is(AccountId.example)).toBe(false)
  expect(renamed.types).toEqual([UserId, TeamId])
  expect(() => renamed.generate('account' as 'user')).toThrow(
    expect.objectContaining({ code: 'unknown_prefix' }),
  )
})

test.each([
  ['a registered prefix', { team: UserId }, 'duplicate_prefix'],
  ['an invalid prefix', { 'old-user': UserId }, 'invalid_prefix'],
  ['a type that is not registered', { account: defineId('role') as never }, 'unknown_prefix'],
])('an alias for %s is rejected', (_, aliases, code) => {
  expect(() => idRegistry([UserId, TeamId], { aliases: aliases as Record<string, typeof UserId> })).toThrow(
    expect.objectContaining({ code }),
  )
})
