import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { collect } from './process.ts'

/** Sends bytes unchanged and returns everything that the server sends until it closes the connection. */
export async function sendRaw(port: number, bytes: string | Uint8Array): Promise<string> {
  const socket = connect(port, '127.0.0.1')
  socket.write(typeof bytes === 'string' ? Buffer.from(bytes, 'latin1') : bytes)
  return readUntilClosed(socket)
}

/** Returns everything that a socket receives until one side closes it, with or without an error. */
export function readUntilClosed(socket: Socket): Promise<string> {
  const received = collect(socket.setEncoding('latin1'))
  socket.on('error', () => {})
  return new Promise((resolve) => socket.once('close', () => resolve(received())))
}

export async function openSocket(port: number): Promise<Socket> {
  const socket = connect(port, '127.0.0.1')
  socket.on('error', () => {})
  await once(socket, 'connect')
  return socket
}

/** Returns the statuses of the HTTP responses in received bytes, in order. */
export const statusesIn = (received: string): number[] =>
  [...received.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status))
