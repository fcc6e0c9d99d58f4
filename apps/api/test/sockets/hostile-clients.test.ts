import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { openSocket, readUntilClosed, statusesIn } from 'testkit/sockets.ts'
import { expect, onTestFinished, test } from 'vitest'
import type { OpenDatabase } from '../../src/database/open.ts'
import {
  assignRoles,
  insertRoles,
  insertUsers,
} from '../support/http-fixture.ts'
import { lastLine, listenForTest, pausedReads } from '../support/listen.ts'
import {
  CLOSE,
  GET,
  JSON_TYPE,
  LARGE,
  lengthOf,
  open,
  POST,
  request,
  statusesAfterPause,
  statusesOf,
  stopClock,
  TEAM,
} from './bytes.ts'

const MIB = 1024 * 1024
const NEVER = { requestMs: 600_000, responseMs: 600_000 }
const COMPLETE = POST(TEAM, CLOSE)
const CHECK = GET('/healthz', CLOSE)
const EXPECT = 'Expect: 100-continue\r\n'

const head = (headers: string, path = '/teams') =>
  request(`POST ${path}`, JSON_TYPE + headers)

const write = (socket: Socket, bytes: string) =>
  new Promise((resolve) => socket.write(bytes, resolve))

async function openMany(port: number, count: number, bytes: string) {
  const sockets = await Promise.all(
    Array.from({ length: count }, () => openSocket(port)),
  )
  onTestFinished(() => sockets.forEach((socket) => void socket.destroy()))
  await Promise.all(sockets.map((socket) => write(socket, bytes)))
  return sockets
}

test.each([
  ['head', 'G', ''],
  ['body', head(`${EXPECT}Content-Length: 1000\r\n`), '{'],
])(
  'clients that leave a request incomplete on every connection lock out no other client (%s)',
  async (_, bytes, more) => {
    stopClock()
    const { port } = await listenForTest('a', { limits: { connections: 10 } })
    const sockets = await openMany(port, 10, bytes)
    if (more) await Promise.all(sockets.map((socket) => once(socket, 'data')))
    for (const socket of sockets) socket.write(more)
    const others = async () => {
      for (let n = 0; n < 10; n += 1) {
        expect(await statusesOf(port, CHECK)).toEqual([200])
        expect(await statusesOf(port, COMPLETE)).toEqual([201])
      }
    }
    expect(await statusesAfterPause(port, COMPLETE, others)).toEqual([201])
  },
)

test('clients that do not read their responses lock out no other client', async () => {
  stopClock()
  const { port } = await listenForTest('a', { limits: { connections: 5 } })
  for (const socket of await openMany(port, 5, LARGE)) {
    await once(socket, 'data')
    socket.pause()
  }
  const other = () => statusesOf(port, COMPLETE)
  expect(await statusesAfterPause(port, COMPLETE, other)).toEqual([201])
  expect(await statusesOf(port, CHECK)).toEqual([200])
})

test('above 64 MiB, unfinished bodies receive 503 with Retry-After, and other bodies are read', async () => {
  const { port, connections } = await listenForTest('a', { limits: NEVER })
  const large = POST(' '.repeat(MIB))
  const sockets = await openMany(port, 65, '')
  const rejected = Promise.race(sockets.map((socket) => once(socket, 'data')))
  for (const socket of sockets) socket.write(large.slice(0, -1))
  expect(String(await rejected)).toMatch(
    /^HTTP\/1\.1 503 .*retry-after: 1.*connection: close/is,
  )
  expect(await statusesOf(port, COMPLETE)).toEqual([201])
  for (const socket of sockets) socket.destroy()
  await expect.poll(connections).toBe(0)
  const statuses = await statusesOf(port, large.repeat(65) + COMPLETE)
  expect(statuses, 'after the bodies have broken or ended').toEqual([
    ...sockets.map(() => 422),
    201,
  ])
})

test('a body that arrives byte by byte is read beside 70 small unfinished bodies', async () => {
  const { port } = await listenForTest('a', { limits: NEVER })
  const small = `${head('Content-Length: 1000\r\n')}{`
  await openMany(port, 70, small)
  const chunks = [...TEAM].map((byte) => `1\r\n${byte}\r\n`).join('')
  const chunked = head(`${CLOSE}Transfer-Encoding: chunked\r\n`) + chunks
  expect(await statusesOf(port, `${chunked}0\r\n\r\n`)).toEqual([201])
})

/**
 * Each user has 4 MB, more than sockets buffer. A page is limited in size, so a
 * page has only one of these users.
 */
async function storeLongList(db: OpenDatabase['db']): Promise<void> {
  const description = '😀'.repeat(200)
  const roles = await insertRoles(db, 4000, { description })
  await assignRoles(db, await insertUsers(db, 5), roles)
}

async function startList(port: number, opened: Socket[] = []) {
  const [socket] = (await openMany(port, 1, GET('/users', CLOSE))) as [Socket]
  opened.push(socket)
  const [start] = await once(socket, 'data')
  socket.pause()
  return statusesIn(String(start))[0]
}

test('lists receive 503 while clients leave 32 Mi characters unread, and other requests do not', async () => {
  const { port, db, get, connections } = await listenForTest('a')
  await storeLongList(db)
  const page = (await get('/users?limit=1')).text.length
  // All clients together may leave 32 Mi characters unread. A list counts twice
  // its page: the page in the socket, and the next page, which is read already.
  const most = Math.floor((32 * MIB) / (2 * page))
  const unread: Socket[] = []
  while ((await startList(port, unread)) === 200)
    expect(unread.length).toBeLessThan(most + 1)
  expect(unread).toHaveLength(most + 1)
  expect(await statusesOf(port, GET('/teams', CLOSE))).toEqual([200])
  const count = connections()
  unread[0]?.destroy()
  await expect.poll(connections).toBe(count - 1)
  const more = [await startList(port, unread), await startList(port, unread)]
  expect(more).toEqual([200, 503])
})

test('clients that disconnect before their lists are read leave nothing unread', async () => {
  const { options, release, waiting } = pausedReads()
  const { port, db, connections } = await listenForTest('a', { options })
  await storeLongList(db)
  // Nine responses exceed the limit of 32 Mi unread characters: if they counted
  // after the disconnect, the last request would receive 503.
  const sockets = await openMany(port, 9, GET('/users', CLOSE))
  await expect.poll(waiting).toBe(4)
  expect(await statusesOf(port, CHECK)).toEqual([200])
  expect(waiting(), 'number of pages that are read at once').toBe(4)
  for (const socket of sockets) socket.destroy()
  await expect.poll(connections).toBe(0)
  release()
  expect(await startList(port)).toBe(200)
})

test('the error of a request whose client has disconnected is logged, without a status', async () => {
  const { options, fail, waiting } = pausedReads()
  const service = await listenForTest('a', { options })
  const [socket] = await openMany(service.port, 1, GET('/teams?limit=1'))
  await expect.poll(waiting).toBe(1)
  socket?.destroy()
  await expect.poll(service.connections).toBe(0)
  fail(new Error('disk full'))
  const line = () => lastLine(service)
  await expect.poll(line).toMatchObject({ err: { message: 'disk full' } })
  expect(line().level).toBe(50)
  expect(line()).not.toHaveProperty('status')
})

const openHalf = (port: number) =>
  connect({ port, host: '127.0.0.1', allowHalfOpen: true })

const TOO_LARGE = head(`Content-Length: ${4 * MIB}\r\n`)

test('a client that receives 413 before it has sent its body may send the rest', async () => {
  const socket = openHalf((await listenForTest('a')).port)
  const errors: Error[] = []
  socket.on('error', (error) => errors.push(error))
  const ended = once(socket, 'end')
  const all = readUntilClosed(socket)
  socket.write(TOO_LARGE)
  await ended
  await write(socket, ' '.repeat(4 * MIB))
  socket.end()
  expect(statusesIn(await all)).toEqual([413])
  expect(errors).toEqual([])
})

test('a client that receives 413 or 400 and does not close its side is disconnected', async () => {
  const { port, connections } = await listenForTest('a', { limits: NEVER })
  for (const bytes of [
    TOO_LARGE,
    'no HTTP\r\n\r\n',
    // After the headers of CONNECT, no timeout of Node ends the connection.
    request('CONNECT x:80'),
  ]) {
    const socket = openHalf(port).on('error', () => {})
    socket.write(bytes)
    expect(String(await once(socket, 'data'))).toMatch(/ (413|400) /)
    await expect.poll(connections).toBe(0)
    await expect.poll(() => !socket.destroyed && socket.write(' ')).toBe(false)
  }
})

test('a request with Expect: 100-continue receives 100 first if its body is wanted', async () => {
  const { port } = await listenForTest('a')
  const send = (bytes: string) => statusesOf(port, bytes)
  const expected = `${EXPECT}Content-Length: 9\r\n`
  const unwanted = [
    head(`${EXPECT}Content-Length: ${MIB + 1}\r\n`),
    head(`${expected}Content-Encoding: gzip\r\n`),
    head(expected, '/nothing'),
  ]
  const statuses = await Promise.all(unwanted.map(send))
  expect(statuses).toEqual([[413], [415], [404]])
  const http10 = POST(TEAM, EXPECT).replace('/1.1', '/1.0')
  expect(await send(http10)).toEqual([201])
  expect(await send(POST(TEAM, `${CLOSE}Expect: x\r\n`))).toEqual([201])

  const wanted = head(`${CLOSE}Expect: 100-Continue\r\n${lengthOf(TEAM)}`)
  const { socket, statuses: all } = await open(port, wanted)
  expect(statusesIn(String(await once(socket, 'data')))).toEqual([100])
  socket.write(TEAM)
  expect(await all).toEqual([100, 201])
})
