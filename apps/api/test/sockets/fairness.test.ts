import { performance } from 'node:perf_hooks'
import { emptyDatabaseForTest } from 'testkit/engines.ts'
import { openSocket, sendRaw, statusesIn } from 'testkit/sockets.ts'
import { beforeEach, expect, onTestFinished, test } from 'vitest'
import type { OpenDatabase } from '../../src/database/open.ts'
import { RoleId, TeamId, UserId } from '../../src/ids.ts'
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
/** The turn of the event loop in which each page was read. */
let pages: number[]

const turn = () => performance.nodeTiming.uvMetricsInfo.loopCount

beforeEach(async () => {
  pages = []
  const url = await emptyDatabaseForTest('sqlite-file')
  service = await listenForTest('a', {
    database: await openForTest(url),
    options: (database) => ({
      database: withSlowRows(database, async (query) => {
        if (query?.kind === 'SelectQueryNode' && query.limit) pages.push(turn())
      }),
    }),
  })
  await storeManyRoles(service.db)
})

/** Stores 100 users with 100 roles each, and the longest names. */
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

/** Opens connections that read lists again and again. */
async function readLists(count: number): Promise<void> {
  for (let n = 0; n < count; n += 1) {
    const socket = await openSocket(service.port)
    onTestFinished(() => void socket.destroy())
    socket.resume()
    socket.write(GET(LISTS[n % LISTS.length] ?? '').repeat(50))
  }
  await expect.poll(() => pages.length).toBeGreaterThan(20)
}

test('all lists of the service read one page per turn of the event loop, and leave turns to other requests', async () => {
  await readLists(16)
  await expect.poll(() => pages.length).toBeGreaterThan(100)
  expect(new Set(pages).size).toBe(pages.length)
  const [first = 0, last = 0] = [pages[0], pages.at(-1)]
  // Node accepts one connection per turn.
  expect((last - first) / pages.length).toBeGreaterThan(4)
})

test('beside any number of lists, a new connection waits for a few pages, also when many are opened at once', async () => {
  await readLists(60)
  const before = pages.length
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
  expect(pages.length - before).toBeLessThan(30)
})

test('a page of users with long names and many roles has fewer rows than one with short names', async () => {
  const sizes = async () => (await service.get('/users?limit=1000')).json.length
  expect(await sizes()).toBe(4)
  await service.db.updateTable('roles').set({ description: '' }).execute()
  await service.db
    .updateTable('users')
    .set({ name: '', team_id: null })
    .execute()
  expect(await sizes()).toBe(10)
})
