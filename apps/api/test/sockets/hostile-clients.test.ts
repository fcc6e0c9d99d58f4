import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import {
  openSocket,
  readUntilClosed,
  sendRaw,
  statusesIn,
} from 'testkit/sockets.ts'
import { expect, onTestFinished, test } from 'vitest'
import type { OpenDatabase } from '../../src/database/open.ts'
import { RoleId, UserId } from '../../src/ids.ts'
import { appOn, listenForTest, pausedReads } from '../support/listen.ts'

const TEAM = '{"name":"Engineering"}'
const POST =
  'POST /teams HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n'
const CLOSE = 'Connection: close\r\n'
const COMPLETE = `${POST}${CLOSE}Content-Length: ${TEAM.length}\r\n\r\n${TEAM}`
const GET = (path: string) => `GET ${path} HTTP/1.1\r\nHost: x\r\n${CLOSE}\r\n`
const MIB = 1024 * 1024

async function openMany(port: number, count: number, bytes: string) {
  const sockets = await Promise.all(
    Array.from({ length: count }, () => openSocket(port)),
  )
  onTestFinished(() => sockets.forEach((socket) => void socket.destroy()))
  await Promise.all(
    sockets.map(
      (socket) => new Promise((resolve) => socket.write(bytes, resolve)),
    ),
  )
  return sockets
}

test.each([
  ['send a single byte', ''],
  ['do not complete their headers', 'GET / HTTP/1.1\r\n'],
  [
    'do not complete their body',
    `${POST}Expect: 100-continue\r\nContent-Length: 1000\r\n\r\n`,
  ],
])(
  'clients that %s on every connection lock out no other client',
  async (_, bytes) => {
    const { port } = await listenForTest('a', { limits: { connections: 10 } })
    const sockets = await openMany(port, 10, bytes)
    if (bytes.includes('100-continue'))
      await Promise.all(sockets.map((socket) => once(socket, 'data')))
    for (const socket of sockets) socket.write('{')
    for (let n = 0; n < 10; n += 1) {
      expect(statusesIn(await sendRaw(port, GET('/healthz')))).toEqual([200])
      expect(statusesIn(await sendRaw(port, COMPLETE))).toEqual([201])
    }
  },
)

test('clients that do not read their responses lock out no other client', async () => {
  const { port } = await listenForTest('a', { limits: { connections: 5 } })
  const sockets = await Promise.all(
    Array.from({ length: 5 }, () => openSocket(port)),
  )
  onTestFinished(() => sockets.forEach((socket) => void socket.destroy()))
  for (const socket of sockets) {
    socket.write(
      GET('/docs/swagger-ui-dist/swagger-ui-bundle.js')
        .replace(CLOSE, '')
        .repeat(20),
    )
    await once(socket, 'data')
    socket.pause()
  }
  expect(statusesIn(await sendRaw(port, COMPLETE))).toEqual([201])
  expect(statusesIn(await sendRaw(port, GET('/healthz')))).toEqual([200])
})

test('a body that arrives byte by byte is read as a whole', async () => {
  const { port } = await listenForTest('a')
  const body = [...TEAM].map((byte) => `1\r\n${byte}\r\n`).join('')
  const chunked = `${POST}${CLOSE}Transfer-Encoding: chunked\r\n\r\n${body}0\r\n\r\n`
  expect(await sendRaw(port, chunked)).toContain('"name":"Engineering"')
})

test('unfinished bodies of more than 64 MiB in all receive 503 with Retry-After, and other bodies are read', async () => {
  // A busy machine may need more than the default time to receive 64 MiB.
  const { port } = await listenForTest('a', {
    limits: { requestMs: 600_000, responseMs: 600_000 },
  })
  const partial = `${POST}Content-Length: ${MIB}\r\n\r\n${' '.repeat(MIB - 1)}`
  const sockets = await openMany(port, 65, '')
  // Waits for any of the sockets: the server reads the bodies in any order, so
  // any body can be the one that exceeds the budget.
  const rejected = Promise.race(sockets.map((socket) => once(socket, 'data')))
  for (const socket of sockets) socket.write(partial)
  const [text] = await rejected
  expect(String(text)).toMatch(
    /^HTTP\/1\.1 503 .*retry-after: 1.*connection: close/is,
  )
  expect(statusesIn(await sendRaw(port, COMPLETE))).toEqual([201])
})

test.each([
  ['has arrived', ['{"name":', `"${'x'.repeat(200)}"`, '}'], 422],
  ['is too large', [' '.repeat(MIB - 1), ' ', ' '], 413],
  ['breaks', ['{"name":', new Error('broken')], 400],
])(
  'a body in pieces uses none of the 64 MiB once it %s',
  async (_, pieces, status) => {
    const { app } = appOn((await listenForTest('a')).database)
    const unfinishedBodies = { bytes: 0 }
    const seen: number[] = []
    const body = ReadableStream.from(
      (async function* () {
        for (const piece of pieces) {
          if (piece instanceof Error) throw piece
          yield Buffer.from(piece)
          seen.push(unfinishedBodies.bytes)
        }
      })(),
    )
    const headers = { 'content-type': 'application/json' }
    const init = { method: 'POST', headers, body, duplex: 'half' } as const
    const response = await app.request('/teams', init, { unfinishedBodies })
    expect(response.status).toBe(status)
    expect(Math.max(...seen)).toBeGreaterThan(0)
    expect(Math.max(...seen)).toBeLessThan(3 * pieces.join('').length)
    expect(unfinishedBodies.bytes).toBe(0)
  },
)

/**
 * Stores 60 users with 1,000 roles each. Their list has 18 MB, in parts of 0.3
 * MB.
 */
async function storeManyRoles(db: OpenDatabase['db']): Promise<void> {
  const roles = RoleId.generateMany(1000).map((id) => ({
    id,
    name: id,
    description: 'x'.repeat(200),
  }))
  await db.insertInto('roles').values(roles).execute()
  for (const id of UserId.generateMany(60)) {
    const user = {
      id,
      email: id,
      normalized_email: id,
      name: '',
      password_hash: 'x',
      team_id: null,
    }
    await db.insertInto('users').values(user).execute()
    const assigned = roles.map((role) => ({ user_id: id, role_id: role.id }))
    await db.insertInto('user_roles').values(assigned).execute()
  }
}

/**
 * Requests the list, and stops reading after the first bytes. Returns the
 * status.
 */
async function startList(port: number, opened: Socket[] = []) {
  const [socket] = (await openMany(port, 1, GET('/users'))) as [Socket]
  opened.push(socket)
  const [start] = await once(socket, 'data')
  socket.pause()
  return statusesIn(String(start))[0]
}

test('lists receive 503 while other clients leave 32 MB of them unread, and other requests are processed', async () => {
  const { port, db, connections } = await listenForTest('a')
  await storeManyRoles(db)
  /**
   * Returns how many clients can leave a list unread until the next receives
   * 503.
   */
  async function countUnread(): Promise<number> {
    const unread: Socket[] = []
    while ((await startList(port, unread)) === 200)
      expect(unread.length).toBeLessThan(100)
    expect(statusesIn(await sendRaw(port, GET('/teams')))).toEqual([200])
    const count = connections()
    unread[0]?.destroy()
    await expect.poll(connections).toBe(count - 1)
    const more = [await startList(port, unread), await startList(port, unread)]
    expect(more, 'after one of them has disconnected').toEqual([200, 503])
    for (const socket of unread) socket.destroy()
    await expect.poll(connections).toBe(0)
    return unread.length
  }
  expect(await countUnread()).toBe(await countUnread())
})

test('clients that disconnect before their lists are read leave nothing unread', async () => {
  const { options, release, waiting } = pausedReads()
  const { port, db, connections } = await listenForTest('a', { options })
  await storeManyRoles(db)
  const sockets = await openMany(port, 100, GET('/users'))
  await expect.poll(waiting).toBe(4)
  for (const socket of sockets) socket.destroy()
  await expect.poll(connections).toBe(0)
  release()
  expect(await startList(port)).toBe(200)
})

test.each([
  ['a length above 1 MiB', '/teams', `Content-Length: ${MIB + 1}\r\n`, 413],
  [
    'a content encoding',
    '/teams',
    'Content-Length: 9\r\nContent-Encoding: gzip\r\n',
    415,
  ],
  ['an unknown path', '/nothing', 'Content-Length: 9\r\n', 404],
  [
    'a method that the path does not have',
    '/healthz',
    'Content-Length: 9\r\n',
    405,
  ],
])(
  'a request with %s and Expect: 100-continue receives its error instead of 100',
  async (_, path, headers, status) => {
    const { port } = await listenForTest('a')
    const head = POST.replace('/teams', path)
    const received = await sendRaw(
      port,
      `${head}Expect: 100-continue\r\n${headers}\r\n`,
    )
    expect(statusesIn(received)).toEqual([status])
    expect(received).toMatch(/^connection: close$/im)
  },
)

test('a client that receives 413 before it has sent its body may send the rest', async () => {
  const { port } = await listenForTest('a')
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true })
  const errors: Error[] = []
  socket.on('error', (error) => errors.push(error))
  const ended = once(socket, 'end')
  const all = readUntilClosed(socket)
  socket.write(`${POST}Content-Length: ${4 * MIB}\r\n\r\n`)
  await ended
  for (let sent = 0; sent < 4; sent += 1)
    await new Promise((resolve) => socket.write(' '.repeat(MIB), resolve))
  socket.end()
  expect(statusesIn(await all)).toEqual([413])
  expect(errors).toEqual([])
})

test.each([
  ['413', `${POST}Content-Length: ${4 * MIB}\r\n\r\n`],
  ['400', 'no HTTP\r\n\r\n'],
])(
  'a client that receives %s and does not close its side is disconnected',
  async (status, request) => {
    const { port, connections } = await listenForTest('a', {
      limits: { requestMs: 600_000, responseMs: 600_000 },
    })
    const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true })
    socket.on('error', () => {})
    socket.write(request)
    const [received] = await once(socket, 'data')
    expect(String(received)).toContain(` ${status} `)
    await expect.poll(connections, { timeout: 10_000 }).toBe(0)
    await expect
      .poll(() => !socket.destroyed && socket.write(' '), { timeout: 10_000 })
      .toBe(false)
  },
)

test.each(['100-continue', '100-Continue'])(
  'a request with Expect: %s whose body is wanted receives 100 first',
  async (expected) => {
    const { port } = await listenForTest('a')
    const socket = await openSocket(port)
    const all = readUntilClosed(socket)
    socket.write(
      `${POST}${CLOSE}Expect: ${expected}\r\nContent-Length: ${TEAM.length}\r\n\r\n`,
    )
    const [first] = await once(socket, 'data')
    expect(statusesIn(String(first))).toEqual([100])
    socket.write(TEAM)
    expect(statusesIn(await all)).toEqual([100, 201])
  },
)

test('an HTTP/1.0 client does not receive 100, which it would take for the response', async () => {
  const { port } = await listenForTest('a')
  const request = COMPLETE.replace('HTTP/1.1', 'HTTP/1.0').replace(
    CLOSE,
    'Expect: 100-continue\r\n',
  )
  expect(statusesIn(await sendRaw(port, request))).toEqual([201])
})

test('a request with another value of Expect is processed as one without it', async () => {
  const { port } = await listenForTest('a')
  const request = `${POST}${CLOSE}Content-Length: ${TEAM.length}\r\nExpect: x\r\n`
  const received = await sendRaw(port, `${request}\r\n${TEAM}`)
  expect(statusesIn(received)).toEqual([201])
  expect(received).toMatch(/^x-request-id: .+$/im)
})

test('OPTIONS * receives 204 with the methods of the service', async () => {
  const { port } = await listenForTest('a')
  const received = await sendRaw(
    port,
    `OPTIONS * HTTP/1.1\r\nHost: x\r\n${CLOSE}\r\n`,
  )
  expect(received).toMatch(
    /^HTTP\/1\.1 204 .*allow: GET, HEAD, POST, PATCH, DELETE\r\n/is,
  )
})

test('a request target of which no URL can be made receives 400 with a detail', async () => {
  const { port } = await listenForTest('a')
  const received = await sendRaw(
    port,
    `GET * HTTP/1.1\r\nHost: a b\r\n${CLOSE}\r\n`,
  )
  expect(received).toMatch(/^HTTP\/1\.1 400 .*\{"detail":"Bad Request"\}$/is)
})

test('a request that receives 408 is logged as aborted, not with a status that its client did not receive', async () => {
  const counted: unknown[] = []
  const { port, logLines } = await listenForTest('a', {
    limits: { requestMs: 200 },
    options: () => ({ observers: [(request) => counted.push(request)] }),
  })
  expect(
    statusesIn(await sendRaw(port, `${POST}Content-Length: 9\r\n\r\n{`)),
  ).toEqual([408])
  const lines = () =>
    logLines
      .map((line) => JSON.parse(line))
      .filter(({ route }) => route === '/teams')
  await expect
    .poll(lines)
    .toMatchObject([{ msg: 'request aborted', method: 'POST' }])
  expect(lines()[0]).not.toHaveProperty('status')
  expect(counted).toEqual([])
})
