import { openSocket, readUntilClosed, sendRaw, statusesIn } from 'testkit/raw-http.ts'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type ListeningService, listen } from '../support/listen.ts'

const TEAM = '{"name":"pipelined"}'
/** A second request on the connection, which must not run after the first one is rejected. */
const PIPELINED = `POST /teams HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: ${TEAM.length}\r\n\r\n${TEAM}`

let service: ListeningService
beforeEach(async () => {
  service = await listen('a')
})
afterEach(() => service.close())

const logged = (text: string) => service.logLines.filter((line) => line.includes(text))

test.for([
  [
    'of HTTP/1.0 with Transfer-Encoding, whose end is ambiguous',
    'POST /teams HTTP/1.0\r\nConnection: keep-alive\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
    400,
  ],
  ['without a host', 'GET /teams HTTP/1.1\r\n\r\n', 400],
  ['with too many headers', `GET /teams HTTP/1.1\r\nHost: x\r\n${'A: b\r\n'.repeat(101)}\r\n`, 431],
] as const)(
  'a request %s is rejected, and the request that was pipelined after it does not run',
  async ([, request, status]) => {
    expect(statusesIn(await sendRaw(service.port, request + PIPELINED))).toEqual([status])
    expect((await service.get('/teams')).json).toEqual([])
  },
)

test('an HTTP/1.0 request needs no Host header, so plain health checks work', async () => {
  expect(statusesIn(await sendRaw(service.port, 'GET /readyz HTTP/1.0\r\n\r\n'))).toEqual([200])
})

test.for([
  ['ends early', 'Content-Length: 100\r\n\r\n{'],
  ['has an invalid chunk', 'Transfer-Encoding: chunked\r\n\r\n1\r\n{\r\nx\r\n'],
])('a body that %s receives 400 and is not logged as an error', async ([, end]) => {
  const socket = await openSocket(service.port)
  const received = readUntilClosed(socket)
  socket.write(`POST /teams HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n${end}`)
  socket.end()
  expect(statusesIn(await received)).toEqual([400])
  await expect.poll(() => logged('"route":"/teams"')).toHaveLength(1)
  expect(logged('"level":50')).toEqual([])
})
