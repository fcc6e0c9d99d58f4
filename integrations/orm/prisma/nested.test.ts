import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { SERVERS, type Server } from '../../databases.ts'
import { NoteId, TeamId, UserId } from '../ids.ts'
import { createTables, STORAGES } from '../tables.ts'
import { connect } from './store.ts'

const { engine, start } = SERVERS['PostgreSQL of npm']
let server: Server
beforeAll(async () => {
  server = await start()
})
afterAll(() => server.stop())

describe.each(STORAGES[engine])('writes nested in others, %s', (storage) => {
  let prisma: Awaited<ReturnType<typeof connect>>
  beforeAll(async () => {
    await createTables(server, storage)
    await server.run(
      `create table notes (id ${storage} primary key, text text, author_id ${storage} references users)`,
    )
    prisma = await connect(engine, server.socket, storage)
    return async () => {
      await prisma.$disconnect()
      await server.run('drop table notes')
    }
  })
  beforeEach(async () => {
    await server.run('delete from notes', 'delete from users', 'delete from teams')
  })

  /** Returns the names of all users and teams, after a check that the extension has read every id. */
  async function readAll() {
    const teams = await prisma.team.findMany({ include: { users: true } })
    const users = await prisma.user.findMany({
      include: { team: { include: { users: true } } },
      orderBy: { name: 'asc' },
    })
    expect(teams.every((team) => TeamId.is(team.id) && team.users.every(({ id }) => UserId.is(id)))).toBe(
      true,
    )
    expect(
      users.every((user) => UserId.is(user.id) && (user.teamId === null || TeamId.is(user.teamId))),
    ).toBe(true)
    return users.map((user) => `${user.name} of ${user.team?.name}`)
  }
  const engineTeam = () => prisma.team.create({ data: { name: 'Engine' } })

  test('create: one, several and createMany', async () => {
    await prisma.user.create({ data: { name: 'Ada', team: { create: { name: 'Engine' } } } })
    await prisma.team.create({ data: { name: 'Two', users: { create: [{ name: 'Bob' }, { name: 'Eve' }] } } })
    await prisma.team.create({
      data: { name: 'Many', users: { createMany: { data: [{ name: 'Joe' }, { name: 'Sue' }] } } },
    })
    expect(await readAll()).toEqual([
      'Ada of Engine',
      'Bob of Two',
      'Eve of Two',
      'Joe of Many',
      'Sue of Many',
    ])
  })

  test('create, update and upsert three levels deep', async () => {
    const notes = (text: string) => ({ create: { text } })
    const users = {
      create: [
        { name: 'Ada', notes: notes('one') },
        { name: 'Bob', notes: { createMany: { data: [{ text: 'two' }] } } },
      ],
    }
    const { id } = await prisma.team.create({ data: { name: 'Engine', users } })
    const [ada] = await prisma.user.findMany({ orderBy: { id: 'asc' } })
    const where = { id: ada?.id as UserId }
    const update = { where, data: { notes: notes('three') } }
    const upsert = [{ where, update: { notes: notes('four') }, create: { name: 'Eve' } }]
    await prisma.team.update({ where: { id }, data: { users: { update, upsert } } })
    const read = await prisma.note.findMany({
      include: { author: { include: { team: true } } },
      orderBy: { text: 'asc' },
    })
    expect(read.map((note) => [note.text, note.author.name])).toEqual([
      ['four', 'Ada'],
      ['one', 'Ada'],
      ['three', 'Ada'],
      ['two', 'Bob'],
    ])
    expect(
      read.every(
        (note) => NoteId.is(note.id) && note.authorId === note.author.id && note.author.team?.id === id,
      ),
    ).toBe(true)
  })

  test('createMany and createManyAndReturn', async () => {
    const { id: teamId } = await engineTeam()
    await prisma.user.createMany({ data: { name: 'Ada', teamId } })
    const [bob] = await prisma.user.createManyAndReturn({
      data: [{ name: 'Bob', teamId }],
      include: { team: true },
    })
    expect(UserId.is(bob?.id) && bob?.team?.id === teamId).toBe(true)
    expect(await readAll()).toEqual(['Ada of Engine', 'Bob of Engine'])
  })

  test('connectOrCreate creates, then connects', async () => {
    const id = TeamId.generate()
    const team = { connectOrCreate: { where: { id }, create: { id, name: 'Engine' } } }
    await prisma.user.create({ data: { name: 'Ada', team } })
    await prisma.user.create({ data: { name: 'Bob', team } })
    const create = { where: { id: UserId.generate() }, create: { name: 'Eve' } }
    await prisma.team.update({ where: { id }, data: { users: { connectOrCreate: [create] } } })
    expect(await readAll()).toEqual(['Ada of Engine', 'Bob of Engine', 'Eve of Engine'])
  })

  test('upsert, and upsert in an update', async () => {
    const id = UserId.generate()
    const upsert = { where: { id }, create: { name: 'Ada' }, update: { name: 'Ada 2' } }
    const { id: teamId } = await engineTeam()
    await prisma.team.update({ where: { id: teamId }, data: { users: { upsert } } })
    const [ada] = await prisma.user.findMany()
    upsert.where.id = ada?.id as UserId
    await prisma.team.update({ where: { id: teamId }, data: { users: { upsert: [upsert] } } })
    await prisma.user.upsert({
      where: { id },
      create: { name: 'Bob', team: { create: { name: 'New' } } },
      update: {},
    })
    expect(await readAll()).toEqual(['Ada 2 of Engine', 'Bob of New'])
  })

  test('update with a nested create, and updates of relations in both forms', async () => {
    const ada = await prisma.user.create({ data: { name: 'Ada' } })
    const update = (team: object) => prisma.user.update({ where: { id: ada.id }, data: { team } })
    await update({ create: { name: 'Engine' } })
    await update({ update: { name: 'Engine 2' } })
    await update({
      update: {
        where: { name: 'Engine 2' },
        data: { name: 'Engine 3' },
      },
    })
    expect(await readAll()).toEqual(['Ada of Engine 3'])
  })

  test('connect, set and disconnect generate nothing', async () => {
    const [ada, bob] = [
      await prisma.user.create({ data: { name: 'Ada' } }),
      await prisma.user.create({ data: { name: 'Bob' } }),
    ]
    const { id } = await prisma.team.create({
      data: { name: 'Engine', users: { connect: [{ id: ada.id }] } },
    })
    await prisma.team.update({ where: { id }, data: { users: { set: [{ id: bob.id }] } } })
    expect(await readAll()).toEqual(['Ada of undefined', 'Bob of Engine'])
    await prisma.user.update({ where: { id: bob.id }, data: { team: { disconnect: true } } })
    expect(await readAll()).toEqual(['Ada of undefined', 'Bob of undefined'])
  })

  test('conditions on relations, cursors, aggregates and transactions', async () => {
    const { id, users } = await prisma.team.create({
      data: { name: 'Engine', users: { create: [{ name: 'Ada' }, { name: 'Bob' }] } },
      include: {
        users: { orderBy: { id: 'asc' }, where: { team: { is: { id: { not: TeamId.generate() } } } } },
      },
    })
    const [first, second] = users.map((user) => user.id)
    const where = {
      AND: [
        { users: { some: { OR: [{ id: first as UserId }] } } },
        { NOT: { users: { none: { teamId: id } } } },
      ],
    }
    expect(await prisma.team.count({ where })).toBe(1)
    const page = { cursor: { id: first as UserId }, skip: 1, orderBy: { id: 'asc' } } as const
    expect(await prisma.user.findMany({ ...page, select: { id: true } })).toEqual([{ id: second }])
    const groups = await prisma.user.groupBy({
      by: ['teamId'],
      where: { teamId: { in: [id] } },
      _count: { _all: true },
    })
    expect(groups).toEqual([{ teamId: id, _count: { _all: 2 } }])
    const found = await prisma.$transaction((tx) => tx.user.findFirst({ where: { id: second as UserId } }))
    expect(found?.id).toBe(second)
  })
})
