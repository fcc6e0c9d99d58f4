import { connect } from 'node:net'
import { openSocket, readUntilClosed, statusesIn } from 'testkit/sockets.ts'
import { useFakeTimers } from '../support/fake-timers.ts'

export const CLOSE = 'Connection: close\r\n'
export const JSON_TYPE = 'Content-Type: application/json\r\n'
export const TEAM = '{"name":"Engineering"}'

export const request = (line: string, headers = '', host = 'x') =>
  `${line} HTTP/1.1\r\nHost: ${host}\r\n${headers}\r\n`

export const GET = (path: string, headers = '') =>
  request(`GET ${path}`, headers)

export const POST = (body: string, headers = '') =>
  request('POST /teams', `${JSON_TYPE}${headers}${lengthOf(body)}`) + body

export const lengthOf = (body: string) => `Content-Length: ${body.length}\r\n`

/** The 20 responses have 28 MB, more than the buffers of both sockets hold. */
export const LARGE = GET('/docs/swagger-ui-dist/swagger-ui-bundle.js').repeat(
  20,
)

export async function open(port: number, bytes = '') {
  const socket = await openSocket(port)
  const received = readUntilClosed(socket)
  socket.write(bytes)
  return { socket, received, statuses: received.then(statusesIn) }
}

export async function statusesAfterPause(
  port: number,
  bytes: string,
  meanwhile: () => Promise<unknown>,
): Promise<number[]> {
  const { socket, statuses } = await open(port)
  await meanwhile()
  socket.write(bytes)
  return statuses
}

/**
 * Stops performance.now(), so that no connection is closed after a second of
 * idle time.
 */
export const stopClock = () => useFakeTimers({ toFake: ['performance'] })

export async function statusesOf(
  port: number,
  bytes: string,
  host = '127.0.0.1',
): Promise<number[]> {
  const socket = connect(port, host)
  socket.write(bytes, 'latin1')
  return statusesIn(await readUntilClosed(socket))
}
