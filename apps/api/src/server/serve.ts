import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { getRequestListener } from '@hono/node-server'
import type { Hono } from 'hono'
import type { Logger } from 'pino'
import type { AppEnv } from '../http/env.ts'
import { type Failure, HTTP_ERRORS } from '../http/errors.ts'
import { HEALTH_CHECKS } from '../http/health.ts'
import { SERVER } from '../http/mount.ts'
import { COMMON_HEADERS, errorParts } from '../http/response.ts'
import { type Connections, limitConnections } from './connections.ts'
import { type Address, listen } from './listen.ts'
import {
  createRejectionLog,
  createRejections,
  type LogRejection,
  rejectionOf,
  writeRejection,
} from './reject.ts'

/** Limits of one server. Times are in milliseconds. */
export interface ServerLimits {
  /** Maximum number of open connections. Another one closes a connection that makes no progress. */
  readonly connections: number
  /** Maximum number of concurrent requests. Others receive 503. Pipelined requests of a connection count as one. */
  readonly requests: number
  /** Maximum size of request line and headers in bytes, and of their number. A larger request receives 431. */
  readonly headerBytes: number
  readonly headers: number
  /** Maximum times to receive the headers and the whole request. A slower client receives 408. */
  readonly headersMs: number
  readonly requestMs: number
  /** Maximum time until a response starts, and for the client to read each part. Enforced up to a second late. */
  readonly responseMs: number
  /** Idle timeout: maximum time to wait for the next request on a connection. */
  readonly idleMs: number
  /** Time between the signal to stop and the end of listening. */
  readonly drainMs: number
  /** Maximum time for running requests to complete after the end of listening. */
  readonly stopMs: number
}

interface ServeOptions extends Address {
  readonly limits: ServerLimits
  /** Names that the header Host may have, undefined for any. */
  readonly allowedHosts?: readonly string[] | undefined
}

/**
 * Serves an app over HTTP.
 *
 * @throws OperatorError when the address cannot be used.
 */
export async function serve(app: Hono<AppEnv>, options: ServeOptions, log: Logger) {
  const { limits } = options
  const rejections = createRejections()
  const logRejection = createRejectionLog(rejections, log)
  const rejectedRequests = new WeakMap<IncomingMessage, Failure>()
  const listener = createListener(app, rejectedRequests)
  let isDraining = false
  const server = createServer(optionsFor(limits))
  server.maxHeadersCount = 0 // no limit in Node, which would silently drop headers: `rejectionFor` counts them
  const connections = limitConnections(server, {
    limit: limits.connections,
    onRejected: logRejection,
    start(response, connection) {
      const { req: request } = response
      const isFull =
        connections.running() >= limits.requests && !HEALTH_CHECKS.has(request.url?.split('?', 1)[0])
      const rejected = rejectionFor(request, options) ?? (isFull ? FULL : undefined)
      if (rejected) {
        rejections[rejected.reason] += 1
        rejectedRequests.set(request, rejected.error)
      }
      if (rejected || isDraining) {
        response.shouldKeepAlive = false
        connection.isClosing = true
      }
      if (request.url === '*') request.url = SERVER
      void listener(request, response)
      return rejected === undefined
    },
  })
  rejectUnparsable(server, connections, logRejection)
  const watch = watchSlowResponses(connections, limits.responseMs, logRejection)
  const url = await listen(server, options)
  return {
    url,
    connections: connections.count,
    running: connections.running,
    rejections,
    /**
     * Drains and stops. While draining, responses ask clients to close their connections. Then the server stops
     * listening, waits for running requests, and closes connections whose requests exceed the time to stop.
     */
    async close() {
      isDraining = true
      await pause(limits.drainMs)
      await closeServer(server, limits.stopMs)
      clearInterval(watch)
    },
  }
}

/** Returns a listener that passes requests to the app, also rejected ones: the app adds its headers to the error and logs it. */
const createListener = (app: Hono<AppEnv>, rejected: WeakMap<IncomingMessage, Failure>) =>
  getRequestListener(
    (request, env) =>
      app.fetch(request, Object.assign(env, { rejection: rejected.get(env.incoming as IncomingMessage) })),
    {
      // HTTP/1.0 requests may have no Host: HAProxy's plain health check has none.
      hostname: 'localhost',
      autoCleanupIncoming: false, // Node reads the rest of a body, and the connection is closed
      // For a request target of which no URL can be made.
      errorHandler() {
        const { body, headers } = errorParts(HTTP_ERRORS.bad_request)
        return new Response(body, { status: 400, headers: { ...COMMON_HEADERS, ...headers } })
      },
    },
  )

const FULL = { reason: 'requests', error: HTTP_ERRORS.unavailable } as const

/** Returns the reason why a request is rejected by its headers. */
function rejectionFor(request: IncomingMessage, { limits, allowedHosts }: ServeOptions) {
  const { rawHeaders, headers, httpVersion } = request
  // In HTTP/1.0 with Transfer-Encoding, a proxy may see another end of the body (RFC 9112, section 6.1).
  const isMalformed = httpVersion === '1.0' ? headers['transfer-encoding'] : headers.host === undefined
  // Of two Host headers, a proxy may choose the other one (RFC 9112, section 3.2). Node itself drops the second.
  if (isMalformed || hasTwoHosts(rawHeaders))
    return { reason: 'malformed', error: HTTP_ERRORS.bad_request } as const
  if (rawHeaders.length > 2 * limits.headers)
    return { reason: 'headers', error: HTTP_ERRORS.headers_too_large } as const
  const host = headers.host?.replace(/:\d*$/, '').toLowerCase()
  if (allowedHosts && host !== undefined && !allowedHosts.includes(host))
    return { reason: 'host', error: HTTP_ERRORS.misdirected } as const
  return undefined
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

const optionsFor = (limits: ServerLimits) => ({
  maxHeaderSize: limits.headerBytes,
  headersTimeout: Math.min(limits.headersMs, limits.requestMs),
  requestTimeout: limits.requestMs,
  keepAliveTimeout: limits.idleMs,
  // `rejectionFor` checks Host instead: Node would still run requests that were pipelined after a rejected one.
  requireHostHeader: false,
  // Requests without a body emit no stream events: 5 to 11 % of the processor time of a GET, measured for the whole server.
  optimizeEmptyRequests: true,
  // The interval at which Node checks the first two timeouts, 30 seconds by default.
  connectionsCheckingInterval: Math.min(1000, limits.headersMs, limits.requestMs),
})

/** Responds to requests that Node cannot parse or does not receive in time, and closes their connections. */
function rejectUnparsable(server: Server, connections: Connections, logRejection: LogRejection): void {
  server.on('clientError', (error: NodeJS.ErrnoException & { rawPacket?: Buffer }, stream) => {
    const socket = stream as Socket // without TLS, every stream is a Socket
    // Ignores bytes after a request with `Connection: close`, whose response ends the connection (RFC 9112, section
    // 9.6).
    if (error.code === 'HPE_CLOSED_CONNECTION') return
    const rejection = rejectionOf(error)
    if (rejection === undefined || !socket.writable) return void socket.destroy()
    // Node does not report which request it could not parse, so this searches the packet for HEAD.
    const mayBeHead = error.rawPacket?.includes('HEAD ') ?? false
    const [reason, response] = rejection
    connections.rejectAfterResponses(socket, () =>
      logRejection(reason, writeRejection(socket, response, !mayBeHead)),
    )
  })
}

/**
 * Closes connections on which a response makes no progress for `ms`. Sets Node's own timer, but only for slow
 * responses, because a timer for every request would cost a tenth of a read.
 */
function watchSlowResponses(connections: Connections, ms: number, logRejection: LogRejection) {
  // The app may still write to the response, so a 503 is written to the socket. A client that does not read the bytes sent
  // before will not read a 503 either.
  function onTimeout(this: ServerResponse, socket: Socket): void {
    const canRespond = !this.headersSent && socket.writableLength === 0
    logRejection('slow_response', canRespond ? writeRejection(socket, HTTP_ERRORS.unavailable) : undefined)
    if (!canRespond) socket.destroy()
  }
  const interval = Math.min(1000, Math.ceil(ms / 2))
  return setInterval(() => {
    for (const response of connections.responses())
      if (response.listenerCount('timeout') === 0) response.setTimeout(ms).on('timeout', onTimeout)
  }, interval)
}

/** Stops listening and waits for running requests, at most for `stopMs`. */
async function closeServer(server: Server, stopMs: number): Promise<void> {
  const deadline = setTimeout(() => server.closeAllConnections(), stopMs)
  // close() ends only connections that are idle now. The interval ends those that become idle later.
  const sweep = setInterval(() => server.closeIdleConnections(), 50)
  server.close()
  await once(server, 'close')
  clearTimeout(deadline)
  clearInterval(sweep)
}
