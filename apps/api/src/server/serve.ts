import { once } from 'node:events'
import { createServer, type Server, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { setTimeout as pause } from 'node:timers/promises'
import type { Hono } from 'hono'
import type { Logger } from 'pino'
import type { AppEnv } from '../http/request.ts'
import { type Connections, limitConnections } from './connections.ts'
import { type Address, listen } from './listen.ts'
import {
  createRejectionLog,
  createRejections,
  type LogRejection,
  rejectionOf,
  rejectSlowResponse,
  writeRejection,
} from './reject.ts'
import { createRequestHandler, type RequestLimits } from './requests.ts'

/** Limits of one server. Times are in milliseconds. */
export interface ServerLimits extends RequestLimits {
  /** Maximum number of open connections. Another one closes the connection that has been idle longest. */
  readonly connections: number
  /** Maximum size of request line and headers in bytes. A larger request receives 431. */
  readonly headerBytes: number
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

/**
 * Serves an app over HTTP.
 *
 * @throws OperatorError when the address cannot be used.
 */
export async function serve(
  app: Hono<AppEnv>,
  { port, host, limits }: Address & { limits: ServerLimits },
  log: Logger,
) {
  const rejections = createRejections()
  const logRejection = createRejectionLog(rejections, log)
  const { start, running, drain } = createRequestHandler(app, limits, rejections)
  const server = createServer(optionsFor(limits))
  server.maxHeadersCount = 0 // no limit in Node: the request handler counts the headers
  const connections = limitConnections(server, { limit: limits.connections, start, onRejected: logRejection })
  rejectUnparsable(server, connections, logRejection)
  const watch = watchSlowResponses(connections, limits.responseMs, logRejection)
  const url = await listen(server, { port, host })
  return {
    url,
    connections: connections.count,
    /** Number of requests being processed. */
    running,
    /** Rejected requests and connections since the start. */
    rejections,
    /**
     * Drains and stops. While draining, responses ask clients to close their connections. Then the server stops
     * listening, waits for running requests, and closes connections whose requests exceed the time to stop.
     */
    async close() {
      drain()
      await pause(limits.drainMs)
      await closeServer(server, limits.stopMs)
      clearInterval(watch)
    },
  }
}

const optionsFor = (limits: ServerLimits) => ({
  maxHeaderSize: limits.headerBytes,
  headersTimeout: Math.min(limits.headersMs, limits.requestMs),
  requestTimeout: limits.requestMs,
  keepAliveTimeout: limits.idleMs,
  // The request handler checks Host instead: Node would still run requests that were pipelined after a rejected one.
  requireHostHeader: false,
  // Requests without a body emit no stream events: 5 to 11 % of the processor time of a GET, measured for the whole server.
  optimizeEmptyRequests: true,
  // The interval at which Node checks the first two timeouts, 30 seconds by default.
  connectionsCheckingInterval: Math.min(1000, limits.headersMs, limits.requestMs),
})

/** Responds to requests that Node cannot parse or does not receive in time, and closes their connections. */
function rejectUnparsable(server: Server, connections: Connections, logRejection: LogRejection): void {
  server.on('clientError', (error: NodeJS.ErrnoException & { rawPacket?: Buffer }, stream: Duplex) => {
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
  function onTimeout(this: ServerResponse, socket: Socket): void {
    logRejection('slow_response', rejectSlowResponse(this, socket))
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
