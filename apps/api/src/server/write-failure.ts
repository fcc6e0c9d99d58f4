import { randomUUID } from 'node:crypto'
import type { Socket } from 'node:net'
import type { Failure } from '../http/failures.ts'
import { COMMON_HEADERS } from './log-requests.ts'

/**
 * Writes an HTTP response to the socket without Node's ServerResponse, which
 * the app may still use.
 */
export function writeFailure(
  socket: Socket,
  { status, detail, headers }: Failure,
  hasBody = true,
): string {
  const requestId = randomUUID()
  const body = hasBody ? JSON.stringify({ detail }) : ''
  const fields = {
    ...COMMON_HEADERS,
    ...headers,
    'content-type': 'application/json',
    'content-length': body.length,
    'x-request-id': requestId,
    connection: 'close',
  }
  const lines = Object.entries(fields).map(
    ([name, value]) => `${name}: ${value}\r\n`,
  )
  socket.end(
    `HTTP/1.1 ${status} ${detail}\r\n${lines.join('')}\r\n${body}`,
    () => socket.destroy(),
  )
  return requestId
}
