import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/**
 * Starts a TCP proxy in front of the server of a URL. `forward` receives each client with its connection to the server,
 * and forwards their data.
 */
export async function startTcpProxy(url: string, forward: (client: Socket, server: Socket) => void) {
  const target = new URL(url)
  const { port, hostname } = target
  const sockets = new Set<Socket>()
  const proxy = createServer((client) => {
    const server = connect(Number(port), hostname)
    for (const socket of [client, server]) {
      sockets.add(socket)
      socket.on('error', () => {})
    }
    client.on('close', () => server.destroy())
    forward(client, server)
  }).listen(0, '127.0.0.1')
  await once(proxy, 'listening')
  target.port = String((proxy.address() as AddressInfo).port)
  return {
    url: target.href,
    close() {
      for (const socket of sockets) socket.destroy()
      proxy.close()
    },
  }
}
