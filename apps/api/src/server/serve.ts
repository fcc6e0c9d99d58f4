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

export interface ServerLimits {
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
   * By default, a server on loopback allows only loopback names, against DNS
   * rebinding.
   */
  readonly allowedHosts?: readonly string[] | undefined
}

export const HEADER_LIMIT = 16 * 1024

export const HEADERS_TIMEOUT_MS = 10_000

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
type Rejection = readonly [Reason, Failure]

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
    // If Node checked Host, requests that were pipelined after a request
    // without Host would run without a response. `normalizeTarget` checks Host.
    requireHostHeader: false,
    optimizeEmptyRequests: true, // a GET takes 5 to 11 % less processor time
    connectionsCheckingInterval: Math.min(1000, limits.requestMs),
  })
  // 0 means no limit. Above a limit, Node would silently drop headers.
  server.maxHeadersCount = 0
  server.timeout = limits.responseMs

  function isAllowed(host: string): boolean {
    const name = host.replace(/:\d+$/, '')
    if (allowedHosts) return allowedHosts.some((a) => a === '*' || a === name)
    return !isLocal || name === 'localhost' || isLoopback(name)
  }

  function rejectionOf(request: IncomingMessage): Rejection | undefined {
    const { headers, httpVersion } = request
    // Against request smuggling, rejects HTTP/1.0 requests with
    // Transfer-Encoding (RFC 9112, section 6.1).
    if (
      (httpVersion === '1.0' && headers['transfer-encoding']) ||
      !normalizeTarget(request)
    )
      return MALFORMED
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
    async (request, env) => {
      const { incoming, outgoing } = env as HttpBindings
      const rejection = rejected.get(incoming)
      const bindings = { rejection, unfinishedBodies, takeTurn }
      const response = await app.fetch(request, Object.assign(env, bindings))
      // Node sets `complete` shortly after a body's end. Without a wait, the
      // connection of a complete request could close.
      if (!incoming.complete) await nextTurn()
      if (
        rejection ||
        isDraining ||
        !incoming.complete ||
        // Node loses data that a client sends together with an Upgrade. Closes
        // the connection, because the lost data may be the next request.
        incoming.headers.upgrade ||
        !outgoing.shouldKeepAlive
      )
        connections.closeAfter(outgoing)
      return response
    },
    {
      hostname: 'localhost', // HTTP/1.0 health checks may have no Host header
      autoCleanupIncoming: false, // `closeAfterResponse` reads the rest instead
    },
  )

  function handle(response: ServerResponse): void {
    const { req: request } = response
    const rejection = rejectionOf(request)
    if (rejection) {
      const [reason, failure] = rejection
      rejections[reason] += 1
      rejected.set(request, failure)
    }
    if (rejection === MALFORMED) {
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

  // Without this listener, Node would send no response to CONNECT. Without the
  // error listener, an error of the socket would end the process.
  server.on('connect', (_, stream) => reject(stream.on('error', () => {})))

  server.on('clientError', ({ code }: NodeJS.ErrnoException, stream) =>
    reject(stream, code),
  )

  function reject(stream: Duplex, code?: string): void {
    const socket = stream as Socket // without TLS, every stream is a Socket
    if (!socket.writable) return void socket.destroy()
    const [reason, failure] = PARSER_REJECTIONS[code ?? ''] ?? MALFORMED
    connections.rejectAfterResponses(socket, () =>
      count(reason, writeFailure(socket, failure)),
    )
  }

  server.on('timeout', (socket) => {
    const { last, responses: [response] = [] } = connections.get(socket) ?? {}
    if (!last?.req.complete) return
    if (response === undefined) return connections.disconnect(socket)
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
    async close() {
      isDraining = true
      await pause(limits.drainMs)
      setTimeout(connections.disconnectAll, limits.stopMs).unref()
      // `server.close()` closes only connections that are idle at that moment,
      // not connections that become idle later.
      const closing = setInterval(() => server.closeIdleConnections(), 50)
      await once(server.close(), 'close')
      clearInterval(closing)
    },
  }
}

const MALFORMED: Rejection = ['malformed', HTTP_ERRORS.bad_request]

const PARSER_REJECTIONS: Partial<Record<string, Rejection>> = {
  ERR_HTTP_REQUEST_TIMEOUT: ['slow_request', HTTP_ERRORS.request_timeout],
  HPE_HEADER_OVERFLOW: ['headers', HTTP_ERRORS.headers_too_large],
}
