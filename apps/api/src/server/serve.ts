import { once } from 'node:events'
import {
  createServer,
  type IncomingMessage,
  type ServerResponse,
} from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import {
  setImmediate as nextTurn,
  setTimeout as pause,
} from 'node:timers/promises'
import { getRequestListener, type HttpBindings } from '@hono/node-server'
import type { Hono } from 'hono'
import type { Logger } from 'pino'
import type { AppEnv } from '../http/app-env.ts'
import { type Failure, HTTP_ERRORS } from '../http/failures.ts'
import { createTurns } from '../http/turns.ts'
import { isLoopback } from '../loopback.ts'
import { limitConnections } from './connections.ts'
import { HEALTH_CHECKS } from './health.ts'
import { type Address, listen } from './listen.ts'
import { normalizeTarget, SERVER } from './request-line.ts'
import { writeFailure } from './write-failure.ts'

/** Limits of the server. Times are in milliseconds: see variables.ts. */
export interface ServerLimits {
  /** Maximum number of open connections, and also of running requests. */
  readonly connections: number
  readonly requestMs: number
  readonly responseMs: number
  readonly idleMs: number
  readonly drainMs: number
  readonly stopMs: number
}

interface ServeOptions extends Address {
  readonly limits: ServerLimits
  /**
   * Accepted host names, by default all. If the service listens on a loopback
   * address, the default is only loopback names, which prevents DNS rebinding.
   */
  readonly allowedHosts?: readonly string[] | undefined
}

export const HEADER_LIMIT = 16 * 1024

export const HEADERS_TIMEOUT_MS = 10_000

/** Counts rejections by reason: see docs/operations/overload.md. */
export const createRejections = () => ({
  headers: 0,
  slow_request: 0,
  malformed: 0,
  host: 0,
  requests: 0,
  slow_response: 0,
  connections: 0,
})

type Reason = keyof ReturnType<typeof createRejections>

/** @throws OperatorError when the address cannot be used. */
export async function serve(
  app: Hono<AppEnv>,
  options: ServeOptions,
  log: Logger,
) {
  const { limits, allowedHosts } = options
  let isLocal = false
  const rejections = createRejections()
  let isDraining = false
  const server = createServer({
    maxHeaderSize: HEADER_LIMIT,
    headersTimeout: Math.min(HEADERS_TIMEOUT_MS, limits.requestMs),
    requestTimeout: limits.requestMs,
    keepAliveTimeout: limits.idleMs,
    joinDuplicateHeaders: true,
    // `rejectionOf` checks Host instead. Without Host, Node would close the
    // connection, but still run pipelined requests and discard their responses.
    requireHostHeader: false,
    // Saves 5 to 11 % of the processor time of a GET.
    optimizeEmptyRequests: true,
    // How often Node checks headersTimeout and requestTimeout.
    connectionsCheckingInterval: Math.min(1000, limits.requestMs),
  })
  // 0 means no limit. With a limit, Node would silently drop further headers.
  server.maxHeadersCount = 0
  server.timeout = limits.responseMs

  function isAllowed(host: string): boolean {
    const name = host.replace(/:\d+$/, '')
    if (allowedHosts) return allowedHosts.some((a) => a === '*' || a === name)
    return !isLocal || name === 'localhost' || isLoopback(name)
  }

  function rejectionOf(
    request: IncomingMessage,
  ): [Reason, Failure] | undefined {
    const { headers, httpVersion } = request
    // Rejects Transfer-Encoding in HTTP/1.0, because a proxy and Node may
    // disagree where such a body ends (RFC 9112, section 6.1).
    if (
      (httpVersion === '1.0' && headers['transfer-encoding']) ||
      !normalizeTarget(request)
    )
      return ['malformed', HTTP_ERRORS.bad_request]
    // Accepts health checks before the checks of Host and of the number of
    // requests.
    if (HEALTH_CHECKS.has(request.url?.split('?', 1)[0])) return undefined
    if (headers.host && !isAllowed(headers.host))
      return ['host', HTTP_ERRORS.misdirected]
    if (connections.running() >= limits.connections)
      return ['requests', HTTP_ERRORS.unavailable]
    return undefined
  }

  const rejected = new WeakMap<object, Failure>()
  const unfinishedBodies = { bytes: 0 }
  const takeTurn = createTurns()
  const listener = getRequestListener(
    // The app also receives rejected requests, to add headers and a log line.
    async (request, env) => {
      const { incoming, outgoing } = env as HttpBindings
      const rejection = rejected.get(incoming)
      const bindings = { rejection, unfinishedBodies, takeTurn }
      const response = await app.fetch(request, Object.assign(env, bindings))
      // Waits, because Node sets `complete` one turn after a body's last bytes.
      if (!incoming.complete) await nextTurn()
      if (
        rejection ||
        isDraining ||
        !incoming.complete ||
        // Node loses data that the client sends together with an Upgrade, so
        // the connection cannot be used again.
        incoming.headers.upgrade ||
        !outgoing.shouldKeepAlive
      )
        connections.closeAfter(outgoing)
      return response
    },
    {
      // Used for HTTP/1.0 requests without Host, such as HAProxy's health
      // check.
      hostname: 'localhost',
      // `closeAfterResponse` handles requests that are not read completely.
      autoCleanupIncoming: false,
    },
  )

  function handle(response: ServerResponse): void {
    const { req: request } = response
    const [reason, failure] = rejectionOf(request) ?? []
    if (reason) rejections[reason] += 1
    if (failure) rejected.set(request, failure)
    if (reason === 'malformed') {
      // Replaces a malformed Host and URL, because Hono cannot parse them.
      request.headers.host = 'localhost'
      request.url = '/'
    }
    if (request.url === '*') request.url = SERVER
    void listener(request, response)
  }

  function count(reason: Reason, request_id?: string): void {
    rejections[reason] += 1
    log.warn({ reason, request_id }, 'request rejected')
  }

  const connections = limitConnections(
    server,
    limits.connections,
    handle,
    count,
  )

  // Rejects CONNECT, which Node would close without a response. Adds an error
  // listener, because Node has removed its own from the socket.
  server.on('connect', (_, stream) => reject(stream.on('error', () => {})))

  // Node could not parse a request, or has not received it in time.
  server.on('clientError', ({ code }: NodeJS.ErrnoException, stream) =>
    reject(stream, code),
  )

  function reject(stream: Duplex, code?: string): void {
    const socket = stream as Socket // without TLS, every stream is a Socket
    if (!socket.writable) return void socket.destroy()
    const [reason, failure] = parserRejection(code)
    connections.rejectAfterResponses(socket, () =>
      count(reason, writeFailure(socket, failure)),
    )
  }

  // Node emits `timeout` after `responseMs` without traffic: no response has
  // started, the client does not read the response, or the connection is idle.
  server.on('timeout', (socket) => {
    const { last, responses: [response] = [] } = connections.get(socket) ?? {}
    // Node limits incomplete requests by headersTimeout and requestTimeout.
    if (!last?.req.complete) return
    if (response === undefined) return connections.disconnect(socket)
    // A client that does not read earlier bytes will not read a 503 either.
    const canRespond = !response.headersSent && socket.writableLength === 0
    const hasBody = response.req.method !== 'HEAD'
    count(
      'slow_response',
      canRespond
        ? writeFailure(socket, HTTP_ERRORS.unavailable, hasBody)
        : undefined,
    )
    if (!canRespond) connections.disconnect(socket)
  })

  const url = await listen(server, options)
  isLocal = isLoopback((server.address() as AddressInfo).address)
  return {
    url,
    connections: connections.count,
    running: connections.running,
    rejections,
    /**
     * For `drainMs`, asks clients in each response to close their connections.
     * Then stops listening. Closes the remaining connections `stopMs` later.
     */
    async close() {
      isDraining = true
      await pause(limits.drainMs)
      let isClosed = false
      const closed = once(server.close(), 'close').then(() => {
        isClosed = true
      })
      setTimeout(() => {
        connections.disconnectAll()
        server.closeAllConnections()
      }, limits.stopMs).unref()
      // `server.close()` has closed only connections that were idle then. This
      // loop closes those that become idle later.
      while (!isClosed) {
        await Promise.race([closed, pause(50)])
        server.closeIdleConnections()
      }
    },
  }
}

function parserRejection(code?: string): [Reason, Failure] {
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT')
    return ['slow_request', HTTP_ERRORS.request_timeout]
  if (code === 'HPE_HEADER_OVERFLOW')
    return ['headers', HTTP_ERRORS.headers_too_large]
  return ['malformed', HTTP_ERRORS.bad_request]
}
