import { describe, expect, test } from 'vitest'
import { defineId } from '../src/index.ts'
import { idExtension } from '../src/prisma.ts'

/*
 * The arguments and results that Prisma passes to a query extension. `integrations/orm/prisma` runs the extension with
 * generated clients on real databases; generating one needs packages that this workspace does not install.
 */

const UserId = defineId('user')
const TeamId = defineId('team')
const [user, team] = [UserId.example, TeamId.example]
const uuid = UserId.toUuid(user)
const isUuid = expect.stringMatching(/^[0-9a-f-]{36}$/)

const scalar = (name: string, type = 'String') => ({ name, kind: 'scalar', type })
const relation = (name: string, type: string) => ({ name, kind: 'object', type })
const client = {
  _runtimeDataModel: {
    models: {
      User: {
        fields: [
          scalar('id'),
          scalar('name'),
          scalar('teamId'),
          relation('team', 'Team'),
          relation('notes', 'Note'),
        ],
      },
      Team: { fields: [scalar('id'), scalar('name'), relation('users', 'User')] },
      Note: { fields: [scalar('id', 'Int'), scalar('data', 'Json'), relation('author', 'User')] },
    },
  },
}
const FIELDS = { User: { id: UserId, teamId: TeamId }, Team: { id: TeamId } }
const { $allOperations } = idExtension(client, 'uuid', FIELDS).query.$allModels

/** Returns the arguments that reach the database. */
async function send(model: string, operation: string, args: object | undefined): Promise<unknown> {
  let sent: unknown
  const query = async (args: unknown) => {
    sent = args
  }
  await $allOperations({ model, operation, args, query })
  return sent
}
const read = (model: string, result: unknown) =>
  $allOperations({ model, operation: 'findMany', args: {}, query: async () => result })

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
      'no pattern',
      { where: { id: { startsWith: 'user-' }, name: user } },
      { where: { id: { startsWith: 'user-' }, name: user } },
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

  test('with an id of another type are rejected with the name of the field', async () => {
    await expect(send('User', 'findMany', { where: { id: team } })).rejects.toThrow(
      'expected user in column User.id, received team',
    )
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

test.each([
  [{}, FIELDS, 'expected a Prisma client of version 7'],
  [client, { Role: {} }, 'the schema has no model Role'],
  [client, { User: { key: UserId } }, 'the model User has no field key'],
])('a list that does not fit the schema is rejected', (client, fields, message) => {
  expect(() => idExtension(client, 'uuid', fields as never)).toThrow(message)
})
