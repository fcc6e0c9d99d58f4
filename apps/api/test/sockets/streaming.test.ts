import { connect } from 'node:net'
import { collect } from 'testkit/server.ts'
import {
  afterAll,
  afterEach,
  beforeAll,
  beforeEach,
  describe,
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
let beforePage: (page: number) => Promise<void>

async function start(corsOrigins?: string[]) {
  pagesRead = 0
  beforePage = async () => {}
  service = await listen('b', {
    database,
    options: (database) => ({ database: countPages(database), corsOrigins }),
  })
}

/**
 * Counts the pages of users that are read, and calls `beforePage` before it
 * returns each page.
 */
const countPages = (database: OpenDatabase): OpenDatabase =>
  withSlowRows(database, async (query) => {
    if (query?.kind !== 'SelectQueryNode' || !query.limit) return
    pagesRead += 1
    await beforePage(pagesRead)
  })

beforeEach(() => start())
afterEach(() => service.close())

function requestUsers() {
  const socket = connect(service.port, '127.0.0.1')
  socket.write(
    'GET /users HTTP/1.1\r\nHost: localhost\r\nX-Request-Id: raw\r\n\r\n',
  )
  const text = collect(socket.setEncoding('latin1'))
  const closed = new Promise<void>((resolve) =>
    socket.once('close', () => resolve()),
  )
  socket.on('error', () => {})
  return { socket, closed, text }
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

const errorsIn = (logLines: readonly string[]) =>
  logLines.map((line) => JSON.parse(line)).filter(({ level }) => level >= 50)

test('the first byte is sent before the last row is read', async () => {
  const { promise: firstByte, resolve } = Promise.withResolvers<void>()
  beforePage = async (page) => {
    if (page > 1) await firstByte
  }
  const response = await fetch(`${service.url}/users`)
  const reader = response.body?.getReader()
  const { value } = (await reader?.read()) ?? {}
  expect(value?.byteLength).toBeGreaterThan(0)
  expect(pagesRead).toBeLessThan(4)
  resolve()
  let size = value?.byteLength ?? 0
  for (
    let part = await reader?.read();
    part?.value;
    part = await reader?.read()
  )
    size += part.value.byteLength
  expect(pagesRead).toBe(PAGES)
  expect(size).toBeGreaterThan(USERS * 355)
})

test('HEAD reads no page', async () => {
  const response = await fetch(`${service.url}/users`, { method: 'HEAD' })
  expect(response.status).toBe(200)
  expect(response.headers.get('content-type')).toBe('application/json')
  expect(pagesRead).toBe(0)
})

test('a client that stops reading stops the database reads, delays no other request, and receives every row in the end', async () => {
  const { socket, text } = requestUsers()
  socket.once('data', () => socket.pause())
  const settled = await settledPages()
  expect(settled).toBeLessThan((PAGES * 3) / 4)
  const { status, json: user } = await service.post('/users', fields)
  expect(status).toBe(200)
  expect((await service.get('/users?limit=1000')).json).toHaveLength(1000)

  socket.resume()
  await vi.waitFor(() => expect(text().endsWith('\r\n0\r\n\r\n')).toBe(true), {
    timeout: 60_000,
    interval: 500,
  })
  expect(text().match(/"id":"user-/g)).toHaveLength(USERS + 1)
  socket.destroy()
  await deleteUser(database.db, user.id)
})

test('a client that reads a long list as fast as it can does not delay other requests', async () => {
  let isReading = true
  const list = fetch(`${service.url}/users`).then(async (response) => {
    await response.arrayBuffer()
    isReading = false
  })
  let others = 0
  for (; isReading; others += 1)
    expect((await service.get('/healthz')).status).toBe(200)
  await list
  // Expects about one other response per page. Without pauses between pages,
  // other requests run only when the buffers of the sockets are full.
  expect(others).toBeGreaterThan(PAGES / 8)
})

test('of many lists at once, a few pages are read at a time', async () => {
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  beforePage = () => released
  const lists = Array.from({ length: 20 }, () =>
    fetch(`${service.url}/users?limit=1000`),
  )
  expect(await settledPages()).toBe(4)
  release()
  for (const list of lists)
    expect((await (await list).json()) as unknown[]).toHaveLength(1000)
})

test('a client that disconnects ends the database reads', async () => {
  const clients = Array.from({ length: 20 }, requestUsers)
  for (const { socket } of clients) socket.once('data', () => socket.destroy())
  for (const { closed } of clients) await closed
  // Lists that are read to the end would have 20 times as many pages.
  expect(await settledPages()).toBeLessThan(clients.length * (PAGES / 2))
  expect(errorsIn(service.logLines)).toEqual([])
})

describe.each([
  ['', undefined],
  [' to a page of another origin', ['*']],
])('an error in the middle of a response%s', (_, corsOrigins) => {
  test('is logged, and closes the connection instead of completing the JSON', async () => {
    await service.close()
    await start(corsOrigins)
    const printed = vi.spyOn(console, 'error').mockImplementation(() => {})
    const { closed, text } = requestUsers()
    beforePage = async (page) => {
      if (page < 3) return
      // Waits until the client has received both pages.
      await vi.waitUntil(() => text().match(/"id":"user-/g)?.length === 400)
      throw new Error('row of ada@example.com')
    }
    await closed
    expect(text()).toMatch(/^HTTP\/1\.1 200 OK\r\n/)
    expect(text().match(/"id":"user-/g)).toHaveLength(400)
    expect(text()).not.toMatch(/\]|0\r\n\r\n$|ada@example\.com|Error/)

    expect(errorsIn(service.logLines)).toEqual([
      expect.objectContaining({
        msg: 'response aborted',
        method: 'GET',
        route: '/users',
        request_id: 'raw',
        err: expect.objectContaining({ message: 'row of ada@example.com' }),
      }),
    ])
    expect(printed.mock.calls.flat().map(String).join()).not.toContain(
      'ada@example.com',
    )
    printed.mockRestore()

    beforePage = async () => {}
    expect((await service.get('/users?limit=1')).status).toBe(200)
  })
})
