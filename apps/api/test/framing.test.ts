import { afterEach, beforeEach, expect, test } from 'vitest'
import { openSocket, receivedOn, sendRaw, statusesIn } from './support/raw.ts'
import { type Listening, listen } from './support/server.ts'

const TEAM = '{"name":"hidden"}'
const HIDDEN = `POST /teams HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: ${TEAM.length}\r\n\r\n${TEAM}`

let service: Listening
beforeEach(async () => {
  service = await listen('a')
})
afterEach(() => service.close())

const logged = (text: string) => service.logLines.filter((line) => line.includes(text))

test.for([
  [
    'whose end HTTP/1.0 cannot tell',
    'POST /teams HTTP/1.0\r\nConnection: keep-alive\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
    400,
  ],
  ['without a host', 'GET /teams HTTP/1.1\r\n\r\n', 400],
  ['with too many headers', `GET /teams HTTP/1.1\r\nHost: x\r\n${'A: b\r\n'.repeat(101)}\r\n`, 431],
] as const)('a request %s is refused, and what is behind it does not run', async ([, request, status]) => {
  expect(statusesIn(await sendRaw(service.port, request + HIDDEN))).toEqual([status])
  expect((await service.get('/teams')).json).toEqual([])
})

test('a request of HTTP/1.0 needs no host, so that a plain health check passes', async () => {
  expect(statusesIn(await sendRaw(service.port, 'GET /readyz HTTP/1.0\r\n\r\n'))).toEqual([200])
})

test.for([
  ['breaks off', 'Content-Length: 100\r\n\r\n{'],
  ['has a chunk that is none', 'Transfer-Encoding: chunked\r\n\r\n1\r\n{\r\nx\r\n'],
])('a body that %s is no error of the service', async ([, end]) => {
  const socket = await openSocket(service.port)
  const received = receivedOn(socket)
  socket.write(`POST /teams HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n${end}`)
  socket.end()
  expect(statusesIn(await received)).toEqual([400])
  await expect.poll(() => logged('"route":"/teams"')).toHaveLength(1)
  expect(logged('"level":50')).toEqual([])
})
