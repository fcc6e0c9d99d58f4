import { connect } from 'node:net'

interface Received {
  /** One character per byte. */
  readonly received: string
  /** The end may be missing: the server closed without reading everything, or the client ended the connection. */
  readonly isCut: boolean
}

/** Longer than the queue of password hashes, shorter than the time limits of the service. */
const RESPONSE_MS = 5000

/** How long the server may be silent until the client concludes that the server waits for more bytes. */
const SILENCE_MS = 250

/**
 * Sends bytes on a new connection and returns everything that arrives until the server closes it. If `isComplete` is
 * false, the bytes may be the beginning of a request; the client then ends the connection after a silence.
 */
export function exchangeBytes(port: number, bytes: string, isComplete: boolean): Promise<Received> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true })
    let received = ''
    let isCut = false
    socket.setTimeout(isComplete ? RESPONSE_MS : SILENCE_MS)
    socket.on('timeout', () => {
      if (isComplete || isCut) {
        socket.destroy()
        return reject(
          new Error(
            `no response within ${RESPONSE_MS} ms, after receiving ${JSON.stringify(received.slice(0, 200))}`,
          ),
        )
      }
      isCut = true
      socket.setTimeout(RESPONSE_MS)
      socket.end()
    })
    socket.on('data', (chunk) => {
      received += chunk.toString('latin1')
    })
    socket.on('end', () => socket.end())
    socket.on('error', (error: NodeJS.ErrnoException) => {
      // The server may close without reading what follows a rejected request.
      if (error.code !== 'ECONNRESET' && error.code !== 'EPIPE') return reject(error)
      isCut = true
    })
    socket.on('close', () => resolve({ received, isCut }))
    socket.write(Buffer.from(bytes, 'latin1'))
  })
}
