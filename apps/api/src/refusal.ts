import { randomUUID } from 'node:crypto'
import type { Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { unavailable } from './http/failure.ts'

/** How often something was refused, by what there was too much of. */
export interface Refusals {
  /** 431: bytes or number of headers. */
  headers: number
  /** 408: time until the request was there. */
  slow_request: number
  /** 400: it is not HTTP, or its end is not clear. */
  malformed: number
  /** 503: requests that run. */
  requests: number
  /** 503: requests on one connection. */
  connection_requests: number
  /** 503, or the end of the connection: time until the answer began, or until the client took it. */
  slow_answer: number
  /** The end of the connection: open connections. */
  connections: number
}

/** Counts what a server refuses by itself; the rest is counted where it is refused. */
export function countRefusals(server: Server): Refusals {
  const refusals: Refusals = {
    headers: 0,
    slow_request: 0,
    malformed: 0,
    requests: 0,
    connection_requests: 0,
    slow_answer: 0,
    connections: 0,
  }
  server.on('connection', (socket) => {
    // A listener for 'clientError' would see this, too, and had to answer in Node's place.
    socket.once('close', () => {
      const { code = '' } = (socket.errored ?? {}) as NodeJS.ErrnoException
      if (code === 'ERR_HTTP_REQUEST_TIMEOUT') refusals.slow_request += 1
      else if (code === 'HPE_HEADER_OVERFLOW') refusals.headers += 1
      else if (code.startsWith('HPE_')) refusals.malformed += 1
    })
  })
  server.on('drop', () => {
    refusals.connections += 1
  })
  server.on('dropRequest', () => {
    refusals.connection_requests += 1
  })
  return refusals
}

/** Answers in the app's place with 400, 431 or 503, in the shape of every answer, and closes the connection. */
export function refuse(response: ServerResponse, status: 400 | 431 | 503): void {
  const { body, headers } = refusal(status)
  response.writeHead(status, headers).end(body)
}

/**
 * Ends a connection on which nothing has moved for too long. When the answer has not begun the client gets a 503, past
 * the response, which the app may still come to write.
 */
export function giveUp(response: ServerResponse, socket: Socket): void {
  // Whoever does not take what was written before will not take this.
  if (response.headersSent || socket.writableLength > 0) return void socket.destroy()
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
