import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/** Requests that may wait on one connection. A client that sends more without reading is disconnected. */
const MAX_WAITING = 1000

type Handle = () => (() => void) | undefined

export interface Pipeline {
  /**
   * Runs `handle` when all earlier requests of the connection have been answered, and the function that it returns when
   * the response is closed. Returns false when too many requests wait on the connection.
   */
  enqueue(socket: Socket, response: ServerResponse, handle: Handle): boolean
  /** Whether a request of the connection is being processed or waits. */
  isBusy(socket: Socket): boolean
}

/**
 * Processes the pipelined requests of a connection one after another, and stops reading from the connection while one
 * waits. Otherwise one client that sends a thousand requests and reads no response would occupy every slot of the
 * server and fill its memory with responses.
 *
 * @param onIdle called when all requests of a connection have been answered
 */
export function createPipeline(onIdle: (socket: Socket) => void): Pipeline {
  const queues = new WeakMap<Socket, (() => void)[]>()

  function run(socket: Socket, response: ServerResponse, handle: Handle): void {
    const onClose = handle()
    response.once('close', () => {
      onClose?.()
      const queue = queues.get(socket)
      const next = socket.destroyed ? undefined : queue?.shift()
      if (next === undefined) {
        queues.delete(socket)
        onIdle(socket)
      } else {
        next()
      }
      if (!queue?.length) socket.resume()
    })
  }

  return {
    enqueue(socket, response, handle) {
      const queue = queues.get(socket)
      if (queue === undefined) {
        queues.set(socket, [])
        run(socket, response, handle)
        return true
      }
      if (queue.length >= MAX_WAITING) return false
      queue.push(() => run(socket, response, handle))
      socket.pause()
      return true
    },
    isBusy: (socket) => queues.has(socket),
  }
}
