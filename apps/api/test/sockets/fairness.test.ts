import { performance } from 'node:perf_hooks'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { KyselyPlugin } from 'kysely'
import { type Engine, emptyDatabaseForTest } from 'testkit/engines.ts'
import { openSocket, sendRaw, statusesIn } from 'testkit/sockets.ts'
import { expect, onTestFinished, test } from 'vitest'
import type { OpenDatabase } from '../../src/database/open.ts'
import { RoleId, TeamId, UserId } from '../../src/ids.ts'
import { createUserStore } from '../../src/profile-a/store/users.ts'
import { openForTest } from '../support/http-fixture.ts'
import {
  type ListeningService,
  listenForTest,
  withSlowRows,
} from '../support/listen.ts'

const LONG = '😀'
const GET = (path: string) => `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`
const LISTS = ['/users', '/users?limit=1000', '/roles', '/teams?limit=1000']

let service: ListeningService
/**
 * The turn of the event loop and the number of rows for each read of the
 * database.
 */
let reads: { turn: number; rows: number }[]

const currentTurn = () => performance.nodeTiming.uvMetricsInfo.loopCount

const countRows: KyselyPlugin = {
  transformQuery: ({ node }) => node,
  async transformResult({ result }) {
    const rows = result.rows.length
    const turn = currentTurn()
    if (rows > 0) reads.push({ turn, rows })
    return result
  },
}

async function start(engine: Engine): Promise<void> {
  reads = []
  const url = await emptyDatabaseForTest(engine)
  service = await listenForTest('a', {
    database: await openForTest(url),
    options: (database) => ({
      database: { ...database, db: database.db.withPlugin(countRows) },
    }),
  })
  await storeManyRoles(service.db)
}

/** Stores 100 users with 100 roles each. The names have the maximum length. */
async function storeManyRoles(db: OpenDatabase['db']): Promise<void> {
  const teams = TeamId.generateMany(300).map((id) => ({
    id,
    name: LONG.repeat(100),
  }))
  for (let n = 0; n < 300; n += 100)
    await db
      .insertInto('teams')
      .values(teams.slice(n, n + 100))
      .execute()
  const roles = RoleId.generateMany(100).map((id, n) => ({
    id,
    name: `${n}${LONG.repeat(40)}`,
    description: LONG.repeat(200),
  }))
  await db.insertInto('roles').values(roles).execute()
  for (const id of UserId.generateMany(100)) {
    const user = {
      id,
      email: id,
      normalized_email: id,
      name: LONG.repeat(100),
      password_hash: 'x',
      team_id: teams[0]?.id,
    }
    await db.insertInto('users').values(user).execute()
    const assigned = roles.map((role) => ({ user_id: id, role_id: role.id }))
    await db.insertInto('user_roles').values(assigned).execute()
  }
}

async function readLists(count: number): Promise<void> {
  for (let n = 0; n < count; n += 1) {
    const socket = await openSocket(service.port)
    onTestFinished(() => void socket.destroy())
    socket.resume()
    socket.write(GET(LISTS[n % LISTS.length] ?? '').repeat(50))
  }
  await expect.poll(() => reads.length).toBeGreaterThan(20)
}

test.each(['sqlite-file', 'sqlite-memory'] as const)(
  'all lists of the service read one page per turn of the event loop, and leave turns to other requests',
  async (engine) => {
    await start(engine)
    await readLists(16)
    await expect.poll(() => reads.length).toBeGreaterThan(100)
    const turns = reads.map(({ turn }) => turn)
    expect(new Set(turns).size).toBe(turns.length)
    const [first = 0, last = 0] = [turns[0], turns.at(-1)]
    // Lists leave turns between their reads, because Node accepts one
    // connection per turn.
    expect((last - first) / turns.length).toBeGreaterThan(4)
  },
)

test('beside any number of lists, a new connection waits for a few pages, also when many are opened at once', async () => {
  await start('sqlite-file')
  await readLists(60)
  const before = reads.length
  const checks = await Promise.all(
    Array.from({ length: 30 }, () =>
      sendRaw(
        service.port,
        'GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n',
      ),
    ),
  )
  expect(checks.map((check) => statusesIn(check))).toEqual(
    checks.map(() => [200]),
  )
  expect(reads.length - before).toBeLessThan(30)
})

test('the pipelined requests of a connection run in separate turns, between which others connect', async () => {
  const turns: number[] = []
  const { port } = await listenForTest('a', {
    options: () => ({ observers: [() => turns.push(currentTurn())] }),
  })
  const requests = ['/missing', '/healthz', '/users/x', '/readyz'].map(GET)
  const last = 'GET / HTTP/1.0\r\n\r\n'
  await sendRaw(port, requests.join('').repeat(20) + last)
  expect(turns).toHaveLength(81)
  // Only the first two requests may share a turn: the first runs in the turn in
  // which it arrives.
  expect(new Set(turns).size).toBeGreaterThanOrEqual(80)
})

test('teams of Profile B with many members are read one per turn of the event loop, and leave turns to other requests', async () => {
  reads = []
  const { port, db } = await listenForTest('b', {
    options: (database) => ({
      database: { ...database, db: database.db.withPlugin(countRows) },
    }),
  })
  const team_id = TeamId.generate()
  await db.insertInto('teams').values({ id: team_id, name: '' }).execute()
  for (const id of UserId.generateMany(500))
    await db
      .insertInto('users')
      .values({ id, name: '', email: '', team_id })
      .execute()
  await Promise.all(
    Array.from({ length: 10 }, () =>
      sendRaw(
        port,
        `GET /teams/${team_id} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`,
      ),
    ),
  )
  const whole = reads.filter(({ rows }) => rows === 500)
  expect(whole).toHaveLength(10)
  for (const [n, { turn }] of whole.slice(1).entries())
    expect(turn - (whole[n]?.turn ?? 0)).toBeGreaterThan(15)
})

test('reads of many users at once have at most 400 rows per statement, and a user with more roles is read alone', async () => {
  await start('sqlite-file')
  const users = (await service.get('/users')).json as { id: UserId }[]
  const roles = RoleId.generateMany(400).map((id) => ({
    id,
    name: id,
    description: null,
  }))
  await service.db.insertInto('roles').values(roles).execute()
  const large = [users[0]?.id, users[1]?.id, users[99]?.id]
  for (const user_id of large)
    await service.db
      .insertInto('user_roles')
      .values(roles.map(({ id }) => ({ user_id, role_id: id })))
      .execute()
  reads = []
  const { find } = createUserStore(service.db.withPlugin(countRows))
  const counts = await Promise.all(
    users.map(async ({ id }) => (await find(id))?.roles.length),
  )
  expect(counts).toEqual(
    users.map(({ id }) => (large.includes(id) ? 500 : 100)),
  )
  const alone = reads.filter(({ rows }) => rows > 400)
  expect(alone.map(({ rows }) => rows)).toEqual([500, 500, 500])
  for (const [n, { turn }] of alone.slice(1).entries())
    expect(turn - (alone[n]?.turn ?? 0)).toBeGreaterThan(15)
  expect(reads.length).toBeLessThan(45)
})

test('of many users with more than 400 roles, four are read at a time', async () => {
  const database = await openForTest(await emptyDatabaseForTest('sqlite-file'))
  const roles = RoleId.generateMany(401)
  const rows = roles.map((id) => ({ id, name: id, description: null }))
  await database.db.insertInto('roles').values(rows).execute()
  const store = createUserStore(database.db)
  const users: UserId[] = []
  for (let n = 0; n < 6; n += 1) {
    const user = { email: `${n}@x.org`, name: '', password_hash: 'x' }
    const user_id = await store.create({ ...user, team_id: null })
    users.push(user_id)
    const assigned = roles.map((role_id) => ({ user_id, role_id }))
    await database.db.insertInto('user_roles').values(assigned).execute()
  }
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  let waiting = 0
  const { db } = withSlowRows(database, async (query) => {
    if (query?.kind !== 'SelectQueryNode' || query.limit) return
    waiting += 1
    await released
  })
  const found = Promise.all(users.map(createUserStore(db).find))
  for (let turn = 0; turn < 500; turn += 1) await nextTurn()
  expect(waiting).toBe(4)
  release()
  for (const user of await found) expect(user?.roles).toHaveLength(401)
})

test('a page of users with long names and many roles has fewer users than one with short names, whose rows are read once', async () => {
  await start('sqlite-file')
  const sizes = async () => (await service.get('/users?limit=1000')).json.length
  expect(await sizes()).toBeLessThan(20)
  await service.db.updateTable('roles').set({ description: '' }).execute()
  await service.db
    .updateTable('users')
    .set({ name: '', team_id: null })
    .execute()
  expect(await sizes()).toBeGreaterThan(20)
  await service.db.deleteFrom('user_roles').execute()
  const store = createUserStore(service.db)
  for (let n = 0; n < 900; n += 1)
    await store.create({
      email: `${n}@example.com`,
      name: 'Ada',
      password_hash: 'x',
      team_id: null,
    })
  reads = []
  expect(await sizes()).toBe(1000)
  expect(reads.reduce((sum, { rows }) => sum + rows, 0)).toBeLessThan(1010)
})
