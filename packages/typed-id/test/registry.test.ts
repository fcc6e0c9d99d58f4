import { expect, test } from 'vitest'
import { type AnyIdType, defineId, idRegistry } from '../src/index.ts'
import { defineTypeId } from '../src/typeid.ts'

const UserId = defineId('user')
const TeamId = defineId('team')
const LineId = defineTypeId('order_line')
const ids = idRegistry([UserId, TeamId])

test.each([
  ['user', 'malformed_standard', 'malformed_short'],
  ['order_line', 'malformed_short', 'malformed_short'],
  ['role', 'malformed_short', 'malformed_short'],
])(
  'a wrong suffix after %s_ is reported with the form that is expected',
  (prefix, code, eitherForm) => {
    const mixed = idRegistry([UserId, LineId])
    const text = `${prefix}_${'u'.repeat(26)}`
    expect(mixed.safeParse(text).error?.code).toBe(code)
    expect(mixed.safeParseEitherForm(text).error?.code).toBe(eitherForm)
  },
)

test('the type of an id is its prefix, and a value that is not an id has the same error in each registry', () => {
  const mixed = idRegistry([LineId, defineTypeId(''), UserId])
  for (const { prefix, example } of mixed.types)
    expect(mixed.safeParse(example).data).toEqual({ type: prefix, id: example })
  expect(mixed.safeParse(defineTypeId('order').example).error).toMatchObject({
    code: 'unknown_prefix',
    received: 'order',
  })
  expect(mixed.safeParse(5).error).toEqual(ids.safeParse(5).error)
  expect(() => idRegistry([UserId, defineTypeId('user')])).toThrow(
    'duplicate prefix',
  )
})

test('generate returns an id of the given type', () => {
  expect(TeamId.is(ids.generate('team'))).toBe(true)
  expect(() => ids.generate('role' as 'team')).toThrow(
    expect.objectContaining({ code: 'unknown_prefix' }),
  )
})

test('a type and a registry are frozen, with frozen copies of the given types and aliases', () => {
  const list = [UserId, TeamId]
  const old: Record<string, typeof UserId> = { account: UserId }
  const registry = idRegistry<AnyIdType>(list, { aliases: old })
  list.pop()
  delete old.account
  const { types, aliases } = registry
  expect({ types, aliases }).toEqual({
    types: [UserId, TeamId],
    aliases: { account: UserId },
  })
  for (const value of [
    ...[UserId, UserId['~standard'], registry, registry['~standard']],
    ...[types, aliases],
  ])
    expect(Object.isFrozen(value)).toBe(true)
})

test('a prefix may start with another one, or differ from it in case', () => {
  const types = ['a', 'aa', 'A', 'constructor'].map((prefix) =>
    defineId<string>(prefix),
  )
  for (const { prefix, example } of types)
    expect(idRegistry(types).parse(example).type).toBe(prefix)
  // The prefix `constructor` must be unknown, although every plain object
  // inherits a property with this name.
  expect(ids.safeParse(types[3]?.example).error?.code).toBe('unknown_prefix')
})

test('an alias is not a type: types and generate do not know it', () => {
  const renamed = idRegistry([UserId, TeamId], {
    aliases: { Account1: UserId },
  })
  expect(renamed.parse(defineId('Account1').example).type).toBe('user')
  expect(renamed.types).toEqual([UserId, TeamId])
  expect(() => renamed.generate('Account1' as 'user')).toThrow(
    expect.objectContaining({ code: 'unknown_prefix' }),
  )
})

test.each([
  ['a registered prefix', { team: UserId }, 'duplicate_prefix'],
  ['an invalid prefix', { 'old-user': UserId }, 'invalid_prefix'],
  ['an invalid prefix of TypeIDs', { 'a.b': LineId }, 'invalid_prefix'],
  [
    'a type that is not registered',
    { account: defineId('role') as never },
    'unknown_prefix',
  ],
])('an alias for %s is rejected', (_, aliases, code) => {
  expect(() =>
    idRegistry([UserId, TeamId, LineId], {
      aliases: aliases as Record<string, typeof UserId>,
    }),
  ).toThrow(expect.objectContaining({ code }))
})
