import { once } from 'node:events'
import { connect, type Socket } from 'node:net'

/** Sends bytes as they are and returns all that comes back until the server closes the connection. */
export async function sendRaw(port: number, bytes: string | Uint8Array): Promise<string> {
  const socket = connect(port, '127.0.0.1')
  socket.write(typeof bytes === 'string' ? Buffer.from(bytes, 'latin1') : bytes)
  return receivedOn(socket)
}

/** All that a socket receives until its end, however that comes. */
export function receivedOn(socket: Socket): Promise<string> {
  let received = ''
  socket.on('data', (chunk) => {
    received += chunk.toString('latin1')
  })
  socket.on('error', () => {})
  return new Promise((resolve) => socket.once('close', () => resolve(received)))
}

export async function openSocket(port: number): Promise<Socket> {
  const socket = connect(port, '127.0.0.1')
  socket.on('error', () => {})
  await once(socket, 'connect')
  return socket
}

/** The statuses of the answers in what was received, one after the other. */
export const statusesIn = (received: string): number[] =>
  [...received.matchAll(/^HTTP\/1\.1 (\d{3}) /gm)].map(([, status]) => Number(status))
