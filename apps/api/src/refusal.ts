import { randomUUID } from 'node:crypto'
import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { unavailable } from './http/failure.ts'

/** Answers in the app's place with 400, 431 or 503, in the shape of every answer, and closes the connection. */
export function refuse(response: ServerResponse, status: 400 | 431 | 503): void {
  const { body, headers } = refusal(status)
  response.writeHead(status, headers).end(body)
}

/**
 * Ends a connection on which nothing has moved for too long. When the answer has not begun the client gets a 503, past
 * the response, which the app may still come to write.
 */
export function giveUp(this: ServerResponse, socket: Socket): void {
  // Whoever does not take what was written before will not take this.
  if (this.headersSent || socket.writableLength > 0) return void socket.destroy()
  const { body, headers } = refusal(503)
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  socket.write(`HTTP/1.1 503 Service Unavailable\r\n${lines.join('')}\r\n${body}`)
  socket.destroySoon()
}

function refusal(status: 400 | 431 | 503) {
  const { body, headers } = status === 503 ? unavailable() : { body: '' }
  return {
    body,
    headers: {
      ...headers,
      'content-length': String(body).length,
      'cache-control': 'no-store',
      'x-request-id': randomUUID(),
      connection: 'close',
    },
  }
}
