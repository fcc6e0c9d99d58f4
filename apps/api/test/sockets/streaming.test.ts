import { connect } from 'node:net'
import { collect } from 'testkit/server.ts'
import {
  afterAll,
  afterEach,
  beforeAll,
  beforeEach,
  expect,
  test,
  vi,
} from 'vitest'
import { PROFILES } from '../../src/app.ts'
import { type OpenDatabase, openDatabase } from '../../src/database/open.ts'
import { createUser, deleteUser } from '../../src/profile-b/store.ts'
import {
  databaseAt,
  type ListeningService,
  listen,
  withSlowRows,
} from '../support/listen.ts'
import { GET } from './bytes.ts'

const USERS = 40_000
const PAGES = USERS / 200

/**
 * Fields of users whose list has 18 MB, more than the buffers of the sockets
 * hold, so that the service waits for a client that stops reading.
 */
const fields = { name: 'n'.repeat(100), email: 'e'.repeat(255), team_id: null }

let database: OpenDatabase
beforeAll(async () => {
  database = await openDatabase(
    databaseAt('sqlite::memory:'),
    PROFILES.b.migrations,
  )
  await Promise.all(
    Array.from({ length: USERS }, () => createUser(database.db, fields)),
  )
})
afterAll(() => database.close())

let service: ListeningService
let pagesRead: number
/** Called before the database returns a page of users. */
let beforePage: (page: number) => Promise<void>

async function start(corsOrigins?: string[]) {
  pagesRead = 0
  beforePage = async () => {}
  service = await listen('b', {
    database,
    options: (database) => ({
      corsOrigins,
      database: withSlowRows(database, async (query) => {
        if (query?.kind !== 'SelectQueryNode' || !query.limit) return
        pagesRead += 1
        await beforePage(pagesRead)
      }),
    }),
  })
}

beforeEach(() => start())
afterEach(() => service.close())

function requestUsers() {
  const socket = connect(service.port, '127.0.0.1')
  socket.write(GET('/users', 'X-Request-Id: raw\r\n'))
  const text = collect(socket.setEncoding('latin1'))
  const closed = new Promise((resolve) => socket.once('close', resolve))
  socket.on('error', () => {})
  const users = () => text().match(/"id":"user-/g)?.length
  return { socket, closed, text, users }
}

/**
 * Waits until 300 ms pass without another page being read, and returns the
 * number of pages.
 */
async function settledPages(): Promise<number> {
  let pages = -1
  await vi.waitUntil(
    () => {
      const isSettled = pages === pagesRead
      pages = pagesRead
      return isSettled
    },
    { interval: 300, timeout: 10_000 },
  )
  return pages
}

const loggedErrors = () =>
  service.logLines
    .map((line) => JSON.parse(line))
    .filter(({ level }) => level >= 50)

test('HEAD reads no page', async () => {
  const response = await fetch(`${service.url}/users`, { method: 'HEAD' })
  expect(response.headers.get('content-type')).toBe('application/json')
  expect(pagesRead).toBe(0)
})

test('a client that stops reading stops the database reads, delays no other request, and receives every row in the end', async () => {
  const { socket, text, users } = requestUsers()
  socket.once('data', () => socket.pause())
  expect(await settledPages()).toBeLessThan((PAGES * 3) / 4)
  const { status, json: user } = await service.post('/users', fields)
  expect(status).toBe(200)
  expect((await service.get('/users?limit=1000')).json).toHaveLength(1000)

  socket.resume()
  await expect
    .poll(() => text().endsWith('\r\n0\r\n\r\n'), { interval: 500 })
    .toBe(true)
  expect(users()).toBe(USERS + 1)
  socket.destroy()
  await deleteUser(database.db, user.id)
})

test('a client that disconnects ends the database reads', async () => {
  const clients = Array.from({ length: 20 }, requestUsers)
  for (const { socket } of clients) socket.once('data', () => socket.destroy())
  for (const { closed } of clients) await closed
  // Lists that are read to the end would have 20 times as many pages.
  expect(await settledPages()).toBeLessThan(clients.length * (PAGES / 2))
  expect(loggedErrors()).toEqual([])
})

test.each([
  ['', undefined],
  [' to a page of another origin', ['*']],
])(
  'an error in the middle of a response%s is logged, and closes the connection instead of completing the JSON',
  async (_, corsOrigins) => {
    await service.close()
    await start(corsOrigins)
    const printed = vi.spyOn(console, 'error').mockImplementation(() => {})
    const { closed, text, users } = requestUsers()
    beforePage = async (page) => {
      if (page < 3) return
      // Waits until the client has received both pages.
      await vi.waitUntil(() => users() === 400)
      throw new Error('row of ada@example.com')
    }
    await closed
    expect(text()).toMatch(/^HTTP\/1\.1 200 OK\r\n/)
    expect(users()).toBe(400)
    expect(text()).not.toMatch(/\]|0\r\n\r\n$|ada@example\.com|Error/)
    expect(loggedErrors()).toMatchObject([
      {
        msg: 'response aborted',
        method: 'GET',
        route: '/users',
        request_id: 'raw',
        err: { message: 'row of ada@example.com' },
      },
    ])
    expect(printed.mock.calls.join()).not.toContain('ada@example.com')
    printed.mockRestore()
  },
)
