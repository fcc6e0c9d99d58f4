import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { setTimeout as pause } from 'node:timers/promises'
import { getRequestListener } from '@hono/node-server'
import type { Hono } from 'hono'
import type { Logger } from 'pino'
import type { ErrorCode } from '../http/errors.ts'
import { HEALTH_CHECKS } from '../http/health.ts'
import type { AppEnv } from '../http/mount.ts'
import { type Connection, limitConnections } from './connections.ts'
import { type Address, listen } from './listen.ts'
import {
  createRejections,
  type Reason,
  type Rejections,
  reasonOf,
  rejectSlowResponse,
  writeRejection,
} from './reject.ts'

/** Limits of one server. Times are in milliseconds. */
export interface ServerLimits {
  /** Maximum number of open connections. One more closes the one that has been idle for the longest time. */
  readonly connections: number
  /** Maximum number of concurrent requests. One more receives 503. Pipelined requests of a connection count as one. */
  readonly requests: number
  /** Requests after which a connection is closed, 0 for any number. */
  readonly requestsPerConnection: number
  /** Maximum size of request line and headers in bytes, and maximum number of headers. More receive 431. */
  readonly headerBytes: number
  readonly headers: number
  /** Maximum time to receive the headers, and the whole request. A slower client receives 408. */
  readonly headersMs: number
  readonly requestMs: number
  /** Maximum time until the response starts, and for the client to read each part of it; up to a second longer. */
  readonly responseMs: number
  /** Idle timeout: maximum time to wait for the next request on a connection. */
  readonly idleMs: number
  /** Time between the signal to stop and the end of listening. */
  readonly drainMs: number
  /** Maximum time for running requests to complete after that. */
  readonly stopMs: number
}

export interface RunningServer {
  readonly url: string
  /** Number of open connections. */
  connections(): number
  /** Number of requests being processed. */
  running(): number
  /** Rejected requests and connections since the start. */
  readonly rejections: Rejections
  /**
   * Drains and stops. While draining, responses ask clients to close their connections. Then the server stops
   * listening, waits for running requests, and closes the connections of those that exceed the time to stop.
   */
  close(): Promise<void>
}

/** Minimum time between two log lines about rejections, in milliseconds. */
const LOG_INTERVAL_MS = 1000

/**
 * Serves an app over HTTP.
 *
 * @throws OperatorError when the address cannot be used.
 */
export async function serve(
  app: Hono<AppEnv>,
  { port, host, limits }: Address & { limits: ServerLimits },
  log: Logger,
): Promise<RunningServer> {
  const rejections = createRejections()
  // HTTP/1.0 requests may have no Host: HAProxy's plain health check has none.
  const options = { hostname: 'localhost' }
  const handle = getRequestListener(app.fetch, options)
  /** Responds with an error in place of the endpoint: the app adds its headers and logs the request. */
  const rejectWith = (rejection: ErrorCode) =>
    getRequestListener((request, env) => app.fetch(request, { ...env, rejection }), options)
  const reject = {
    malformed: rejectWith('bad_request'),
    headers: rejectWith('headers_too_large'),
    requests: rejectWith('unavailable'),
  }
  let running = 0
  let stopping = false

  const server = createServer(optionsFor(limits), (_, response) => connections.enqueue(response))
  const connections = limitConnections(server, { limit: limits.connections, start, onRejected: count })

  function start(response: ServerResponse, connection: Connection): void {
    const request = response.req
    // Ignore requests that were pipelined after the last one: the connection is closing, so the client receives no
    // response and may safely retry them.
    if (connection.closing) return
    connection.requests += 1
    const reason = rejectionReason(request)
    if (stopping || reason || connection.requests === limits.requestsPerConnection) {
      response.shouldKeepAlive = false
      connection.closing = !stopping
    }
    if (reason) {
      rejections[reason] += 1
      reject[reason](request, response)
      return
    }
    running += 1
    response.on('close', onResponseClosed)
    handle(request, response)
  }
  function onResponseClosed(): void {
    running -= 1
  }

  function rejectionReason({ rawHeaders, headers, httpVersion, url }: IncomingMessage) {
    // HTTP/1.0 with Transfer-Encoding: a proxy may see another end of the body (RFC 9112, section 6.1).
    const isMalformed = httpVersion === '1.0' ? headers['transfer-encoding'] : headers.host === undefined
    if (isMalformed) return 'malformed'
    // Node itself would silently drop the headers above its limit.
    if (rawHeaders.length > 2 * limits.headers) return 'headers'
    return running >= limits.requests && !HEALTH_CHECKS.has(url) ? 'requests' : undefined
  }
  // Node's own timer, but only for responses that take long: for every request it would cost a tenth of a read.
  const watch = setInterval(() => {
    for (const response of connections.responses())
      if (response.listenerCount('timeout') === 0)
        response.setTimeout(limits.responseMs).on('timeout', onTimeout)
  }, intervalFor(limits.responseMs))
  function onTimeout(this: ServerResponse, socket: Socket): void {
    count('slow_response', rejectSlowResponse(this, socket))
  }
  server.on('clientError', (error: NodeJS.ErrnoException & { rawPacket?: Buffer }, socket: Duplex) => {
    // Bytes after a request with `Connection: close` are ignored (RFC 9112, section 9.6): its response closes the connection.
    if (error.code === 'HPE_CLOSED_CONNECTION') return
    const rejection = reasonOf(error)
    if (rejection === undefined || !socket.writable) return void socket.destroy()
    // Node does not say which request it could not parse.
    const mayBeHead = error.rawPacket?.includes('HEAD ') ?? false
    count(rejection.reason, writeRejection(socket, rejection.response, !mayBeHead))
  })

  let unlogged = 0
  let lastLogged = Number.NEGATIVE_INFINITY
  /** Counts a rejection that the app does not log, and logs it. Clients can cause any number, so lines are limited. */
  function count(reason: Reason, request_id?: string): void {
    rejections[reason] += 1
    unlogged += 1
    if (performance.now() - lastLogged < LOG_INTERVAL_MS) return
    log.warn({ reason, count: unlogged, request_id }, 'requests rejected')
    lastLogged = performance.now()
    unlogged = 0
  }

  server.maxHeadersCount = 0 // counted in rejectionReason
  const url = await listen(server, { port, host })
  return {
    url,
    connections: connections.count,
    running: () => running,
    rejections,
    async close() {
      stopping = true
      await pause(limits.drainMs)
      const deadline = setTimeout(() => server.closeAllConnections(), limits.stopMs)
      // close() ends the connections that are idle now. A connection that becomes idle later would stay open.
      const sweep = setInterval(() => server.closeIdleConnections(), 50)
      server.close()
      await once(server, 'close')
      clearTimeout(deadline)
      clearInterval(sweep)
      clearInterval(watch)
    },
  }
}

const optionsFor = (limits: ServerLimits) => ({
  maxHeaderSize: limits.headerBytes,
  headersTimeout: Math.min(limits.headersMs, limits.requestMs),
  requestTimeout: limits.requestMs,
  keepAliveTimeout: limits.idleMs,
  requireHostHeader: false, // checked in rejectionReason: Node itself would still run the requests pipelined after it
  // How often Node checks the first two timeouts; its default is 30 seconds.
  connectionsCheckingInterval: Math.min(1000, limits.headersMs, limits.requestMs),
})

/** How often to look for what takes longer than `ms`: twice in that time, but at least once a second. */
const intervalFor = (ms: number) => Math.min(1000, Math.ceil(ms / 2))
