import { execFileSync } from 'node:child_process'
import { describe, expect, test } from 'vitest'
import type { IdStorage } from '../src/codec.ts'
import { defineId } from '../src/index.ts'
import { type DataModel, type IdFields, idExtension } from '../src/prisma.ts'

const UserId = defineId('user')
const TeamId = defineId('team')
const [user, team] = [UserId.example, TeamId.example]
const uuid = UserId.toUuid(user)
const isUuid = expect.stringMatching(/^[0-9a-f-]{36}$/)

const scalar = (name: string, type = 'String') => ({
  name,
  kind: 'scalar',
  type,
  isId: name === 'id',
})
const relation = (
  name: string,
  type: string,
  relationFromFields: string[] = [],
  relationToFields: string[] = [],
) => ({ name, kind: 'object', type, relationFromFields, relationToFields })
const RELATION_FILTERS = ['is', 'isNot', 'some', 'every', 'none']
const DATA_MODEL: DataModel = [
  {
    name: 'User',
    fields: [
      scalar('id'),
      scalar('name'),
      scalar('teamId'),
      { ...scalar('friends'), isList: true, hasDefaultValue: true },
      relation('team', 'Team', ['teamId'], ['id']),
      relation('notes', 'Note'),
    ],
  },
  {
    name: 'Team',
    fields: [scalar('id'), scalar('name'), relation('users', 'User')],
  },
  {
    name: 'Note',
    fields: [
      scalar('id', 'Int'),
      scalar('data', 'Json'),
      scalar('authorId'),
      ...RELATION_FILTERS.map((name) => scalar(name)),
      relation('author', 'User', ['authorId'], ['id']),
    ],
  },
]
const FIELDS = { User: { id: UserId, friends: UserId }, Team: { id: TeamId } }

function extend(dataModel: DataModel, storage: IdStorage, fields: IdFields) {
  const { $allOperations } = idExtension(dataModel, storage, fields).query
  type Name = string | undefined
  return {
    async send(model: Name, operation: string, args: unknown) {
      let sent: unknown
      const query = async (args: unknown) => {
        sent = args
      }
      await $allOperations({ model, operation, args, query })
      return sent
    },
    read: (model: Name, result: unknown, operation = 'findMany', args = {}) =>
      $allOperations({ model, operation, args, query: async () => result }),
  }
}

const uuids = extend(DATA_MODEL, 'uuid', FIELDS)
const { send, read } = uuids

const stored = (value: object) =>
  JSON.parse(
    JSON.stringify(value).replaceAll(user, uuid).replaceAll(team, uuid),
  )

describe('arguments', () => {
  // biome-ignore format: one case a line
  test.each<[string, object]>([
    ['lists, negations and null', { where: { id: { in: [user, user], not: { gt: user } }, teamId: null } }],
    ['AND and OR', { where: { AND: [{ OR: [{ id: user }] }] } }],
    ['a compound key', { where: { id_teamId: { id: user, teamId: team } } }],
    ['a relation', { where: { team: { id: team } } }],
    ...RELATION_FILTERS.map((name): [string, object] => [
      `a relation with ${name}, which is also the name of a field`,
      { where: { notes: { [name]: { authorId: user } } } },
    ]),
    ['an object without a prototype', { where: Object.assign(Object.create(null), { id: user }) }],
    ['a cursor', { cursor: { id: user }, take: 1 }],
    ['having and include', { having: { id: user }, include: { notes: { where: { authorId: user } } } }],
    ['a count', { select: { id: true, _count: { select: { team: { where: { id: team } } } } } }],
    ['a list field', { where: { friends: { hasSome: [user], isEmpty: false } } }],
  ])('converts %s', async (_, args) => {
    expect(await send('User', 'findMany', args)).toEqual(stored(args))
  })

  test('with a condition that is undefined, or for another field, are not converted', async () => {
    for (const [model, args] of [
      ['User', { where: { id: { startsWith: undefined }, name: user } }],
      ['User', { data: { notes: { update: { data: { authorId: user } } } } }],
      ['Note', { where: { data: { equals: { authorId: user } } } }],
    ] as const)
      expect(await send(model, 'update', args)).toEqual(args)
  })

  test('are converted in every nested write', async () => {
    const update = (id: string, teamId: string, created: object) => ({
      where: { id: teamId },
      data: {
        users: {
          // The extension must not convert `data` of a note, a JSON field.
          create: { ...created, notes: { create: { data: { id: user } } } },
          createMany: { data: [{ id }, created] },
          connectOrCreate: [{ where: { id }, create: created }],
          upsert: {
            where: { id },
            create: created,
            update: { teamId: { set: teamId } },
          },
          update: { where: { id }, data: { teamId } },
          updateMany: { where: { id }, data: { teamId } },
          ...{ connect: [{ id }], set: [{ id }], disconnect: [{ id }] },
          ...{ delete: { id }, deleteMany: [{ id }, {}] },
        },
      },
    })
    expect(await send('Team', 'update', update(user, team, {}))).toEqual(
      update(uuid, uuid, { id: isUuid }),
    )
  })

  test('get an id when a record is created, and not when it is updated', async () => {
    const update = { team: { disconnect: true, update: { name: 'x' } } }
    // biome-ignore format: one case a line
    for (const [operation, args, sent] of [
      ['createMany', { data: [{}, { id: user }] }, { data: [{ id: isUuid }, { id: uuid }] }],
      ['updateMany', { data: {} }, { data: {} }],
      ['upsert', { create: {}, update }, { create: { id: isUuid }, update }],
      ['findMany', undefined, {}],
    ] as const)
      expect(await send('User', operation, args)).toEqual(sent)
    const note = { data: { data: [] } }
    expect(await send('Note', 'create', note)).toEqual(note)
  })

  test('that are skipped are left out, or generated', async () => {
    const skip = new (class {
      ifUndefined = () => skip
    })()
    const data = { id: skip, team: skip }
    expect(await send('User', 'create', { data })).toEqual({
      data: { id: isUuid, team: skip },
    })
  })

  test('that are null, a foreign key, or of a field without a default, are not replaced by a new id', async () => {
    const fields = [
      scalar('id'),
      { ...scalar('token'), hasDefaultValue: true },
      { ...scalar('origin'), isId: false },
    ]
    const profile = [scalar('id'), relation('user', 'User', ['id'], ['id'])]
    const models = [
      { name: 'User', fields },
      { name: 'Profile', fields: profile },
    ]
    const { send } = extend(models, 'uuid', {
      User: { id: UserId, token: UserId, origin: UserId },
    })
    expect(await send('Profile', 'create', { data: {} })).toEqual({ data: {} })
    expect(await send('User', 'create', { data: { token: null } })).toEqual({
      data: { id: isUuid, token: null },
    })
  })

  // biome-ignore format: one case a line
  test.each<[string, object]>([
    ['where a model has a field with the name of an argument', { notes: { update: { where: { id: 1 }, data: { author: { connect: { id: user } } } } } }],
    ['in the short form of an update of a relation', { team: { update: { id: team } } }],
    ['in the long form of an update of a relation', { team: { update: { data: { id: team } } } }],
  ])('are converted %s', async (_, data) => {
    expect(await send('User', 'update', { data })).toEqual(stored({ data }))
  })

  // biome-ignore format: one case a line
  test.each<[string, object, string]>([
    ['an id of another type', { where: { id: team } }, 'expected user in column User.id, received team'],
    ['a bare uuid', { where: { id: uuid } }, 'in column User.id, received "0190'],
    ['bytes', { data: { id: new Uint8Array(3) } }, 'in column User.id, received object'],
    ['a pattern', { where: { id: { startsWith: 'user-' } } }, 'idExtension: cannot apply startsWith to User.id, which stores uuid'],
    ['an unknown argument', { by: [{ x: user }] }, `cannot convert ${user} in User.by: use idCodec`],
  ])('with %s are rejected', async (_, args, message) => {
    await expect(send('User', 'create', args)).rejects.toThrow(message)
  })

  test('of raw queries are rejected if they contain an id that the database does not store', async () => {
    const text = extend(DATA_MODEL, 'text', FIELDS)
    const bytes = extend(DATA_MODEL, 'bytes', FIELDS)
    const raw = ({ send }: typeof uuids, args: unknown) =>
      send(undefined, '$queryRaw', args)
    for (const args of [
      { strings: ['', ''], values: [[user]] },
      ['select $1', user],
      ['select $1', UserId.toShort(UserId.example)],
    ]) {
      for (const extended of [uuids, bytes])
        await expect(raw(extended, args)).rejects.toThrow(
          /cannot convert user.* in \$queryRaw: use idCodec/,
        )
      expect(await raw(text, args)).toBe(args)
    }
    const converted = ['select $1', uuid]
    expect(await raw(uuids, converted)).toBe(converted)
  })
})

describe('results', () => {
  test('are converted at any depth', async () => {
    const row = {
      id: user,
      teamId: null,
      team: { id: team, users: [{ id: user }] },
      notes: [{ id: 1, data: { key: 'x' } }],
    }
    expect(await read('User', stored([row]))).toEqual([row])
    expect(await read('Note', { data: { id: uuid } })).toEqual({
      data: { id: uuid },
    })
  })

  test('of aggregates are converted, numbers and other objects are not', async () => {
    const found = (id: string) => ({ _min: { id }, _max: { id } })
    const counts = { id: 1, _all: 1 }
    expect(await read('User', { ...found(uuid), _count: counts })).toEqual({
      ...found(user),
      _count: counts,
    })
    expect(await read('User', counts, 'count')).toEqual(counts)
    const lists = { friends: [user, user], team: null }
    expect(await read('User', stored(lists))).toEqual(lists)
    const date = new Date()
    expect(await read('User', 3)).toBe(3)
    for (const model of ['User', 'Unknown'])
      expect(await read(model, date)).toBe(date)
  })
})

test('a result of the fluent API throws with the way to write it instead', async () => {
  const follow = (result: unknown, select: object) =>
    read('Note', result, 'findUnique', { select })
  const team = { select: { team: true } }
  for (const [result, select] of [
    [{ id: uuid }, { author: true }],
    [{ team: { id: uuid } }, { author: team }],
    [{ id: uuid }, { author: team }],
  ] as const)
    await expect(follow(result, select)).rejects.toThrow(
      'cannot convert the result of Note.author(): write { select: { author: true } } instead',
    )
  const nested = (id: string) => ({ author: { team: { id } } })
  expect(await follow(nested(uuid), { author: team })).toEqual(
    nested(TeamId.example),
  )
  for (const none of [{ author: null }, null])
    expect(await follow(none, { author: team })).toEqual(none)
  const select = { authorId: true, author: false }
  expect(await follow({ authorId: uuid }, select)).toEqual({ authorId: user })
})

test('a foreign key that refers to another foreign key has the type of the last key', async () => {
  const fields = [
    scalar('ownerId'),
    relation('o', 'Card', ['ownerId'], ['key']),
  ]
  const key = [scalar('key'), relation('h', 'User', ['key'], ['id'])]
  const models = [
    { name: 'Badge', fields },
    { name: 'Card', fields: key },
    { name: 'User', fields: [scalar('id')] },
  ]
  const { send } = extend(models, 'uuid', { User: { id: UserId } })
  for (const [model, field] of [
    ['Badge', 'ownerId'],
    ['Card', 'key'],
  ] as const)
    expect(await send(model, 'findMany', { where: { [field]: user } })).toEqual(
      { where: { [field]: uuid } },
    )
})

test('references have the type of the field that they refer to, and the other way round', async () => {
  expect(await read('Note', { authorId: uuid })).toEqual({ authorId: user })
  const { read: readReferenced } = extend(DATA_MODEL, 'uuid', {
    Note: { authorId: UserId },
  })
  expect(await readReferenced('User', { id: uuid })).toEqual({ id: user })
})

// biome-ignore format: one case a line
test.each<[object, object, string]>([
  [DATA_MODEL, { Role: { id: UserId } }, 'the schema has no field Role.id'],
  [DATA_MODEL, { User: { key: UserId } }, 'the schema has no field User.key'],
  [DATA_MODEL, { User: { team: UserId } }, 'the schema has no field User.team'],
  [DATA_MODEL, { ...FIELDS, User: { teamId: UserId } }, 'User.teamId refers to Team.id: expected team, received user'],
  [
    [{ name: 'User', fields: [{ name: 'team', kind: 'object', type: 'Team' }] }],
    {},
    'the fields of the relation User.team are unknown: pass the data model that the generator typed-id-prisma writes',
  ],
])('a list that does not fit the schema is rejected', (dataModel, fields, message) => {
  expect(() => idExtension(dataModel as never, 'uuid', fields as never)).toThrow(message)
})

test('typed-id-prisma --help shows how a schema names the generator', () => {
  const generator = new URL('../src/prisma/generator.ts', import.meta.url)
  const help = execFileSync(process.execPath, [generator.pathname, '--help'])
  expect(help.toString()).toContain('provider = "typed-id-prisma"')
})
