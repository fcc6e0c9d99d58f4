import { PrismaBetterSqlite3 } from '@prisma/adapter-better-sqlite3'
import { extendPrismaClient } from 'prisma-prefixed-ids'
import { formatTable } from 'testkit/tables.ts'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { SERVERS, type Server } from '../../databases.ts'
import { report } from '../../report.ts'
import { TeamId, UserId } from '../ids.ts'
import { createTables } from '../tables.ts'
import { PrismaClient } from './generated/sqlite-text/client/client.ts'
import { connect } from './store.ts'

/*
 * Which operations on Prisma generate a prefixed id for every record, found out by running them. The tables are loose:
 * the ids of prisma-prefixed-ids are no UUIDs. @smonn/ids and typeid-sql are not on npm.
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
beforeEach(async () => {
  await server.run('delete from notes', 'delete from users', 'delete from teams')
})

const create = { name: 'Ada' }
const where = { id: UserId.example }
const updateTeam = async ({ team }: Prisma, users: object) => {
  const { id } = await team.create({ data: { name: 'Engine' } })
  await team.update({ where: { id }, data: { users } })
}

const CELLS: [string, (prisma: Prisma) => Promise<unknown>, peer: 'yes' | 'no'][] = [
  ['create', ({ user }) => user.create({ data: create }), 'yes'],
  ['createMany', ({ user }) => user.createMany({ data: [create, create] }), 'yes'],
  ['createManyAndReturn', ({ user }) => user.createManyAndReturn({ data: [create, create] }), 'no'],
  ['upsert', ({ user }) => user.upsert({ where, create, update: {} }), 'yes'],
  ['nested create', ({ user }) => user.create({ data: { ...create, team: { create } } }), 'yes'],
  [
    'nested create of several',
    ({ team }) => team.create({ data: { name: 'E', users: { create: [create] } } }),
    'yes',
  ],
  [
    'nested createMany',
    ({ team }) => team.create({ data: { name: 'E', users: { createMany: { data: [create] } } } }),
    'yes',
  ],
  ['nested connectOrCreate', (prisma) => updateTeam(prisma, { connectOrCreate: { where, create } }), 'yes'],
  ['nested upsert', (prisma) => updateTeam(prisma, { upsert: { where, create, update: {} } }), 'yes'],
  [
    'create in a nested update',
    async ({ user, team }) => {
      const ada = await user.create({ data: { ...create, team: { create } } })
      const users = { update: { where: { id: ada.id }, data: { notes: { create: { text: 'x' } } } } }
      await team.update({ where: { id: ada.teamId as TeamId }, data: { users } })
    },
    'no',
  ],
]

const rows: string[][] = []
test.each(CELLS)('%s', async (name, run, peer) => {
  const found = new Map<string, string>()
  for (const [client, prisma] of Object.entries(clients)) {
    await server.run('delete from notes', 'delete from users', 'delete from teams')
    await run(prisma)
    const prefixed = async (table: string, prefix: string) =>
      (await server.run(`select id from ${table}`)).every(({ id }) => String(id).startsWith(prefix))
    found.set(
      client,
      (await prefixed('users', 'user')) &&
        (await prefixed('teams', 'team')) &&
        (await prefixed('notes', 'note'))
        ? 'yes'
        : 'no',
    )
  }
  rows.push([name, ...found.values()])
  expect(Object.fromEntries(found)).toEqual({ 'typed-id': 'yes', 'prisma-prefixed-ids': peer })
})

test('a stored value that is not an id, and an id of another type', async () => {
  await server.run("insert into users (id, name) values ('user-1', 'Mallory')")
  const fails = async (action: () => Promise<unknown>) =>
    (await action().then(
      () => 'no',
      () => 'yes',
    )) as string
  for (const [name, action] of [
    ['a stored value that is no id fails', ({ user }: Prisma) => user.findMany()],
    [
      'an id of another type fails',
      ({ user }: Prisma) => user.findMany({ where: { id: TeamId.example as never } }),
    ],
  ] as const) {
    const found = await Promise.all(
      Object.values(clients).map((client) => fails(async () => await action(client))),
    )
    rows.push([name, ...found])
    expect(found).toEqual(['yes', 'no'])
  }
})

afterAll(() => report('peers', formatTable({ columns: ['', ...Object.keys(clients)], rows })))
