import { connect } from 'node:net'

interface Received {
  readonly received: string
  /** The end may be lost: the server has closed without reading all, or we have ended a silence that was only a pause. */
  readonly isCut: boolean
}

/** Long enough for an answer behind a queue of passwords, short of every time limit of the service. */
const SILENCE_MS = 5000
const GUESS_MS = 250

/**
 * Sends bytes and returns all that comes back until the server closes the connection. Where nobody can tell whether the
 * bytes are whole (`isWhole` false), silence means that the server waits for more, and is ended from our side.
 */
export function exchange(port: number, bytes: string, isWhole: boolean): Promise<Received> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true })
    let received = ''
    let isCut = false
    socket.setTimeout(isWhole ? SILENCE_MS : GUESS_MS)
    socket.on('timeout', () => {
      if (isWhole || isCut) {
        socket.destroy()
        return reject(
          new Error(`neither an answer nor an end after ${JSON.stringify(received.slice(0, 200))}`),
        )
      }
      isCut = true
      socket.setTimeout(SILENCE_MS)
      socket.end()
    })
    socket.on('data', (chunk) => {
      received += chunk.toString('latin1')
    })
    socket.on('end', () => socket.end())
    socket.on('error', (error: NodeJS.ErrnoException) => {
      // The server need not read what follows a request that it refuses.
      if (error.code !== 'ECONNRESET' && error.code !== 'EPIPE') return reject(error)
      isCut = true
    })
    socket.on('close', () => resolve({ received, isCut }))
    socket.write(Buffer.from(bytes, 'latin1'))
  })
}
