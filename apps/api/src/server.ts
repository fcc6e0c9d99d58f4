import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { promisify } from 'node:util'
import { getRequestListener } from '@hono/node-server'
import type { Hono } from 'hono'
import { type Address, listen } from './listen.ts'
import { countRefusals, giveUp, type Refusals, refuse } from './refusal.ts'

/** What one server may be asked for; times in milliseconds. */
export interface ServerLimits {
  /** Open connections; one more is closed at once. */
  readonly connections: number
  /** Requests that run at once; one more is answered with 503. Pipelined ones are many on one connection. */
  readonly requests: number
  /** Requests on one connection before it is closed, 0 for any number. */
  readonly requestsPerConnection: number
  /** Bytes of request line and headers, and the number of headers; more is answered with 431. */
  readonly headerBytes: number
  readonly headers: number
  /** For all headers, and for the whole request, to arrive; later is answered with 408. */
  readonly headersMs: number
  readonly requestMs: number
  /** For an answer to begin, and for the client to take each part of it. */
  readonly answerMs: number
  /** For the next request on a connection. */
  readonly idleMs: number
  /** Between the signal to stop and the end of listening. */
  readonly drainMs: number
  /** For running requests to end after that. */
  readonly stopMs: number
}

export interface RunningServer {
  readonly url: string
  /** Connections that are open. */
  connections(): Promise<number>
  /** Requests that run. */
  running(): number
  /** What did not reach the app, or not in time, since the start. */
  readonly refusals: Refusals
  /**
   * Asks clients to close their connections for as long as draining takes, then takes no new connection, lets running
   * requests finish, and cuts off what still runs when the time to stop is over.
   */
  close(): Promise<void>
}

const STATUS = { malformed: 400, headers: 431, requests: 503 } as const

/** Serves an app over HTTP. Throws a ConfigError that names the variable when it cannot listen. */
export async function serve(
  app: Hono,
  { port, host, limits }: Address & { limits: ServerLimits },
): Promise<RunningServer> {
  // HTTP/1.0 knows no Host; HAProxy's plain check, for one, sends none.
  const answer = getRequestListener(app.fetch, { hostname: 'localhost' })
  const ending = new WeakSet<Socket>() // those whose last answer is given
  let running = 0
  let stopping = false

  const server = createServer(optionsFor(limits), (request, response) => {
    // Whoever has sent it in advance will get no answer, and must be able to count on its not having run.
    if (ending.has(request.socket)) return
    if (stopping) response.shouldKeepAlive = false
    const reason = reasonToRefuse(request)
    if (reason) {
      refusals[reason] += 1
      ending.add(request.socket)
      return refuse(response, STATUS[reason])
    }
    running += 1
    response.once('close', () => {
      running -= 1
    })
    response.on('timeout', tooSlow)
    return answer(request, response)
  })
  const refusals = countRefusals(server)
  function reasonToRefuse({ rawHeaders, headers, httpVersion }: IncomingMessage) {
    const isFaulty = httpVersion === '1.0' ? headers['transfer-encoding'] : headers.host === undefined
    if (isFaulty) return 'malformed' // a body whose end others see elsewhere (RFC 9112, 6.1), or no host
    // Node itself would leave out the headers that are too many, and say nothing.
    if (rawHeaders.length > 2 * limits.headers) return 'headers'
    return running >= limits.requests ? 'requests' : undefined
  }
  function tooSlow(this: ServerResponse, socket: Socket): void {
    refusals.slow_answer += 1
    giveUp(this, socket)
  }
  server.timeout = limits.answerMs
  server.maxConnections = limits.connections
  server.maxRequestsPerSocket = limits.requestsPerConnection
  server.maxHeadersCount = 0 // counted above
  const url = await listen(server, { port, host })
  return {
    url,
    connections: () => promisify(server.getConnections.bind(server))(),
    running: () => running,
    refusals,
    async close() {
      stopping = true
      await pause(limits.drainMs)
      const cut = setTimeout(() => server.closeAllConnections(), limits.stopMs)
      // close() ends the connections that are idle now; those that become idle later would be kept for the next request.
      const sweep = setInterval(() => server.closeIdleConnections(), 50)
      server.close()
      await once(server, 'close')
      clearTimeout(cut)
      clearInterval(sweep)
    },
  }
}

const optionsFor = (limits: ServerLimits) => ({
  maxHeaderSize: limits.headerBytes,
  headersTimeout: Math.min(limits.headersMs, limits.requestMs),
  requestTimeout: limits.requestMs,
  keepAliveTimeout: limits.idleMs,
  requireHostHeader: false, // seen to above: Node itself would go on with what is behind it
  // How often the first two are looked after: 30 seconds unless told otherwise.
  connectionsCheckingInterval: Math.min(1000, limits.headersMs, limits.requestMs),
})
