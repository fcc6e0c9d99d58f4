import { once } from 'node:events'
import {
  type AddressInfo,
  connect,
  createServer,
  type Server,
  type Socket,
} from 'node:net'
import { collect } from './server.ts'

export async function listenLocally(server: Server, port = 0): Promise<number> {
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  return (server.address() as AddressInfo).port
}

export async function freePorts(count: number): Promise<number[]> {
  const servers = Array.from({ length: count }, () => createServer())
  const ports = await Promise.all(servers.map((one) => listenLocally(one)))
  await Promise.all(servers.map((server) => once(server.close(), 'close')))
  return ports
}

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

export async function proxyTo(url: string) {
  let failure: { command: string; way: 'cut' | 'silent' } | undefined
  const proxy = await startTcpProxy(url, (client, server) => {
    client.on('data', (data) => {
      server.write(data)
      if (failure === undefined || !data.includes(failure.command)) return
      // Drops the response: the server receives and executes the command, but
      // the client does not learn the result.
      server.removeAllListeners('data')
      if (failure.way === 'cut') server.on('data', () => client.destroy())
      failure = undefined
    })
    server.on('data', (data) => client.write(data))
  })
  return {
    ...proxy,
    /**
     * Drops the response to the next command that contains the string
     * `command`. `cut` also closes the connection, `silent` leaves it open.
     */
    failAt(command: string, way: 'cut' | 'silent') {
      failure = { command, way }
    },
    /** True until a client sends the command of the last `failAt`. */
    isFailing: () => failure !== undefined,
  }
}

/**
 * `forward` receives the two sockets of each connection, and must forward their
 * data.
 */
export async function startTcpProxy(
  url: string,
  forward: (client: Socket, server: Socket) => void,
) {
  const target = new URL(url)
  const { port, hostname } = target
  const sockets = new Set<Socket>()
  const proxy = createServer((client) => {
    const server = connect(Number(port), hostname)
    for (const socket of [client, server]) {
      sockets.add(socket)
      // Disables Nagle's algorithm, which would delay small packets by 40 ms.
      socket.on('error', () => {}).setNoDelay()
    }
    client.on('close', () => server.destroy())
    forward(client, server)
  })
  target.port = String(await listenLocally(proxy))
  return {
    url: target.href,
    close() {
      for (const socket of sockets) socket.destroy()
      proxy.close()
    },
  }
}
