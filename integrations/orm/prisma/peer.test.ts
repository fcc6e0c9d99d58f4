import { PrismaBetterSqlite3 } from '@prisma/adapter-better-sqlite3'
import { extendPrismaClient } from 'prisma-prefixed-ids'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { SERVERS, type Server } from '../../databases.ts'
import { TeamId, UserId } from '../ids.ts'
import { createTables } from '../tables.ts'
import { PrismaClient } from './generated/sqlite-text/client/client.ts'
import { connect } from './store.ts'

/*
 * Runs operations to find out which of them generate a prefixed id for every record. The tables are loose, because ids
 * of prisma-prefixed-ids are not UUIDs. @smonn/ids and typeid-sql are not on npm.
 */

type Prisma = Pick<PrismaClient, 'user' | 'team'>

let server: Server
const clients: Record<string, Prisma> = {}
beforeAll(async () => {
  server = await SERVERS.SQLite.start()
  await createTables(server, 'text', { strict: false })
  await server.run('create table notes (id text primary key, text text, author_id text)')
  const client = new PrismaClient({ adapter: new PrismaBetterSqlite3({ url: `file:${server.socket}` }) })
  clients['typed-id'] = (await connect('sqlite', server.socket, 'text')) as never
  clients['prisma-prefixed-ids'] = extendPrismaClient(client, {
    prefixes: { User: 'user', Team: 'team', Note: 'note' },
  })
})
afterAll(() => server.stop())

const create = { name: 'Ada' }
const where = { id: UserId.example }
const updateTeam = async ({ team }: Prisma, users: object) => {
  const { id } = await team.create({ data: { name: 'Engine' } })
  await team.update({ where: { id }, data: { users } })
}

const CELLS: [string, (prisma: Prisma) => Promise<unknown>, peer: 'prefixed' | 'not prefixed'][] = [
  ['create', ({ user }) => user.create({ data: create }), 'prefixed'],
  ['createMany', ({ user }) => user.createMany({ data: [create, create] }), 'prefixed'],
  ['createManyAndReturn', ({ user }) => user.createManyAndReturn({ data: [create, create] }), 'not prefixed'],
  ['upsert', ({ user }) => user.upsert({ where, create, update: {} }), 'prefixed'],
  ['nested create', ({ user }) => user.create({ data: { ...create, team: { create } } }), 'prefixed'],
  [
    'nested create of several',
    ({ team }) => team.create({ data: { name: 'E', users: { create: [create] } } }),
    'prefixed',
  ],
  [
    'nested createMany',
    ({ team }) => team.create({ data: { name: 'E', users: { createMany: { data: [create] } } } }),
    'prefixed',
  ],
  [
    'nested connectOrCreate',
    (prisma) => updateTeam(prisma, { connectOrCreate: { where, create } }),
    'prefixed',
  ],
  ['nested upsert', (prisma) => updateTeam(prisma, { upsert: { where, create, update: {} } }), 'prefixed'],
  [
    'create in a nested update',
    async ({ user, team }) => {
      const ada = await user.create({ data: { ...create, team: { create } } })
      const users = { update: { where: { id: ada.id }, data: { notes: { create: { text: 'x' } } } } }
      await team.update({ where: { id: ada.teamId as TeamId }, data: { users } })
    },
    'not prefixed',
  ],
]

const READ_IDS = ['user', 'team', 'note']
  .map((prefix) => `select id, '${prefix}' as prefix from ${prefix}s`)
  .join(' union all ')

test.each(CELLS)('%s', async (_, run, peer) => {
  for (const [client, prisma] of Object.entries(clients)) {
    await server.run('delete from notes', 'delete from users', 'delete from teams')
    await run(prisma)
    const rows = await server.run(READ_IDS)
    const isPrefixed = rows.every(({ id, prefix }) => String(id).startsWith(`${prefix}`))
    expect(isPrefixed, client).toBe(client === 'typed-id' || peer === 'prefixed')
  }
})

test('prisma-prefixed-ids accepts a stored value that is not an id, and an id of another type', async () => {
  await server.run("insert into users (id, name) values ('user-1', 'Mallory')")
  for (const find of [
    ({ user }: Prisma) => user.findMany(),
    ({ user }: Prisma) => user.findMany({ where: { id: TeamId.example as never } }),
  ]) {
    await expect(Promise.resolve(clients['typed-id'] as Prisma).then(find)).rejects.toThrow('expected user')
    await find(clients['prisma-prefixed-ids'] as Prisma)
  }
})
