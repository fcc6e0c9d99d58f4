import { once } from 'node:events'
import {
  type AddressInfo,
  connect,
  createServer,
  type Server,
  type Socket,
} from 'node:net'
import { collect } from './server.ts'

/**
 * Lets a server listen on 127.0.0.1, by default on a free port, and returns the
 * port.
 */
export async function listenLocally(server: Server, port = 0): Promise<number> {
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  return (server.address() as AddressInfo).port
}

export async function freePorts(count: number): Promise<number[]> {
  const servers = Array.from({ length: count }, () => createServer())
  const ports = await Promise.all(
    servers.map((server) => listenLocally(server)),
  )
  await Promise.all(servers.map((server) => once(server.close(), 'close')))
  return ports
}

/**
 * Sends bytes unchanged and returns everything that the server sends until it
 * closes the connection.
 */
export async function sendRaw(
  port: number,
  bytes: string | Uint8Array,
): Promise<string> {
  const socket = connect(port, '127.0.0.1')
  socket.write(typeof bytes === 'string' ? Buffer.from(bytes, 'latin1') : bytes)
  return readUntilClosed(socket)
}

export function readUntilClosed(socket: Socket): Promise<string> {
  const received = collect(socket.setEncoding('latin1'))
  socket.on('error', () => {})
  return new Promise((resolve) =>
    socket.once('close', () => resolve(received())),
  )
}

export async function openSocket(port: number): Promise<Socket> {
  const socket = connect(port, '127.0.0.1')
  socket.on('error', () => {})
  await once(socket, 'connect')
  return socket
}

export const statusesIn = (received: string): number[] =>
  [...received.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) =>
    Number(status),
  )
