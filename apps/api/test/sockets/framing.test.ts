import { once } from 'node:events'
import { STATUS_CODES } from 'node:http'
import {
  openSocket,
  readUntilClosed,
  sendRaw,
  statusesIn,
} from 'testkit/sockets.ts'
import { beforeEach, expect, test } from 'vitest'
import {
  type ListeningService,
  listenForTest,
  pausedReads,
} from '../support/listen.ts'
import {
  CLOSE,
  GET,
  JSON_TYPE,
  lengthOf,
  POST,
  request,
  TEAM,
} from './bytes.ts'

let service: ListeningService
let port: number
beforeEach(async () => {
  service = await listenForTest('a')
  port = service.port
})

const logged = () => service.logLines.map((line) => JSON.parse(line))

const CHUNKED = 'Transfer-Encoding: chunked\r\n'
const INVALID_CHUNK = `${request('POST /teams', JSON_TYPE + CHUNKED)}x\r\n`

const REJECTED = { level: 40, msg: 'request rejected' }

test.for([
  [
    'of HTTP/1.0 with Transfer-Encoding, whose end is ambiguous',
    `POST /teams HTTP/1.0\r\nConnection: keep-alive\r\n${CHUNKED}\r\n0\r\n\r\n`,
    400,
    { status: 400 },
  ],
  ['without a host', 'GET /teams HTTP/1.1\r\n\r\n', 400, { status: 400 }],
  ['with two hosts', request('GET /', 'HOST: x\r\n'), 400, { status: 400 }],
  ['for a file', GET('file:///teams'), 400, { status: 400 }],
  ['with a backslash in the path', GET('/teams\\x?y'), 400, { status: 400 }],
  [
    'that is not HTTP',
    'no HTTP\r\n\r\n',
    400,
    { ...REJECTED, reason: 'malformed' },
  ],
  [
    'with headers that are too long',
    request('GET /', `A: ${'b'.repeat(17_000)}\r\n`),
    431,
    { ...REJECTED, reason: 'headers' },
  ],
  [
    'of CONNECT',
    request('CONNECT x:80'),
    400,
    { ...REJECTED, reason: 'malformed' },
  ],
  [
    'that does not end',
    'GET / HTTP/1.1\r\n',
    408,
    { ...REJECTED, reason: 'slow_request' },
  ],
] as const)(
  'a request %s receives a detail, one log line reports it, and the request after it does not run',
  async ([, bytes, status, line]) => {
    const requestMs = status === 408 ? 100 : 600_000
    service = await listenForTest('a', { limits: { requestMs } })
    const next = status === 408 ? '' : POST(TEAM)
    const received = await sendRaw(service.port, bytes + next)
    expect(statusesIn(received)).toEqual([status])
    const [head = '', body = ''] = received.split('\r\n\r\n')
    expect(head).toMatch(/^content-type: application\/json$/im)
    expect(head).toMatch(/^x-content-type-options: nosniff$/im)
    expect(head).toMatch(/^connection: close$/im)
    expect(JSON.parse(body)).toEqual({ detail: STATUS_CODES[status] })
    const counts = Object.values(service.rejections)
    expect(counts.reduce((sum, count) => sum + count)).toBe(1)
    const [, request_id] = /^x-request-id: (.+)$/im.exec(head) ?? []
    expect(logged()).toMatchObject([{ ...line, request_id }])
    expect((await service.get('/teams')).json).toEqual([])
  },
)

const CHECK = GET('/healthz')

test.for([
  ['CONNECT', POST(TEAM), request('CONNECT x:80'), [201, 400]],
  ['two NULs', CHECK + POST(TEAM) + CHECK, '\0\0', [200, 201, 200, 400]],
  ['a body with an invalid chunk', POST(TEAM), INVALID_CHUNK, [201, 400]],
  ['a body that ends early', POST(TEAM), POST(TEAM).slice(0, -1), [201, 400]],
  ['a head that ends early', POST(TEAM), 'GET / HTTP/1.1\r\n', [201, 400]],
] as const)(
  'after %s, the requests before it receive their responses in order, then it is rejected, and no error is logged',
  async ([what, requests, garbage, statuses]) => {
    const socket = await openSocket(port)
    const received = readUntilClosed(socket)
    socket.write(requests + garbage)
    if (what.endsWith('early')) socket.end()
    expect(statusesIn(await received)).toEqual(statuses)
    expect((await service.get('/teams')).json).toHaveLength(1)
    expect(logged().filter(({ level }) => level === 50)).toEqual([])
  },
)

test.each(['websocket', 'h2c', 'TLS/1.2'])(
  'a request with Upgrade: %s is served in HTTP/1.1, and the connection ends, because Node loses the requests after it',
  async (protocol) => {
    const headers = `Connection: Upgrade\r\nUpgrade: ${protocol}\r\n`
    for (const bytes of [GET('/healthz', headers), POST(TEAM, headers)]) {
      const before = (await service.get('/teams')).json.length
      const created = bytes.startsWith('POST') ? 1 : 0
      const socket = await openSocket(port)
      const received = readUntilClosed(socket)
      socket.write(bytes + POST(TEAM))
      await once(socket, 'data')
      socket.write(POST(TEAM))
      expect(statusesIn(await received)).toEqual([200 + created])
      const after = (await service.get('/teams')).json.length
      expect(after - before).toBe(created)
    }
  },
)

test('bytes after rejected ones change nothing, and a connection that breaks is not reported', async () => {
  const { options, release, waiting } = pausedReads()
  service = await listenForTest('a', { options })
  const socket = await openSocket(service.port)
  const received = readUntilClosed(socket)
  socket.write(GET('/teams') + INVALID_CHUNK)
  await expect.poll(waiting).toBe(1)
  socket.write('x\r\n')
  const broken = await openSocket(service.port)
  broken.write('GET / HTTP/1.1\r\n')
  await service.get('/healthz')
  broken.resetAndDestroy()
  await service.get('/healthz')
  release()
  expect(statusesIn(await received)).toEqual([200, 400])
  const rejected = logged().filter(({ msg }) => msg === 'request rejected')
  expect(rejected).toHaveLength(1)
})

/** Returns the end of a request with a body, in each way to mark its end. */
const framed = (body: string) => [
  `${lengthOf(body)}\r\n${body}`,
  `${CHUNKED}\r\n${body && `${body.length.toString(16)}\r\n${body}\r\n`}0\r\n\r\n`,
  ...(body === '' ? ['\r\n'] : []),
]

test('a body that becomes invalid after its request was rejected receives no second response', async () => {
  const socket = await openSocket(port)
  const received = readUntilClosed(socket)
  socket.write(request('POST /teams', `Content-Encoding: gzip\r\n${CHUNKED}`))
  await once(socket, 'data')
  socket.write('x\r\n')
  expect(statusesIn(await received)).toEqual([415])
})

test('a compressed body that is still on its way receives 415 and Connection: close, and the request after it does not run', async () => {
  for (const end of framed('x'.repeat(100_000))) {
    const socket = await openSocket(port)
    const received = readUntilClosed(socket)
    socket.write(
      `POST /teams HTTP/1.1\r\nHost: x\r\n${JSON_TYPE}Content-Encoding: gzip\r\n${end.slice(0, 100)}`,
    )
    await once(socket, 'data')
    socket.write(end.slice(100) + GET('/teams', CLOSE))
    expect(statusesIn(await received)).toEqual([415])
    expect(await received).toMatch(/^connection: close$/im)
  }
})

test.for([
  ['POST /teams', 422, '', ''],
  ['POST /teams', 422, '{"name":', ''],
  ['POST /teams', 415, TEAM, 'Content-Encoding: gzip\r\n'],
  ['POST /teams', 403, TEAM, 'Origin: http://other.example\r\n'],
  ['PUT /teams', 405, TEAM, ''],
  ['DELETE /users/x', 422, TEAM, ''],
] as const)(
  '%s with status %d keeps its connection when its body %j has arrived',
  async ([target, status, body, header]) => {
    const head = `${target} HTTP/1.1\r\nHost: x\r\n${JSON_TYPE}${header}`
    for (const end of framed(body)) {
      const received = await sendRaw(port, head + end + GET('/teams', CLOSE))
      expect(statusesIn(received), end).toEqual([status, 200])
      if (body === '') expect(received).toContain('"msg":"Field required"')
    }
  },
)
