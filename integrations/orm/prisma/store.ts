import { PrismaBetterSqlite3 } from '@prisma/adapter-better-sqlite3'
import { PrismaMariaDb } from '@prisma/adapter-mariadb'
import { PrismaPg } from '@prisma/adapter-pg'
import { type IdStorage, idCodec } from 'typed-id/codec'
import { idExtension } from 'typed-id/prisma'
import type { Engine, Server } from '../../databases.ts'
import type { Orm, Store } from '../cases.ts'
import { NoteId, TeamId, UserId } from '../ids.ts'
import type { PrismaClient } from './generated/postgres-text/client/client.ts'
import type { PrismaClient as BytesClient } from './generated/sqlite-bytes/client/client.ts'

declare global {
  namespace PrismaIds {
    type UserId = import('../ids.ts').UserId
    type TeamId = import('../ids.ts').TeamId
    type NoteId = import('../ids.ts').NoteId
  }
}

const ADAPTERS = {
  postgres: (host: string) => new PrismaPg({ host, user: 'postgres' }),
  sqlite: (file: string) => new PrismaBetterSqlite3({ url: `file:${file}` }),
  mysql: (socketPath: string) =>
    new PrismaMariaDb({ socketPath, user: 'root', database: 'matrix', connectionLimit: 2 }),
}

/** The types of `User.teamId`, `Note.authorId` and `Note.parentId` follow from the relations. */
const FIELDS = { User: { id: UserId }, Team: { id: TeamId }, Note: { id: NoteId } }
const LISTS = { Note: { ...FIELDS.Note, readers: UserId } }

/** Returns a client with the extension. The types of the clients differ only in the stored type of the columns. */
export async function connect(engine: Engine, socket: string, storage: IdStorage) {
  const schema = `${engine}-${storage}${process.env.PRISMA ?? ''}`
  const module = await import(`./generated/${schema}/client/client.ts`)
  const { dataModel } = await import(`./generated/${schema}/data-model.ts`)
  const client: PrismaClient = new module.PrismaClient({ adapter: ADAPTERS[engine](socket) })
  const fields = { ...FIELDS, ...(engine === 'postgres' && LISTS) }
  return client.$extends(idExtension(dataModel, storage, fields))
}

export const cannot: Orm['cannot'] = (_, storage) =>
  storage === 'bytes' ? { where: 'Bytes fields have no lt, lte, gt and gte' } : {}

export async function open({ engine, socket }: Server, storage: IdStorage): Promise<Store> {
  const prisma = await connect(engine, socket, storage)
  const { user: users, team: teams } = prisma
  const { toDatabase } = idCodec(UserId, storage, 'users.id')
  const orderBy = { id: 'asc' } as const

  return {
    insertTeam: (data) => teams.create({ data }),
    insert: (data) => users.create({ data }),
    select: () => users.findMany({ orderBy }),
    where: (id) => users.findUnique({ where: { id } }),
    whereUpTo: (id) => users.findMany({ where: { id: { lte: id } }, orderBy }),
    inList: (ids) => users.findMany({ where: { id: { in: ids } }, orderBy }),
    async join() {
      const rows = await users.findMany({
        where: { team: { isNot: null } },
        select: { id: true, team: { select: { id: true } } },
      })
      return rows.flatMap(({ id, team }) => (team ? [{ member: id, group: team.id }] : []))
    },
    returning: (data) => users.create({ data }),
    whereNull: () => users.findMany({ where: { teamId: null } }),
    update: (id, teamId) => users.update({ where: { id }, data: { teamId } }),
    upsert: ({ id, ...update }) => users.upsert({ where: { id }, create: { id, ...update }, update }),
    relation: (id) => users.findUnique({ where: { id }, include: { team: true } }),
    async raw(id) {
      const [row] = await prisma.$queryRaw<
        { name: string }[]
      >`select name from users where id = ${toDatabase(id)}`
      return row?.name
    },
    close: () => prisma.$disconnect(),
  }
}

/** A Bytes field has the type of bytes. The extension converts ids at run time, but code needs casts. */
export function bytesTypes(client: BytesClient) {
  // @ts-expect-error: an id is not bytes
  return client.user.findMany({ where: { id: { in: [UserId.example] } } })
}

export async function wrongTypes(prisma: Awaited<ReturnType<typeof connect>>) {
  // @ts-expect-error: a team is not a user
  await prisma.user.findMany({ where: { id: { in: [TeamId.example] } } })
  // @ts-expect-error: a user is not a team
  await prisma.user.create({ data: { name: 'Ada', teamId: UserId.example } })
  // @ts-expect-error: a string has to be parsed first
  await prisma.team.create({ data: { name: 'Engine', users: { create: { id: 'user-1', name: 'Ada' } } } })
  const user = await prisma.user.findFirstOrThrow({ include: { team: true } })
  // @ts-expect-error: the id of the user is not one of a team
  user.id satisfies TeamId
  // The generator does not type unique conditions, so these calls compile, and throw at run time.
  await prisma.user.findUnique({ where: { id: TeamId.example } })
  await prisma.team.update({ where: { id: TeamId.example }, data: { users: { connect: { id: 'user-1' } } } })
}
