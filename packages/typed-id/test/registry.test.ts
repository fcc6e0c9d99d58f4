import { expect, test } from 'vitest'
import { defineId, idRegistry } from '../src/index.ts'
import { defineTypeId } from '../src/typeid.ts'

const UserId = defineId('user')
const TeamId = defineId('team')
const ids = idRegistry([UserId, TeamId])

test('parse accepts the standard form only, parseEitherForm also the short form', () => {
  const short = TeamId.toShort(TeamId.example)
  const found = { type: 'team', id: TeamId.example }
  expect(ids.parse(UserId.example)).toEqual({
    type: 'user',
    id: UserId.example,
  })
  expect(ids.parseEitherForm(short)).toEqual(found)
  expect(ids.safeParseEitherForm(short)).toEqual({ success: true, data: found })
  expect([ids.isEitherForm(short), ids.is(short)]).toEqual([true, false])
  expect(() => ids.parse(short)).toThrow(
    `short form of a valid team id: expected "team-" and a lowercase UUID, received "${short}"`,
  )
  expect(ids['~standard'].validate(TeamId.example)).toEqual({
    value: TeamId.example,
  })
  expect(ids['~standard'].validate(short).issues?.[0].code).toBe(
    'malformed_standard',
  )
  expect(ids.safeParse(TeamId.example)).toEqual({ success: true, data: found })
})

test.each([
  ['user', 'malformed_standard', 'malformed_short'],
  ['order_line', 'malformed_short', 'malformed_short'],
  ['role', 'malformed_short', 'malformed_short'],
])(
  'a wrong suffix after %s_ is reported with the form that is expected',
  (prefix, code, eitherForm) => {
    const mixed = idRegistry([UserId, defineTypeId('order_line')])
    const text = `${prefix}_${'u'.repeat(26)}`
    expect(mixed.safeParse(text).error?.code).toBe(code)
    expect(mixed.safeParseEitherForm(text).error?.code).toBe(eitherForm)
  },
)

test('a registry takes types of defineTypeId, whose prefixes may contain _ or be empty', () => {
  const types = [defineTypeId('order_line'), defineTypeId(''), UserId] as const
  const mixed = idRegistry([...types])
  for (const { prefix, example } of types) {
    for (const parse of [mixed.parse, mixed.parseEitherForm])
      expect(parse(example)).toEqual({ type: prefix, id: example })
    expect(mixed.is(example)).toBe(true)
  }
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

test('types contains the given types and is frozen', () => {
  const list = [UserId, TeamId]
  const { types } = idRegistry(list)
  list.pop()
  expect(types.map(({ prefix }) => prefix)).toEqual(['user', 'team'])
  expect(Object.isFrozen(types)).toBe(true)
})

test('a prefix may start with another one, or differ from it in case', () => {
  const types = ['a', 'aa', 'A', 'constructor'].map((prefix) =>
    defineId<string>(prefix),
  )
  for (const { prefix, example } of types)
    expect(idRegistry(types).parse(example).type).toBe(prefix)
  // `constructor` is also a property of every object, so a lookup in a plain
  // object would find it.
  expect(ids.safeParse(types[3]?.example).error?.code).toBe('unknown_prefix')
})

test('an alias accepts the ids of an earlier prefix and writes the current one', () => {
  const renamed = idRegistry([UserId, TeamId], {
    aliases: { account: UserId, member: UserId },
  })
  const AccountId = defineId('account')
  const wanted = { type: 'user', id: UserId.example }
  expect(renamed.parse(AccountId.example)).toEqual(wanted)
  expect(renamed.parseEitherForm(AccountId.toShort(AccountId.example))).toEqual(
    wanted,
  )
  expect(renamed.safeParse(defineId('member').example)).toEqual({
    success: true,
    data: wanted,
  })
  expect(renamed.types).toEqual([UserId, TeamId])
  expect(renamed.aliases).toEqual({ account: UserId, member: UserId })
  expect(() => renamed.generate('account' as 'user')).toThrow(
    expect.objectContaining({ code: 'unknown_prefix' }),
  )
})

test('an alias of a type of TypeIDs is an earlier prefix of the TypeIDs, also of those without a prefix', () => {
  const LineId = defineTypeId('order_line')
  const BareId = defineTypeId('')
  const aliases = { old_line: LineId, bare: BareId } as never
  const renamed = idRegistry([LineId, BareId], { aliases })
  for (const [prefix, type] of [
    ['old_line', LineId],
    ['bare', BareId],
  ] as const)
    expect(renamed.parse(`${prefix}_${BareId.example}`)).toEqual({
      type: type.prefix,
      id: type.example,
    })
})

test.each([
  ['a registered prefix', { team: UserId }, 'duplicate_prefix'],
  ['an invalid prefix', { 'old-user': UserId }, 'invalid_prefix'],
  [
    'a type that is not registered',
    { account: defineId('role') as never },
    'unknown_prefix',
  ],
])('an alias for %s is rejected', (_, aliases, code) => {
  expect(() =>
    idRegistry([UserId, TeamId], {
      aliases: aliases as Record<string, typeof UserId>,
    }),
  ).toThrow(expect.objectContaining({ code }))
})
