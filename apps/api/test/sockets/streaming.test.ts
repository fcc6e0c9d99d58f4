import { once } from 'node:events'
import { collect } from 'testkit/server.ts'
import { openSocket } from 'testkit/sockets.ts'
import { expect, test, vi } from 'vitest'
import { UserId } from '../../src/ids.ts'
import type { ServerLimits } from '../../src/server/serve.ts'
import { listenForTest, logOf, withSlowRows } from '../support/listen.ts'
import { CLOSE, GET, statusesOf } from './bytes.ts'

const USERS = 16_000
const PAGES = USERS / 200

/**
 * A list of 16,000 users with these fields has 19 MB, more than sockets buffer.
 */
const fields = { name: '€'.repeat(100), email: '€'.repeat(255), team_id: null }

async function startWithUsers(
  limits: Partial<ServerLimits> = {},
  corsOrigins?: string[],
  beforePage: (page: number) => Promise<void> = async () => {},
) {
  let pagesRead = 0
  const service = await listenForTest('b', {
    limits,
    options: (database) => ({
      corsOrigins,
      database: withSlowRows(database, async (query) => {
        if (query?.kind !== 'SelectQueryNode' || !query.limit) return
        pagesRead += 1
        await beforePage(pagesRead)
      }),
    }),
  })
  for (let n = 0; n < USERS; n += 1000) {
    const rows = UserId.generateMany(1000).map((id) => ({ id, ...fields }))
    await service.db.insertInto('users').values(rows).execute()
  }
  // The service reads one user, to estimate how many users fit into a page.
  // Each later query then reads 200 users.
  await service.get('/users?limit=1')
  pagesRead = 0
  return {
    ...service,
    loggedErrors: () => logOf(service).filter(({ level }) => level >= 50),
    async settledPages(): Promise<number> {
      let pages = -1
      const isSettled = () => {
        const before = pages
        pages = pagesRead
        return pages === before
      }
      await vi.waitUntil(isSettled, { interval: 300, timeout: 10_000 })
      return pages
    },
  }
}

async function requestUsers(port: number, version = '1.1') {
  const socket = await openSocket(port)
  const text = collect(socket.setEncoding('latin1'))
  const closed = new Promise((resolve) =>
    socket
      .once('error', ({ code }: NodeJS.ErrnoException) => resolve(code))
      .once('close', resolve),
  )
  const bytes = GET('/users', 'X-Request-Id: raw\r\n')
  socket.write(bytes.replace('HTTP/1.1', `HTTP/${version}`))
  return { socket, closed, text }
}

const countUsers = (text: string) => text.match(/"id":"user-/g)?.length

test('a client that stops reading stops the database reads, delays no other request, and receives every row in the end', async () => {
  const { port, get, post, settledPages } = await startWithUsers()
  const { socket, text } = await requestUsers(port)
  socket.once('data', () => socket.pause())
  expect(await settledPages()).toBeLessThan((PAGES * 3) / 4)
  expect((await post('/users', fields)).status).toBe(200)
  expect((await get('/users?limit=1000')).json).toHaveLength(1000)

  socket.resume()
  await expect
    .poll(() => text().endsWith('\r\n0\r\n\r\n'), { interval: 500 })
    .toBe(true)
  expect(countUsers(text())).toBe(USERS + 1)
  socket.destroy()
})

test('a client that disconnects ends the database reads', async () => {
  const { port, settledPages, loggedErrors } = await startWithUsers()
  const clients = await Promise.all(
    Array.from({ length: 20 }, () => requestUsers(port)),
  )
  for (const { socket } of clients) socket.once('data', () => socket.destroy())
  for (const { closed } of clients) await closed
  expect(await settledPages()).toBeLessThan(clients.length * (PAGES / 2))
  expect(loggedErrors()).toEqual([])
})

test('a list that a client reads to its end while the service stops closes its connection', async () => {
  const limits = { stopMs: 600_000, idleMs: 600_000 }
  const { port, close } = await startWithUsers(limits)
  const { socket, text, closed } = await requestUsers(port)
  await once(socket, 'data')
  await close()
  await closed
  expect(countUsers(text())).toBe(USERS)
})

test.each([
  ['HTTP/1.1', '1.1', undefined],
  ['HTTP/1.0', '1.0', undefined],
  ['CORS', '1.1', ['*']],
])(
  'an error in the middle of a response is logged, and resets the connection instead of completing the JSON (%s)',
  async (_, version, cors) => {
    const printed = vi.spyOn(console, 'error').mockImplementation(() => {})
    let received = () => ''
    const failLater = async (page: number) => {
      if (page < 3) return
      await vi.waitUntil(() => countUsers(received()) === 400)
      throw new Error('row of ada@example.com')
    }
    const { port, loggedErrors } = await startWithUsers({}, cors, failLater)
    const { closed, text } = await requestUsers(port, version)
    received = text
    expect(await closed).toBe('ECONNRESET')
    expect(text()).toMatch(/^HTTP\/1\.1 200 OK\r\n/)
    expect(countUsers(text())).toBe(400)
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

test.each([
  ['by new connections at the limit', { connections: 1 }, 'connections'],
  ['after the time to read', { responseMs: 200 }, 'slow_response'],
  ['after the time to stop', { stopMs: 0 }, undefined],
] as const)(
  'a list of HTTP/1.0 whose reader stands still is reset %s, so it does not look complete',
  async (_, limits, reason) => {
    const service = await startWithUsers(limits)
    const { socket, closed } = await requestUsers(service.port, '1.0')
    await once(socket, 'data')
    socket.pause()
    await service.settledPages()
    const { port, rejections, close } = service
    if (reason === undefined) await close()
    // Each new connection above the limit closes an old connection. The
    // test opens two, because the first may close a connection of `fetch`.
    if (reason === 'connections')
      for (const _ of [1, 2]) await statusesOf(port, GET('/healthz', CLOSE))
    if (reason) await expect.poll(() => rejections[reason]).toBeGreaterThan(0)
    socket.resume()
    expect(await closed).toBe('ECONNRESET')
  },
)
