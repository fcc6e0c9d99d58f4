import type { Server } from 'node:http'
import type { Socket } from 'node:net'

export interface Connections {
  count(): number
  /** Records that a connection has completed a request. */
  touch(socket: Socket): void
}

/**
 * Keeps at most `limit` connections open. One more closes the connection that has been idle for the longest time, so
 * that clients which open connections without using them cannot lock out the others, health checks included. When all
 * are busy, the new connection is closed.
 */
export function limitConnections(
  server: Server,
  limit: number,
  isBusy: (socket: Socket) => boolean,
  onRejected: () => void,
): Connections {
  const open = new Set<Socket>() // in the order of their last completed request
  server.on('connection', (socket) => {
    open.add(socket)
    socket.once('close', () => open.delete(socket))
    if (open.size <= limit) return
    onRejected()
    for (const candidate of open) {
      if (isBusy(candidate)) continue
      open.delete(candidate)
      return void candidate.destroy()
    }
  })
  return {
    count: () => open.size,
    touch(socket) {
      if (open.delete(socket)) open.add(socket)
    },
  }
}
