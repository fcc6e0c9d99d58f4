import { once } from 'node:events'
import { STATUS_CODES } from 'node:http'
import { sendRaw, statusesIn } from 'testkit/sockets.ts'
import { expect, test } from 'vitest'
import { listenForTest, logOf, pausedReads } from '../support/listen.ts'
import {
  CLOSE,
  GET,
  JSON_TYPE,
  lengthOf,
  open,
  POST,
  request,
  TEAM,
} from './bytes.ts'

const CHUNKED = 'Transfer-Encoding: chunked\r\n'
const INVALID_CHUNK = `${request('POST /teams', JSON_TYPE + CHUNKED)}x\r\n`
const UNFINISHED = 'GET / HTTP/1.1\r\n'

const INVALID = { status: 400 }
const rejectedAs = (reason: string) => ({
  level: 40,
  msg: 'request rejected',
  reason,
})

const REJECTED: [string, bytes: string, status: number, line: object][] = [
  [
    'of HTTP/1.0 with Transfer-Encoding, whose end is ambiguous',
    `POST /teams HTTP/1.0\r\nConnection: keep-alive\r\n${CHUNKED}\r\n0\r\n\r\n`,
    400,
    INVALID,
  ],
  ['without a host', 'GET /teams HTTP/1.1\r\n\r\n', 400, INVALID],
  ['with two hosts', request('GET /', 'HOST: x\r\n'), 400, INVALID],
  ['for a file', GET('file:///teams'), 400, INVALID],
  ['with a backslash in the path', GET('/teams\\x?y'), 400, INVALID],
  ['that is not HTTP', 'no HTTP\r\n\r\n', 400, rejectedAs('malformed')],
  [
    'with headers that are too long',
    request('GET /', `A: ${'b'.repeat(17_000)}\r\n`),
    431,
    rejectedAs('headers'),
  ],
  ['of CONNECT', request('CONNECT x:80'), 400, rejectedAs('malformed')],
  ['that does not end', UNFINISHED, 408, rejectedAs('slow_request')],
]

test('a malformed request receives a detail, one log line reports it, and the request after it does not run', async () => {
  const send = async ([name, bytes, status, line]: (typeof REJECTED)[0]) => {
    const requestMs = status === 408 ? 100 : 600_000
    const service = await listenForTest('a', { limits: { requestMs } })
    const next = status === 408 ? '' : POST(TEAM)
    const received = await sendRaw(service.port, bytes + next)
    expect(statusesIn(received), name).toEqual([status])
    const [head = '', body = ''] = received.split('\r\n\r\n')
    expect(head).toMatch(/^content-type: application\/json$/im)
    expect(head).toMatch(/^x-content-type-options: nosniff$/im)
    expect(head).toMatch(/^connection: close$/im)
    expect(JSON.parse(body)).toEqual({ detail: STATUS_CODES[status] })
    const counts = Object.values(service.rejections)
    expect(counts.filter(Boolean)).toEqual([1])
    const [, request_id] = /^x-request-id: (.+)$/im.exec(head) ?? []
    expect(logOf(service), name).toMatchObject([{ ...line, request_id }])
    if (next) expect((await service.get('/teams')).json).toEqual([])
  }
  await Promise.all(REJECTED.map(send))
})

const CHECK = GET('/healthz')

test.for([
  ['CONNECT', POST(TEAM), request('CONNECT x:80'), [201, 400]],
  ['two NULs', CHECK + POST(TEAM) + CHECK, '\0\0', [200, 201, 200, 400]],
  ['a body with an invalid chunk', POST(TEAM), INVALID_CHUNK, [201, 400]],
  ['a body that ends early', POST(TEAM), POST(TEAM).slice(0, -1), [201, 400]],
  ['a head that ends early', POST(TEAM), UNFINISHED, [201, 400]],
] as const)(
  '%s after other requests is rejected after their responses, without an error in the log',
  async ([what, requests, garbage, expected]) => {
    const service = await listenForTest('a')
    const { socket, statuses } = await open(service.port, requests + garbage)
    if (what.endsWith('early')) socket.end()
    expect(await statuses).toEqual(expected)
    expect((await service.get('/teams')).json).toHaveLength(1)
    expect(logOf(service).filter(({ level }) => level === 50)).toEqual([])
  },
)

test.each(['websocket', 'h2c', 'TLS/1.2'])(
  'a request with Upgrade is served in HTTP/1.1, and the connection ends (%s)',
  async (protocol) => {
    const { port, get } = await listenForTest('a')
    const headers = `Connection: Upgrade\r\nUpgrade: ${protocol}\r\n`
    for (const [bytes, status, teams] of [
      [GET('/healthz', headers), 200, 0],
      [POST(TEAM, headers), 201, 1],
    ] as const) {
      const { socket, statuses } = await open(port, bytes + POST(TEAM))
      await once(socket, 'data')
      socket.write(POST(TEAM))
      expect(await statuses).toEqual([status])
      expect((await get('/teams')).json).toHaveLength(teams)
    }
  },
)

test('neither bytes after rejected ones nor a connection that breaks are reported', async () => {
  const { options, release, waiting } = pausedReads()
  const service = await listenForTest('a', { options })
  const { port, get } = service
  const { socket, statuses } = await open(port, GET('/teams') + INVALID_CHUNK)
  await expect.poll(waiting).toBe(1)
  socket.write('x\r\n')
  const broken = await open(port, UNFINISHED)
  await get('/healthz')
  broken.socket.resetAndDestroy()
  await get('/healthz')
  release()
  expect(await statuses).toEqual([200, 400])
  const messages = logOf(service).map(({ msg }) => msg)
  expect(messages.filter((msg) => msg === 'request rejected')).toHaveLength(1)
})

const framings = (body: string) => [
  `${lengthOf(body)}\r\n${body}`,
  `${CHUNKED}\r\n${body && `${body.length.toString(16)}\r\n${body}\r\n`}0\r\n\r\n`,
  ...(body === '' ? ['\r\n'] : []),
]

test('an unfinished compressed body receives 415 and Connection: close, and what follows no response', async () => {
  const { port } = await listenForTest('a')
  const large = framings('x'.repeat(100_000))
  for (const end of [...large, `${CHUNKED}\r\nx\r\n`]) {
    const split = end.length > 100 ? 100 : end.indexOf('x')
    const head = `POST /teams HTTP/1.1\r\nHost: x\r\n${JSON_TYPE}Content-Encoding: gzip\r\n`
    const { socket, received } = await open(port, head + end.slice(0, split))
    await once(socket, 'data')
    socket.write(end.slice(split) + GET('/teams', CLOSE))
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
    const { port } = await listenForTest('a')
    const head = `${target} HTTP/1.1\r\nHost: x\r\n${JSON_TYPE}${header}`
    for (const end of framings(body)) {
      const received = await sendRaw(port, head + end + GET('/teams', CLOSE))
      expect(statusesIn(received), end).toEqual([status, 200])
      if (body === '') expect(received).toContain('"msg":"Field required"')
    }
  },
)
