import { PrismaBetterSqlite3 } from '@prisma/adapter-better-sqlite3'
import { PrismaPg } from '@prisma/adapter-pg'
import { type IdStorage, idCodec } from 'typed-id/codec'
import { extendWithIds } from 'typed-id/prisma'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type Engine, SERVERS, type Server } from '../../databases.ts'
import { NoteId, TeamId, UserId } from '../../ids.ts'
import type { PrismaClient } from './generated/postgres-uuid/client/client.ts'

declare global {
  namespace PositionIds {
    type UserId = import('../../ids.ts').UserId
    type TeamId = import('../../ids.ts').TeamId
    type NoteId = import('../../ids.ts').NoteId
  }
}

const ADAPTERS = {
  postgres: (connectionString: string) => new PrismaPg({ connectionString }),
  sqlite: (file: string) => new PrismaBetterSqlite3({ url: `file:${file}` }),
}

const FIELDS = {
  User: { id: UserId },
  Team: { id: TeamId },
  Note: { id: NoteId },
}

async function connect(
  engine: keyof typeof ADAPTERS,
  address: string,
  storage: IdStorage,
) {
  const schema = `${engine}-${storage}${process.env.OLDEST ?? ''}`
  const module = await import(`./generated/${schema}/client/client.ts`)
  const { dataModel } = await import(`./generated/${schema}/data-model.ts`)
  const client: PrismaClient = new module.PrismaClient({
    adapter: ADAPTERS[engine](address),
  })
  return extendWithIds(client, dataModel, storage, FIELDS)
}

const ALL = [
  { ...SERVERS.PostgreSQL, storage: 'uuid' },
  { ...SERVERS.SQLite, storage: 'text' },
  { ...SERVERS.SQLite, storage: 'bytes' },
] as const
const DATABASES = process.env.OLDEST ? ALL.slice(0, 1) : ALL

const TABLES = ['notes', 'users', 'teams']

const started: Partial<Record<Engine, Server>> = {}
afterAll(() =>
  Promise.all(Object.values(started).map((server) => server.stop())),
)

describe.each(DATABASES)(
  'Prisma on $engine, $storage',
  ({ engine, start, storage }) => {
    let server: Server
    let prisma: Awaited<ReturnType<typeof connect>>
    beforeAll(async () => {
      started[engine] ??= await start()
      server = started[engine]
      const type = storage === 'bytes' ? 'blob' : storage
      await server.run(
        ...TABLES.map((table) => `drop table if exists ${table}`),
        `create table teams (id ${type} primary key, name text not null)`,
        `create table users (id ${type} primary key, name text not null, team_id ${type} references teams)`,
        `create table notes (id ${type} primary key, text text, author_id ${type} references users,
        parent_id ${type} references notes${engine === 'postgres' ? `, readers ${type}[]` : ''})`,
      )
      prisma = await connect(engine, server.address, storage)
      return () => prisma.$disconnect()
    })
    beforeEach(() =>
      server
        .run(...TABLES.map((table) => `delete from ${table}`))
        .then(() => {}),
    )

    test('create and update three levels deep', async () => {
      const notes = (text: string) => ({ create: { text } })
      const users = {
        create: [
          { name: 'Ada', notes: notes('one') },
          { name: 'Bob', notes: { createMany: { data: [{ text: 'two' }] } } },
        ],
      }
      const { id } = await prisma.team.create({
        data: { name: 'Engine', users },
      })
      const [ada] = await prisma.user.findMany({ orderBy: { id: 'asc' } })
      const where = { id: ada?.id as UserId }
      const update = { where, data: { notes: notes('three') } }
      await prisma.team.update({ where: { id }, data: { users: { update } } })
      const read = await prisma.note.findMany({
        include: { author: { include: { team: true } } },
        orderBy: { text: 'asc' },
      })
      expect(read.map((note) => [note.text, note.author.name])).toEqual([
        ['one', 'Ada'],
        ['three', 'Ada'],
        ['two', 'Bob'],
      ])
      for (const note of read) {
        expect(NoteId.is(note.id)).toBe(true)
        expect(note.authorId).toBe(note.author.id)
        expect(note.author.team?.id).toBe(id)
      }
    })

    test('the fluent API throws with the way to write it instead, in transactions, too', async () => {
      const { id } = await prisma.team.create({ data: { name: 'Engine' } })
      const notes = { create: { text: 'one' } }
      const user = await prisma.user.create({
        data: { name: 'Ada', teamId: id, notes },
        select: { id: true, notes: true },
      })
      const read = { where: { id: user.notes[0]?.id as NoteId } }
      const find = { where: { id: user.id as UserId } }
      for (const [model, relation, found] of [
        ['User', 'team', () => prisma.user.findUnique(find).team()],
        ['Note', 'author', () => prisma.note.findUnique(read).author().team()],
        [
          'User',
          'notes',
          () => prisma.$transaction((tx) => tx.user.findUnique(find).notes()),
        ],
      ] as const)
        await expect(found).rejects.toThrow(
          `cannot convert the result of ${model}.${relation}(): write { select: { ${relation}: true } } instead`,
        )
      const selected = await prisma.note.findUnique({
        ...read,
        select: { author: { select: { team: true } } },
      })
      expect(selected).toEqual({ author: { team: { id, name: 'Engine' } } })
    })

    test('ids that a later extension adds to the arguments are converted', async () => {
      const ada = await prisma.user.create({ data: { name: 'Ada' } })
      await prisma.user.create({ data: { name: 'Bob' } })
      const own = {
        $allOperations: ({ args, query }: Query) =>
          query({ ...args, where: { id: ada.id } }),
      }
      const extended = prisma.$extends({ query: { user: own } })
      const again = extended.$extends((client) =>
        client.$extends({ query: { user: own } }),
      )
      for (const found of [
        extended.user.findMany(),
        again.user.findMany(),
        extended.$transaction((tx) => tx.user.findMany()),
      ])
        expect(await found).toEqual([ada])
    })

    test('raw queries reject ids that are not converted, unless the database stores them as text', async () => {
      const { id } = await prisma.user.create({ data: { name: 'Ada' } })
      const { toDatabase } = idCodec(UserId, storage, 'users.id')
      const condition = engine === 'postgres' ? 'id::text = $1' : 'id = ?'
      const sql = `select name from users where ${condition}`
      const find = (value: unknown) => prisma.$queryRawUnsafe(sql, value)
      expect(await find(toDatabase(id as UserId))).toEqual([{ name: 'Ada' }])
      if (storage === 'text') return
      const message = `idExtension: cannot convert ${id} in $`
      await expect(find(id)).rejects.toThrow(message)
      await expect(prisma.$queryRaw`select ${id}`).rejects.toThrow(message)
      await expect(prisma.$executeRaw`select ${id}`).rejects.toThrow(message)
    })
  },
)

// biome-ignore lint/suspicious/noExplicitAny: Prisma's type depends on the operation.
type Query = { args: any; query(args: any): Promise<any> }
