import { describe, expect, test } from 'vitest'
import type { IdStorage } from '../src/codec.ts'
import { defineId } from '../src/index.ts'
import { type DataModel, idExtension } from '../src/prisma.ts'

/*
 * The arguments and results that Prisma passes to a query extension. `integrations/orm/prisma` runs the extension with
 * generated clients on real databases; generating one needs packages that this workspace does not install.
 */

const UserId = defineId('user')
const TeamId = defineId('team')
const [user, team] = [UserId.example, TeamId.example]
const uuid = UserId.toUuid(user)
const isUuid = expect.stringMatching(/^[0-9a-f-]{36}$/)

const scalar = (name: string, type = 'String') => ({ name, kind: 'scalar', type, isId: name === 'id' })
const relation = (name: string, type: string, from: string[] = [], to: string[] = []) => ({
  name,
  kind: 'object',
  type,
  relationFromFields: from,
  relationToFields: to,
})
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
  { name: 'Team', fields: [scalar('id'), scalar('name'), relation('users', 'User')] },
  {
    name: 'Note',
    fields: [
      scalar('id', 'Int'),
      scalar('data', 'Json'),
      scalar('authorId'),
      relation('author', 'User', ['authorId'], ['id']),
    ],
  },
]
const FIELDS = { User: { id: UserId, friends: UserId }, Team: { id: TeamId } }
const { $allOperations } = idExtension(DATA_MODEL, 'uuid', FIELDS).query
const __internalParams = { dataPath: [] as string[] }

/** Returns the arguments that reach the database. */
async function send(model: string, operation: string, args: object | undefined): Promise<unknown> {
  let sent: unknown
  const query = async (args: unknown) => {
    sent = args
  }
  await $allOperations({ model, operation, args, query, __internalParams })
  return sent
}
const read = (model: string, result: unknown, dataPath: string[] = [], operation = 'findMany') =>
  $allOperations({ model, operation, args: {}, query: async () => result, __internalParams: { dataPath } })

describe('arguments', () => {
  test.each<[string, object, object]>([
    ['an id', { where: { id: user } }, { where: { id: uuid } }],
    ['null', { where: { teamId: null } }, { where: { teamId: null } }],
    ['a list', { where: { id: { in: [user, user] } } }, { where: { id: { in: [uuid, uuid] } } }],
    ['a negation', { where: { id: { not: { gt: user } } } }, { where: { id: { not: { gt: uuid } } } }],
    [
      'AND and OR',
      { where: { AND: [{ OR: [{ id: user }] }] } },
      { where: { AND: [{ OR: [{ id: uuid }] }] } },
    ],
    [
      'a compound key',
      { where: { id_teamId: { id: user, teamId: team } } },
      { where: { id_teamId: { id: uuid, teamId: uuid } } },
    ],
    ['a relation', { where: { team: { id: team } } }, { where: { team: { id: uuid } } }],
    [
      'a relation with is',
      { where: { team: { is: { id: team }, isNot: null } } },
      { where: { team: { is: { id: uuid }, isNot: null } } },
    ],
    ['a cursor', { cursor: { id: user }, take: 1 }, { cursor: { id: uuid }, take: 1 }],
    [
      'a nested selection',
      { include: { team: { where: { id: team } } } },
      { include: { team: { where: { id: uuid } } } },
    ],
    [
      'a count',
      { select: { id: true, _count: { select: { team: { where: { id: team } } } } } },
      { select: { id: true, _count: { select: { team: { where: { id: uuid } } } } } },
    ],
    [
      'no condition that is undefined, and no other field',
      { where: { id: { startsWith: undefined }, name: user } },
      { where: { id: { startsWith: undefined }, name: user } },
    ],
    [
      'a list field',
      { where: { friends: { hasSome: [user], isEmpty: false } } },
      { where: { friends: { hasSome: [uuid], isEmpty: false } } },
    ],
  ])('converts %s', async (_, args, expected) => {
    expect(await send('User', 'findMany', args)).toEqual(expected)
  })

  test('are converted in every nested write', async () => {
    const where = { id: user }
    const users = {
      create: { name: 'Ada', notes: { create: { data: { id: user } } } },
      createMany: { data: [{ id: user }, {}] },
      connectOrCreate: [{ where, create: {} }],
      upsert: { where, create: {}, update: { teamId: { set: team } } },
      update: { where, data: { teamId: team } },
      updateMany: { where: { teamId: team }, data: { name: 'Ada' } },
      connect: [where],
      set: where,
      disconnect: true,
      delete: where,
      deleteMany: [{}],
    }
    expect(await send('Team', 'update', { where: { id: team }, data: { users } })).toEqual({
      where: { id: uuid },
      data: {
        users: {
          create: { id: isUuid, name: 'Ada', notes: { create: { data: { id: user } } } },
          createMany: { data: [{ id: uuid }, { id: isUuid }] },
          connectOrCreate: [{ where: { id: uuid }, create: { id: isUuid } }],
          upsert: { where: { id: uuid }, create: { id: isUuid }, update: { teamId: { set: uuid } } },
          update: { where: { id: uuid }, data: { teamId: uuid } },
          updateMany: { where: { teamId: uuid }, data: { name: 'Ada' } },
          connect: [{ id: uuid }],
          set: { id: uuid },
          disconnect: true,
          delete: { id: uuid },
          deleteMany: [{}],
        },
      },
    })
  })

  test('get an id when a record is created, and not when it is updated', async () => {
    expect(await send('User', 'createMany', { data: [{}, { id: user }] })).toEqual({
      data: [{ id: isUuid }, { id: uuid }],
    })
    expect(await send('User', 'updateMany', { data: {} })).toEqual({ data: {} })
    expect(await send('User', 'upsert', { create: {}, update: { team: { update: { name: 'x' } } } })).toEqual(
      {
        create: { id: isUuid },
        update: { team: { update: { name: 'x' } } },
      },
    )
    expect(await send('Note', 'create', { data: { data: [] } })).toEqual({ data: { data: [] } })
    expect(await send('User', 'findMany', undefined)).toEqual({})
  })

  test('that are skipped are left out, or generated', async () => {
    const skip = new (class {
      ifUndefined = () => skip
    })()
    expect(await send('User', 'create', { data: { id: skip, team: skip } })).toEqual({
      data: { id: isUuid, team: skip },
    })
  })

  test('that are null are not replaced by a new id', async () => {
    const fields = [scalar('id'), { ...scalar('token'), hasDefaultValue: true }]
    const { query } = idExtension([{ name: 'User', fields }], 'uuid', { User: { id: UserId, token: UserId } })
    const call = { model: 'User', operation: 'create', args: { data: { token: null } }, __internalParams }
    expect(
      await query.$allOperations({
        ...call,
        query: async (sent) => ({ id: sent.data.id, token: sent.data.token }),
      }),
    ).toEqual({
      id: expect.stringMatching(/^user-/),
      token: null,
    })
  })

  test('are converted where a model has a field with the name of an argument', async () => {
    const update = (id: string) => ({ where: { id: 1 }, data: { author: { connect: { id } } } })
    expect(await send('User', 'update', { data: { notes: { update: update(user) } } })).toEqual({
      data: { notes: { update: update(uuid) } },
    })
  })

  test('are converted in both forms of an update of a relation', async () => {
    const update = (team: object) => send('User', 'update', { data: { team: { update: team } } })
    const data = { team: { update: { id: uuid } } }
    expect(await update({ id: team })).toEqual({ data })
    expect(await update({ data: { id: team } })).toEqual({
      data: { team: { update: { data: { id: uuid } } } },
    })
  })

  test.each<[string, string, unknown, string]>([
    [
      'an id of another type',
      'findMany',
      { where: { id: team } },
      'expected user in column User.id, received team',
    ],
    ['a bare uuid', 'findMany', { where: { id: uuid } }, 'in column User.id, received "0190'],
    ['bytes', 'create', { data: { id: new Uint8Array(3) } }, 'in column User.id, received object'],
    [
      'a pattern',
      'findMany',
      { where: { id: { startsWith: 'user-' } } },
      'idExtension: cannot apply startsWith to User.id, which stores uuid',
    ],
    [
      'an unknown argument',
      'findMany',
      { by: [{ x: user }] },
      `cannot convert ${user} in User.by: use idCodec`,
    ],
  ])('with %s are rejected', async (_, operation, args, message) => {
    await expect(send('User', operation, args as object)).rejects.toThrow(message)
  })

  test('of raw queries are rejected if they contain an id that the database does not store', async () => {
    const run = (storage: IdStorage, args: unknown) =>
      idExtension(DATA_MODEL, storage, FIELDS).query.$allOperations({
        operation: '$queryRaw',
        args,
        query: async (sent) => sent,
      })
    const short = UserId.toShort(UserId.example)
    for (const args of [{ strings: ['', ''], values: [[user]] }, ['select $1', user], ['select $1', short]]) {
      await expect(run('uuid', args)).rejects.toThrow(/cannot convert user.* in \$queryRaw: use idCodec/)
      expect(await run('text', args)).toBe(args)
    }
    expect(await run('uuid', ['select $1', uuid])).toEqual(['select $1', uuid])
  })

  test('with a pattern reach columns that store text', async () => {
    const { query } = idExtension(DATA_MODEL, 'text', FIELDS)
    const args = { where: { id: { startsWith: 'user-' } } }
    const call = { model: 'User', operation: 'findMany', args, __internalParams }
    expect(await query.$allOperations({ ...call, query: async (sent) => [{ id: sent && user }] })).toEqual([
      { id: user },
    ])
  })
})

describe('results', () => {
  test('are converted at any depth', async () => {
    const stored = [
      {
        id: uuid,
        teamId: null,
        team: { id: uuid, users: [{ id: uuid }] },
        notes: [{ id: 1, data: { id: uuid } }],
      },
    ]
    expect(await read('User', stored)).toEqual([
      {
        id: user,
        teamId: null,
        team: { id: team, users: [{ id: user }] },
        notes: [{ id: 1, data: { id: uuid } }],
      },
    ])
  })

  test('of aggregates are converted, numbers and other objects are not', async () => {
    expect(await read('User', { _max: { id: uuid }, _count: { id: 1 } })).toEqual({
      _max: { id: user },
      _count: { id: 1 },
    })
    expect(await read('User', 3)).toBe(3)
    expect(await read('User', { id: 1, _all: 1 }, [], 'count')).toEqual({ id: 1, _all: 1 })
    expect(await read('User', { friends: [uuid, uuid], team: null })).toEqual({
      friends: [user, user],
      team: null,
    })
    const date = new Date()
    expect(await read('Unknown', date)).toBe(date)
    expect(await read('User', date)).toBe(date)
  })

  test('that are not ids are rejected with the name of the field', async () => {
    await expect(read('User', [{ id: 'user-1' }])).rejects.toThrow(
      'expected <lowercase uuid> in column User.id, received "user-1"',
    )
  })
})

test('the path of the fluent API leads to the model of the result', async () => {
  expect(await read('Note', { id: uuid }, ['select', 'author', 'select', 'team'])).toEqual({ id: team })
  expect(await read('User', [{ authorId: uuid }], ['select', 'notes'])).toEqual([{ authorId: user }])
  for (const params of [{}, { __internalParams: {} }]) {
    const call = {
      ...params,
      model: 'User',
      operation: 'findFirst',
      args: {},
      query: async () => ({ id: uuid }),
    }
    await expect($allOperations(call)).rejects.toThrow(
      'idExtension: cannot tell which model User.findFirst returns',
    )
  }
  for (const path of [
    ['select', 'roles'],
    ['select', 'roles', 'select', 'users'],
  ]) {
    const stale = read('User', { id: uuid }, path)
    await expect(stale).rejects.toThrow('idExtension: cannot tell which model User.findMany returns')
  }
})

test('references have the type of the field that they refer to, and the other way round', async () => {
  expect(await read('Note', { authorId: uuid })).toEqual({ authorId: user })
  const { query } = idExtension(DATA_MODEL, 'uuid', { Note: { authorId: UserId } })
  const call = { model: 'User', operation: 'findFirst', args: {}, __internalParams }
  expect(await query.$allOperations({ ...call, query: async () => ({ id: uuid }) })).toEqual({ id: user })
})

test('a later extension is added below this one', () => {
  const added: unknown[] = []
  const parent = {
    $extends(extension: unknown) {
      added.push(extension)
      return parent
    },
  }
  const extension = idExtension(DATA_MODEL, 'uuid', FIELDS) as unknown as {
    client: { $extends(this: object, later: unknown): unknown }
  }
  extension.client.$extends.call({ $parent: parent }, 'later')
  expect(added).toEqual(['later', extension])
})

test.each<[object, object, string]>([
  [DATA_MODEL, { Role: { id: UserId } }, 'the schema has no field Role.id'],
  [DATA_MODEL, { User: { key: UserId } }, 'the schema has no field User.key'],
  [DATA_MODEL, { User: { team: UserId } }, 'the schema has no field User.team'],
  [
    DATA_MODEL,
    { ...FIELDS, User: { teamId: UserId } },
    'User.teamId refers to Team.id: expected team, received user',
  ],
  [
    [{ name: 'User', fields: [{ name: 'team', kind: 'object', type: 'Team' }] }],
    {},
    'the fields of the relation User.team are unknown: pass the data model that the generator typed-id-prisma writes',
  ],
])('a list that does not fit the schema is rejected', (dataModel, fields, message) => {
  expect(() => idExtension(dataModel as never, 'uuid', fields as never)).toThrow(message)
})
