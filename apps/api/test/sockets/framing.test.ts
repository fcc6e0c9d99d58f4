import { once } from 'node:events'
import {
  openSocket,
  readUntilClosed,
  sendRaw,
  statusesIn,
} from 'testkit/sockets.ts'
import { beforeEach, expect, test } from 'vitest'
import type { ServerLimits } from '../../src/server/serve.ts'
import {
  type ListeningService,
  listenForTest,
  pausedReads,
} from '../support/listen.ts'

const ORIGIN = 'https://app.example.com'
const TEAM = '{"name":"pipelined"}'
/** A second request, pipelined after a rejected one. It must not run. */
const PIPELINED = `POST /teams HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: ${TEAM.length}\r\n\r\n${TEAM}`

let service: ListeningService
beforeEach(async () => {
  service = await listenForTest('a')
})

const logged = (text: string) =>
  service.logLines.filter((line) => line.includes(text))

const start = (limits: Partial<ServerLimits>) =>
  listenForTest('a', { limits, options: () => ({ corsOrigins: [ORIGIN] }) })

test.for<
  [
    what: string,
    request: string,
    status: number,
    detail: string,
    limits?: Partial<ServerLimits>,
  ]
>([
  [
    'of HTTP/1.0 with Transfer-Encoding, whose end is ambiguous',
    'POST /teams HTTP/1.0\r\nConnection: keep-alive\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
    400,
    'Bad Request',
  ],
  ['without a host', 'GET /teams HTTP/1.1\r\n\r\n', 400, 'Bad Request'],
  [
    'with two hosts',
    'GET /teams HTTP/1.1\r\nHost: x\r\nHOST: x\r\n\r\n',
    400,
    'Bad Request',
  ],
  [
    'for a file',
    'GET file:///teams HTTP/1.1\r\nHost: x\r\n\r\n',
    400,
    'Bad Request',
  ],
  [
    'with a backslash in the path',
    'GET /teams\\x?y HTTP/1.1\r\nHost: x\r\n\r\n',
    400,
    'Bad Request',
  ],
  [
    'of HTTP/1.0 with two hosts',
    'GET /teams HTTP/1.0\r\nHost: x\r\nHost: y\r\n\r\n',
    400,
    'Bad Request',
  ],
])(
  'a request %s receives a detail and a log line like every other, and the request after it does not run',
  async ([, request, status, detail]) => {
    const service = await start({})
    const received = await sendRaw(service.port, request + PIPELINED)
    expect(statusesIn(received)).toEqual([status])
    const [head = '', body] = received.split('\r\n\r\n')
    expect(head).toMatch(/^content-type: application\/json$/im)
    expect(head).toMatch(/^x-content-type-options: nosniff$/im)
    const [, requestId] = /^x-request-id: (.+)$/im.exec(head) ?? []
    expect(JSON.parse(body ?? '')).toEqual({ detail })
    const lines = service.logLines.map((line) => JSON.parse(line))
    expect(
      lines.filter(({ request_id }) => request_id === requestId),
    ).toMatchObject([{ status }])
    expect(await service.db.selectFrom('teams').selectAll().execute()).toEqual(
      [],
    )
  },
)

test('an HTTP/1.0 request needs no Host header, so plain health checks work', async () => {
  expect(
    statusesIn(await sendRaw(service.port, 'GET /readyz HTTP/1.0\r\n\r\n')),
  ).toEqual([200])
})

test.for([
  ['ends early', 'Content-Length: 100\r\n\r\n{'],
  ['has an invalid chunk', 'Transfer-Encoding: chunked\r\n\r\n1\r\n{\r\nx\r\n'],
])(
  'a body that %s receives 400 and is not logged as an error',
  async ([, end]) => {
    const socket = await openSocket(service.port)
    const received = readUntilClosed(socket)
    socket.write(
      `POST /teams HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n${end}`,
    )
    socket.end()
    expect(statusesIn(await received)).toEqual([400])
    await expect.poll(() => logged('"route":"/teams"')).toHaveLength(1)
    expect(logged('"level":50')).toEqual([])
  },
)

const GET = 'GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n'
const LONG_HEADER = `GET / HTTP/1.1\r\nA: ${'b'.repeat(20_000)}\r\n\r\n`
const CHUNKED =
  'POST /teams HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n'

test.for([
  ['a NUL', PIPELINED, '\0', [201, 400], 1],
  ['a header that is too long', PIPELINED, LONG_HEADER, [201, 431], 1],
  [
    'a NUL',
    GET + PIPELINED + GET + PIPELINED,
    '\0',
    [200, 201, 200, 201, 400],
    2,
  ],
  ['a second NUL', PIPELINED, '\0\0', [201, 400], 1],
  ['a body with an invalid chunk', PIPELINED, `${CHUNKED}x\r\n`, [201, 400], 1],
] as const)(
  'after %s, the requests before it receive their responses in order, then it is rejected (%#)',
  async ([, requests, garbage, statuses, teams]) => {
    expect(statusesIn(await sendRaw(service.port, requests + garbage))).toEqual(
      statuses,
    )
    expect((await service.get('/teams')).json).toHaveLength(teams)
  },
)

test('a request that the client does not complete receives 400 after the responses to the requests before it', async () => {
  const socket = await openSocket(service.port)
  const received = readUntilClosed(socket)
  socket.end(`${PIPELINED}GET / HTTP/1.1\r\n`)
  expect(statusesIn(await received)).toEqual([201, 400])
})

test('bytes after rejected ones change nothing, and a connection that breaks is not reported', async () => {
  const { options, release, waiting } = pausedReads()
  const { port, logLines, get } = await listenForTest('a', {
    options,
  })
  const socket = await openSocket(port)
  const received = readUntilClosed(socket)
  socket.write(`GET /teams HTTP/1.1\r\nHost: x\r\n\r\n${CHUNKED}x\r\n`)
  await expect.poll(waiting).toBe(1)
  socket.write('x\r\n')
  const broken = await openSocket(port)
  broken.write('GET / HTTP/1.1\r\n')
  await get('/healthz')
  broken.resetAndDestroy()
  await get('/healthz')
  release()
  expect(statusesIn(await received)).toEqual([200, 400])
  expect(
    logLines.filter((line) => line.includes('"request rejected"')),
  ).toHaveLength(1)
})

test.for([
  ['without Content-Length and Transfer-Encoding', ''],
  ['with a Content-Length of 0', 'Content-Length: 0\r\n'],
  [
    'with no chunk but the last one',
    'Transfer-Encoding: chunked\r\n',
    '0\r\n\r\n',
  ],
])(
  'a POST %s receives 422 for its missing body, and the request after it runs',
  async ([, header, body = '']) => {
    const head = `POST /teams HTTP/1.1\r\nHost: x\r\n${header}\r\n${body}`
    const received = await sendRaw(
      service.port,
      head + PIPELINED.replace('Host: x', 'Host: x\r\nConnection: close'),
    )
    expect(statusesIn(received)).toEqual([422, 201])
    expect(received).toContain(
      '{"detail":[{"type":"missing","loc":["body"],"msg":"Field required"}]}',
    )
  },
)

test('a body that becomes invalid after its request was rejected receives no second response', async () => {
  const socket = await openSocket(service.port)
  const received = readUntilClosed(socket)
  socket.write(CHUNKED.replace('Host: x', 'Host: x\r\nContent-Encoding: gzip'))
  await once(socket, 'data')
  socket.write('x\r\n')
  expect(statusesIn(await received)).toEqual([415])
})

test('a compressed body that is still on its way receives 415 and Connection: close, and the request after it does not run', async () => {
  const body = 'x'.repeat(100_000)
  const head =
    'POST /teams HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Encoding: gzip\r\n'
  const next = 'GET /teams HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n'
  for (const framed of [
    `Content-Length: ${body.length}\r\n\r\n${body}`,
    `Transfer-Encoding: chunked\r\n\r\n${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`,
  ]) {
    const socket = await openSocket(service.port)
    const reading = readUntilClosed(socket)
    socket.write(head + framed.slice(0, 100))
    await once(socket, 'data')
    socket.write(framed.slice(100) + next)
    const received = await reading
    expect(statusesIn(received)).toEqual([415])
    expect(received).toMatch(/^connection: close$/im)
  }
})

test.for([
  ['POST /teams', 422, '{"name":1}', ''],
  ['POST /teams', 422, '{"name":', ''],
  ['POST /teams', 415, '{"name":"a"}', 'Content-Encoding: gzip\r\n'],
  ['POST /teams', 403, '{"name":"a"}', 'Origin: http://other.example\r\n'],
  ['POST /none', 404, '{"name":"a"}', ''],
  ['PUT /teams', 405, '{"name":"a"}', ''],
  ['DELETE /users/x', 422, '{"name":"a"}', ''],
] as const)(
  '%s with status %d keeps its connection when its body %s has arrived',
  async ([target, status, body, header]) => {
    const head = `${target} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n${header}`
    const next = 'GET /teams HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n'
    for (const framed of [
      `Content-Length: ${body.length}\r\n\r\n${body}`,
      `Transfer-Encoding: chunked\r\n\r\n${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`,
    ])
      expect(
        statusesIn(await sendRaw(service.port, head + framed + next)),
      ).toEqual([status, 200])
  },
)

test.for([
  ['that is not HTTP', 'no HTTP\r\n\r\n', 400, 'Bad Request', 'malformed'],
  [
    'with headers that are too long',
    `GET / HTTP/1.1\r\nA: ${'b'.repeat(17_000)}\r\n\r\n`,
    431,
    'Request Header Fields Too Large',
    'headers',
  ],
  [
    'that does not end',
    'GET / HTTP/1.1\r\n',
    408,
    'Request Timeout',
    'slow_request',
  ],
] as const)(
  'a request %s receives a detail, and one log line reports it',
  async ([, request, status, detail, reason]) => {
    const service = await start({ requestMs: status === 408 ? 100 : 600_000 })
    const [head = '', body] = (await sendRaw(service.port, request)).split(
      '\r\n\r\n',
    )
    expect(head).toMatch(new RegExp(`^HTTP/1.1 ${status} ${detail}\r\n`))
    for (const header of [
      'x-content-type-options: nosniff',
      'content-type: application/json',
      'connection: close',
    ])
      expect(head.toLowerCase().split('\r\n')).toContain(header)
    expect(JSON.parse(body ?? '')).toEqual({ detail })
    const [, request_id] = /^x-request-id: (.+)$/im.exec(head) ?? []
    const lines = service.logLines.map((line) => JSON.parse(line))
    expect(lines).toMatchObject([
      { level: 40, msg: 'request rejected', reason, request_id },
    ])
  },
)
