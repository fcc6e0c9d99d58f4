import { randomUUID } from 'node:crypto'
import type { Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { unavailable } from '../http/response.ts'

/** How many requests and connections were rejected before they reached the app, by reason. */
export interface Rejections {
  /** 431: too many headers, or too many bytes of headers. */
  headers: number
  /** 408: the request did not arrive in time. */
  slow_request: number
  /** 400: not HTTP, or a request whose end is ambiguous. */
  malformed: number
  /** 503: too many concurrent requests. */
  requests: number
  /** 503: too many requests on one connection. */
  connection_requests: number
  /** 503, or a closed connection: the response did not start in time, or the client did not read it in time. */
  slow_response: number
  /** Closed connection: too many open connections. */
  connections: number
}

/** Counts the requests that Node rejects by itself. The callers of `reject` count theirs in the same object. */
export function countRejections(server: Server): Rejections {
  const rejections: Rejections = {
    headers: 0,
    slow_request: 0,
    malformed: 0,
    requests: 0,
    connection_requests: 0,
    slow_response: 0,
    connections: 0,
  }
  server.on('connection', (socket) => {
    // A listener for 'clientError' would receive the same errors, but would have to send Node's responses itself.
    socket.once('close', () => {
      const { code = '' } = (socket.errored ?? {}) as NodeJS.ErrnoException
      if (code === 'ERR_HTTP_REQUEST_TIMEOUT') rejections.slow_request += 1
      else if (code === 'HPE_HEADER_OVERFLOW') rejections.headers += 1
      else if (code.startsWith('HPE_')) rejections.malformed += 1
    })
  })
  server.on('drop', () => {
    rejections.connections += 1
  })
  server.on('dropRequest', () => {
    rejections.connection_requests += 1
  })
  return rejections
}

/** Sends 400, 431 or 503 in place of the app, and closes the connection. */
export function reject(response: ServerResponse, status: 400 | 431 | 503): void {
  const { body, headers } = rejectionOf(status)
  response.writeHead(status, headers).end(body)
}

/**
 * Closes a connection that has made no progress for too long. When the response has not started, the client receives a
 * 503, written to the socket: the app may still write to the response.
 */
export function rejectSlowResponse(response: ServerResponse, socket: Socket): void {
  // A client that does not read the bytes sent before will not read a 503 either.
  if (response.headersSent || socket.writableLength > 0) return void socket.destroy()
  const { body, headers } = rejectionOf(503)
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  socket.write(`HTTP/1.1 503 Service Unavailable\r\n${lines.join('')}\r\n${body}`)
  socket.destroySoon()
}

function rejectionOf(status: 400 | 431 | 503) {
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
