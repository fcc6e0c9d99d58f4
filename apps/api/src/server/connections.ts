import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { Socket } from 'node:net'

/** A client that pipelines more requests is disconnected. */
export const MAX_PIPELINED = 1000

/** Number of connections above the limit, for health checks. */
export const RESERVED = 16

/** Time that a client may pause before its next request, in milliseconds. */
export const GRACE_MS = 1000

/** Maximum time to read the rest of a request after its response, in ms. */
const LINGER_MS = 1000

interface Connection {
  /** Node removes the socket from a request whose body is cancelled. */
  readonly socket: Socket
  /** The response in progress, then those to pipelined requests, which wait. */
  readonly responses: ServerResponse[]
  /** When it was opened, or its last response ended. */
  since: number
  last?: ServerResponse
  /** Whether the response in progress is the last one. */
  isClosing?: boolean
  /** Rejects bytes that are not a request, after the last response. */
  reject?: () => void
}

type Reason = 'connections' | 'requests'

/**
 * Keeps at most `limit` connections open. A further one closes the oldest that
 * is idle or whose request is incomplete. Up to `RESERVED` of them may pause
 * for `GRACE_MS`, or new ones would close each other. If every connection makes
 * progress, it closes the oldest whose client does not read its response.
 *
 * Processes pipelined requests one after another. Otherwise a client that reads
 * no response could occupy every slot and fill the memory with responses.
 */
export function limitConnections(
  server: Server,
  limit: number,
  handle: (response: ServerResponse) => void,
  onRejected: (reason: Reason) => void = () => {},
) {
  /** The open connections, ordered by the completion of their last request. */
  const open = new Map<Socket, Connection>()
  let running = 0

  function close(socket: Socket, reason: Reason): void {
    onRejected(reason)
    disconnect(socket)
    open.delete(socket) // later requests on this connection are ignored
  }

  /** Closes a connection. During a response, resets it, as `abort` does. */
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
  // The function that reads the body sends 100 Continue.
  server.on('checkContinue', onRequest)
  // Handles requests with other values of Expect as usual.
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
    // Requests that were pipelined after this one do not run.
    if (!open.delete(socket) || isClosing || !socket.writable) return
    connection.since = performance.now()
    open.set(socket, connection)
    const [next] = responses
    // Node accepts one connection per turn of the event loop, so a turn with
    // 1000 pipelined requests would keep out new clients.
    if (next) setImmediate(() => next.closed || run(next, connection))
    else reject?.()
  }

  return {
    count: () => open.size,
    running: () => running,
    get: (socket: Socket) => open.get(socket),
    disconnect,
    disconnectAll: () => [...open.keys()].forEach(disconnect),
    /** Closes the connection after this response, which has not started. */
    closeAfter(response: ServerResponse) {
      response.shouldKeepAlive = false
      const { socket } = response
      const connection = socket && open.get(socket)
      // Replaces a function, because Node closes the connection by it, and
      // emits no event before.
      if (!connection) return
      connection.isClosing = true
      socket.destroySoon = () => closeAfterResponse(connection)
    },
    /**
     * Calls `reject`, which ends the socket, after the responses to all earlier
     * requests. Later requests do not run.
     */
    rejectAfterResponses(socket: Socket, reject: () => void) {
      const connection = open.get(socket)
      if (connection === undefined) return void socket.destroy()
      if (connection.reject) return // ignores further bytes
      const { responses, last } = connection
      if (last && !last.req.complete) {
        // The bytes belong to the body of the last request, so the rejection is
        // the response to it.
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
 * Reads the rest of the request first: with unread bytes, the operating system
 * would reset the connection, and the client may lose the response. Ends the
 * side of the server later, because many clients then cannot send the rest.
 */
function closeAfterResponse({ socket, last }: Connection): void {
  const close = () => Socket.prototype.destroySoon.call(socket)
  if (last === undefined || last.req.complete) return void close()
  last.req.once('end', close)
  setTimeout(() => socket.end(), LINGER_MS / 2).unref()
  setTimeout(() => socket.destroy(), LINGER_MS).unref()
}
