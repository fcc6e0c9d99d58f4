import { randomUUID } from 'node:crypto'
import type { Duplex } from 'node:stream'
import type { Logger } from 'pino'
import { type Failure, HTTP_ERRORS } from '../http/errors.ts'
import { COMMON_HEADERS, errorParts } from '../http/response.ts'

/** Returns the number of requests and connections that were rejected before the app handled them, by reason. */
export const createRejections = () => ({
  /** 431: too many headers, or too many bytes of headers. */
  headers: 0,
  /** 408: the request did not arrive in time. */
  slow_request: 0,
  /** 400: not HTTP, or a request with an ambiguous end. */
  malformed: 0,
  /** 421: the header Host has a name that is not allowed. */
  host: 0,
  /** 503: too many concurrent requests. */
  requests: 0,
  /** 503, or a closed connection: the response did not start in time, or the client did not read it in time. */
  slow_response: 0,
  /** Closed connection: too many open connections. */
  connections: 0,
})

export type Rejections = ReturnType<typeof createRejections>

type Reason = keyof Rejections

/** Minimum time between two log lines about rejections with the same reason, in milliseconds. */
const LOG_INTERVAL_MS = 1000

export type LogRejection = (reason: Reason, requestId?: string) => void

/**
 * Returns a function that counts and logs rejections that the app does not log. Clients can cause any number of
 * rejections, so the log lines for each reason are limited.
 */
export function createRejectionLog(rejections: Rejections, log: Logger): LogRejection {
  const logged = new Map<Reason, { at: number; unlogged: number }>()
  return (reason, request_id) => {
    rejections[reason] += 1
    const last = logged.get(reason)
    if (last && performance.now() - last.at < LOG_INTERVAL_MS) {
      last.unlogged += 1
      return
    }
    log.warn({ reason, count: 1 + (last?.unlogged ?? 0), request_id }, 'requests rejected')
    logged.set(reason, { at: performance.now(), unlogged: 0 })
  }
}

/** Maps the error of Node's parser to the reason and the error of the response. */
export function rejectionOf({ code = '' }: NodeJS.ErrnoException): [Reason, Failure] | undefined {
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return ['slow_request', HTTP_ERRORS.request_timeout]
  if (code === 'HPE_HEADER_OVERFLOW') return ['headers', HTTP_ERRORS.headers_too_large]
  if (code.startsWith('HPE_')) return ['malformed', HTTP_ERRORS.bad_request]
  return undefined // the client closed the connection, or the connection broke
}

/**
 * Writes a response to a socket without Node's ServerResponse, and closes the connection. Used for requests that Node
 * could not parse, and for responses that the app may still write to. Returns the request id. A response to HEAD has no
 * body.
 */
export function writeRejection(socket: Duplex, error: Failure, hasBody = true): string {
  const requestId = randomUUID()
  const { body, headers } = errorParts(error)
  const fields = {
    ...headers,
    'content-length': hasBody ? Buffer.byteLength(body) : 0,
    ...COMMON_HEADERS,
    'x-request-id': requestId,
    connection: 'close',
  }
  const lines = Object.entries(fields).map(([name, value]) => `${name}: ${value}\r\n`)
  const head = `HTTP/1.1 ${error.status} ${error.detail}\r\n${lines.join('')}\r\n`
  socket.end(hasBody ? head + body : head, () => socket.destroy())
  return requestId
}
