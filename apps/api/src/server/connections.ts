import type { Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/** Maximum number of requests that wait on one connection. A client that pipelines more is disconnected. */
const MAX_WAITING = 1000

/** An open connection. */
export interface Connection {
  /** The response to the request being processed. */
  current: ServerResponse | undefined
  /** The responses to pipelined requests, which arrived after the current one. */
  readonly waiting: ServerResponse[]
  /** The response to the last request that arrived. */
  last: ServerResponse | undefined
  /** Rejects bytes that are not a request. Called after the responses to all earlier requests. */
  reject: (() => void) | undefined
  /** Number of requests that the app has started to process. */
  requests: number
  /** Whether the connection closes after the current response. */
  closing: boolean
}

interface ConnectionsOptions {
  /** Maximum number of open connections. */
  readonly limit: number
  start(response: ServerResponse, connection: Connection): void
  /** Called when a connection is closed because too many are open, or too many requests wait on it. */
  onRejected(reason: 'connections' | 'requests'): void
}

export type Connections = ReturnType<typeof limitConnections>

/**
 * Keeps at most `limit` connections open. A further connection closes the one that has been idle for the longest time,
 * so that clients with unused connections cannot lock out other clients, health checks included. When all are busy, the
 * new connection is closed.
 *
 * Processes the pipelined requests of a connection one after another, and stops reading from the connection while a
 * request waits. Otherwise a client that sends a thousand requests and reads no response would occupy every slot of the
 * server and fill its memory with responses.
 */
export function limitConnections(server: Server, { limit, start, onRejected }: ConnectionsOptions) {
  const open = new Map<Socket, Connection>() // connections, in the order of their last completed request

  server.on('connection', (socket) => {
    open.set(socket, {
      current: undefined,
      waiting: [],
      last: undefined,
      reject: undefined,
      requests: 0,
      closing: false,
    })
    socket.once('close', () => open.delete(socket))
    if (open.size <= limit) return
    onRejected('connections')
    for (const [candidate, { current }] of open) {
      if (current) continue
      open.delete(candidate)
      return void candidate.destroy()
    }
  })

  function run(response: ServerResponse, connection: Connection): void {
    connection.current = response
    start(response, connection)
    response.on('close', onResponseClosed)
  }

  function onResponseClosed(this: ServerResponse): void {
    const { socket } = this.req
    const connection = open.get(socket)
    if (connection === undefined || socket.destroyed) return
    const next = connection.waiting.shift()
    if (next) {
      run(next, connection)
    } else {
      connection.current = undefined
      open.delete(socket)
      open.set(socket, connection)
      connection.reject?.()
    }
    if (connection.waiting.length === 0 && socket.isPaused()) socket.resume()
  }

  server.on('request', ({ socket }, response) => {
    const connection = open.get(socket)
    if (connection === undefined || connection.reject) return // the connection is closed or closing
    connection.last = response
    if (connection.current === undefined) {
      run(response, connection)
    } else if (connection.waiting.length < MAX_WAITING) {
      connection.waiting.push(response)
      socket.pause()
    } else {
      onRejected('requests')
      socket.destroy()
    }
  })

  return {
    count: () => open.size,
    /** Returns the responses to the requests being processed. */
    *responses() {
      for (const { current } of open.values()) if (current) yield current
    },
    /**
     * Calls `reject`, which writes to the socket and ends it, when the client has received the responses to all earlier
     * requests. Requests that arrive after the rejected bytes do not run.
     */
    rejectAfterResponses(socket: Socket, reject: () => void) {
      const connection = open.get(socket)
      if (connection === undefined) return void socket.destroy()
      if (connection.reject) return // ignores bytes that follow rejected bytes
      const { current, waiting, last } = connection
      if (last && !last.req.complete) {
        // The bytes belong to the body of the last request, so the rejection is its response.
        if (last.headersSent) return void (last.writableEnded ? socket.destroySoon() : socket.destroy())
        if (last === current) return reject()
        waiting.pop()
      }
      if (current === undefined) return reject()
      connection.reject = reject
    },
  }
}
