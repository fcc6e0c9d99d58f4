import type { IncomingMessage, ServerResponse } from 'node:http'
import { getRequestListener } from '@hono/node-server'
import type { Hono } from 'hono'
import { type Failure, HTTP_ERRORS } from '../http/errors.ts'
import { HEALTH_CHECKS } from '../http/health.ts'
import type { AppEnv } from '../http/request.ts'
import type { Connection } from './connections.ts'
import type { Rejections } from './reject.ts'

export interface RequestLimits {
  /** Maximum number of concurrent requests. Others receive 503. Pipelined requests of a connection count as one. */
  readonly requests: number
  /** Number of requests after which a connection is closed, 0 for no limit. */
  readonly requestsPerConnection: number
  /** Maximum number of headers. A request with more receives 431. */
  readonly headers: number
}

/** Passes requests to an app, also rejected ones: the app adds its headers to the error and logs the request. */
export function createRequestHandler(app: Hono<AppEnv>, limits: RequestLimits, rejections: Rejections) {
  // HTTP/1.0 requests may have no Host: HAProxy's plain health check has none.
  const options = { hostname: 'localhost' }
  const handle = getRequestListener(app.fetch, options)
  const rejectWith = (rejection: Failure) =>
    getRequestListener((request, env) => app.fetch(request, { ...env, rejection }), options)
  const reject = {
    malformed: rejectWith(HTTP_ERRORS.bad_request),
    headers: rejectWith(HTTP_ERRORS.headers_too_large),
    requests: rejectWith(HTTP_ERRORS.unavailable),
  }
  let running = 0
  let isDraining = false

  function rejectionReason({ rawHeaders, headers, httpVersion, url }: IncomingMessage) {
    // In HTTP/1.0 with Transfer-Encoding, a proxy may see another end of the body (RFC 9112, section 6.1).
    const isMalformed = httpVersion === '1.0' ? headers['transfer-encoding'] : headers.host === undefined
    // Of two Host headers, a proxy may choose the other one (RFC 9112, section 3.2). Node itself drops the second.
    if (isMalformed || hasTwoHosts(rawHeaders)) return 'malformed'
    // Node itself would silently drop the headers above its limit.
    if (rawHeaders.length > 2 * limits.headers) return 'headers'
    const isFull = running >= limits.requests && !HEALTH_CHECKS.has(url?.split('?', 1)[0])
    return isFull ? 'requests' : undefined
  }

  function onResponseClosed(): void {
    running -= 1
  }

  return {
    /** Number of requests being processed. */
    running: () => running,
    /** From now on, every response asks its client to close the connection. */
    drain() {
      isDraining = true
    },
    start(response: ServerResponse, connection: Connection): void {
      const request = response.req
      // Ignore requests that were pipelined after the last one: the connection is closing, so the client receives no
      // response and may safely retry them.
      if (connection.closing) return
      connection.requests += 1
      const reason = rejectionReason(request)
      if (isDraining || reason || connection.requests === limits.requestsPerConnection) {
        response.shouldKeepAlive = false
        connection.closing = true
      }
      if (reason) {
        rejections[reason] += 1
        void reject[reason](request, response)
        return
      }
      running += 1
      response.on('close', onResponseClosed)
      void handle(request, response)
    },
  }
}

/** Returns whether raw headers, which are alternating names and values, contain two Host headers. */
function hasTwoHosts(rawHeaders: readonly string[]): boolean {
  let hosts = 0
  for (let n = 0; n < rawHeaders.length; n += 2) {
    const name = rawHeaders[n]
    if (name?.length === 4 && name.toLowerCase() === 'host') hosts += 1
  }
  return hosts > 1
}
