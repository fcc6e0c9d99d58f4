import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { promisify } from 'node:util'
import { getRequestListener } from '@hono/node-server'
import type { Hono } from 'hono'
import { type Address, listen } from './listen.ts'
import { countRejections, type Rejections, reject, rejectSlowResponse } from './reject.ts'

/** Limits of one server. Times are in milliseconds. */
export interface ServerLimits {
  /** Maximum number of open connections. One more is closed immediately. */
  readonly connections: number
  /** Maximum number of concurrent requests, pipelined ones included. One more receives 503. */
  readonly requests: number
  /** Requests after which a connection is closed, 0 for any number. */
  readonly requestsPerConnection: number
  /** Maximum size of request line and headers in bytes, and maximum number of headers. More receive 431. */
  readonly headerBytes: number
  readonly headers: number
  /** Maximum time to receive the headers, and the whole request. A slower client receives 408. */
  readonly headersMs: number
  readonly requestMs: number
  /** Maximum time until the response starts, and for the client to read each part of it. */
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
  connections(): Promise<number>
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

const STATUS = { malformed: 400, headers: 431, requests: 503 } as const

/**
 * Serves an app over HTTP.
 *
 * @throws OperatorError when the address cannot be used.
 */
export async function serve(
  app: Hono,
  { port, host, limits }: Address & { limits: ServerLimits },
): Promise<RunningServer> {
  // HTTP/1.0 requests may have no Host: HAProxy's plain health check has none.
  const handle = getRequestListener(app.fetch, { hostname: 'localhost' })
  const closing = new WeakSet<Socket>() // connections on which a request was rejected
  let running = 0
  let stopping = false

  const server = createServer(optionsFor(limits), (request, response) => {
    // Ignore requests that were pipelined after a rejected one: the connection is closing, so the client receives no
    // response and may safely retry them.
    if (closing.has(request.socket)) return
    if (stopping) response.shouldKeepAlive = false
    const reason = rejectionReason(request)
    if (reason) {
      rejections[reason] += 1
      closing.add(request.socket)
      return reject(response, STATUS[reason])
    }
    running += 1
    response.once('close', () => {
      running -= 1
    })
    response.on('timeout', onTimeout)
    return handle(request, response)
  })
  const rejections = countRejections(server)
  function rejectionReason({ rawHeaders, headers, httpVersion }: IncomingMessage) {
    // HTTP/1.0 with Transfer-Encoding: a proxy may see another end of the body (RFC 9112, section 6.1).
    const isMalformed = httpVersion === '1.0' ? headers['transfer-encoding'] : headers.host === undefined
    if (isMalformed) return 'malformed'
    // Node itself would silently drop the headers above its limit.
    if (rawHeaders.length > 2 * limits.headers) return 'headers'
    return running >= limits.requests ? 'requests' : undefined
  }
  function onTimeout(this: ServerResponse, socket: Socket): void {
    rejections.slow_response += 1
    rejectSlowResponse(this, socket)
  }
  server.timeout = limits.responseMs
  server.maxConnections = limits.connections
  server.maxRequestsPerSocket = limits.requestsPerConnection
  server.maxHeadersCount = 0 // counted in rejectionReason
  const url = await listen(server, { port, host })
  return {
    url,
    connections: () => promisify(server.getConnections.bind(server))(),
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
