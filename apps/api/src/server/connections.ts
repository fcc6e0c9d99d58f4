import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { Socket } from 'node:net'

export const MAX_PIPELINED = 1000

export const RESERVED = 16

export const GRACE_MS = 1000

const LINGER_MS = 1000

interface Connection {
  /** Stored here, because Node removes the socket from a cancelled request. */
  readonly socket: Socket
  readonly responses: ServerResponse[]
  since: number
  last?: ServerResponse
  isClosing?: boolean
  reject?: () => void
}

type Reason = 'connections' | 'requests'

/**
 * Keeps at most `limit` connections open, and briefly up to 16 more for health
 * checks. A new connection above the limit closes, in this order of preference,
 * 1. the connection without a complete request for the longest time, if that is
 *    at least a second, or if 16 connections have no complete request
 * 2. the oldest connection with a response that the client has not read
 * 3. the oldest connection whose request has no complete body
 * 4. the new connection itself, if more than 16 are above the limit
 *
 * Processes the pipelined requests of a connection one after another. Otherwise
 * one client could fill the memory with responses that it does not read.
 */
export function limitConnections(
  server: Server,
  limit: number,
  handle: (response: ServerResponse) => void,
  onRejected: (reason: Reason) => void = () => {},
) {
  /** Sorted by the time of a connection's last response, oldest first. */
  const open = new Map<Socket, Connection>()
  let running = 0

  function close(socket: Socket, reason: Reason): void {
    onRejected(reason)
    disconnect(socket)
    open.delete(socket) // so that `onRequest` ignores later requests
  }

  /**
   * Resets the connection if a response is incomplete, because an HTTP/1.0
   * client would take a normal close for the end of the response.
   */
  function disconnect(socket: Socket): void {
    const isSent = socket.writableEnded && socket.writableLength === 0
    if (open.get(socket)?.responses[0]?.headersSent && !isSent)
      socket.resetAndDestroy()
    else socket.destroy()
  }

  server.on('connection', (socket) => {
    const since = performance.now()
    const others = open.size < limit ? [] : [...open.values()]
    open.set(socket, { socket, responses: [], since })
    socket.once('close', () => open.delete(socket))
    const pausing = others.filter(({ responses: [r] }) => !r?.req.complete)
    const [oldest = { since }] = pausing
    const evicted =
      since - oldest.since >= GRACE_MS || pausing.length >= RESERVED
        ? pausing[0]
        : (others.find(({ responses: [r] }) => r?.headersSent) ??
          pausing.find(({ responses }) => responses.length > 0) ??
          (open.size > limit + RESERVED ? { socket } : undefined))
    if (evicted) close(evicted.socket, 'connections')
  })

  function onRequest(
    { socket }: IncomingMessage,
    response: ServerResponse,
  ): void {
    const connection = open.get(socket)
    if (connection === undefined || connection.reject) return
    connection.last = response
    if (connection.isClosing) return
    if (connection.responses.push(response) === 1)
      return void run(response, connection)
    if (connection.responses.length > MAX_PIPELINED) close(socket, 'requests')
  }
  server.on('request', onRequest)
  // Without a listener, Node would send 100 Continue before the service has
  // checked the headers.
  server.on('checkContinue', onRequest)
  // Without a listener, Node would respond 417 to unknown values of Expect.
  server.on('checkExpectation', onRequest)

  function run(response: ServerResponse, connection: Connection): void {
    response.on('close', () => onClosed(connection))
    handle(response)
    running += 1
  }

  function onClosed(connection: Connection): void {
    const { socket, responses, reject, isClosing } = connection
    running -= 1
    responses.shift()
    if (!open.delete(socket) || isClosing || !socket.writable) return
    connection.since = performance.now()
    open.set(socket, connection)
    const [next] = responses
    // Runs the next pipelined request in the next iteration of the event loop.
    // Node accepts one connection per iteration, so 1000 requests in one
    // iteration would delay new clients.
    if (next) setImmediate(() => next.closed || run(next, connection))
    else reject?.()
  }

  return {
    count: () => open.size,
    running: () => running,
    get: (socket: Socket) => open.get(socket),
    disconnect,
    disconnectAll: () => [...open.keys()].forEach(disconnect),
    /** Must run before the headers are sent, to add `Connection: close`. */
    closeAfter(response: ServerResponse) {
      response.shouldKeepAlive = false
      const { socket } = response
      const connection = socket && open.get(socket)
      if (!connection) return
      connection.isClosing = true
      // After the response, Node's own `destroySoon` would not read the rest of
      // the request, so the client could lose the response.
      socket.destroySoon = () => closeAfterResponse(connection)
    },
    rejectAfterResponses(socket: Socket, reject: () => void) {
      const connection = open.get(socket)
      if (connection === undefined) return void socket.destroy()
      if (connection.reject) return
      const { responses, last } = connection
      if (last && !last.req.complete) {
        // The last request's body has invalid bytes. If the response has
        // started, closes the connection, because no error response can follow.
        if (last.headersSent)
          return last.writableEnded
            ? closeAfterResponse(connection)
            : void socket.destroy()
        responses.pop()
      }
      if (responses.length === 0) return reject()
      connection.reject = reject
    },
  }
}

/**
 * Reads the rest of a request before closing the connection. With unread bytes,
 * the operating system would reset the connection, and the client could lose
 * the response.
 */
function closeAfterResponse({ socket, last }: Connection): void {
  const close = () => Socket.prototype.destroySoon.call(socket)
  if (last === undefined || last.req.complete) return void close()
  last.req.once('end', close)
  // Many clients stop sending when the server half-closes the connection, so
  // the server first waits for the rest of the request.
  setTimeout(() => socket.end(), LINGER_MS / 2).unref()
  setTimeout(() => socket.destroy(), LINGER_MS).unref()
}
