import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/**
 * Starts a TCP proxy in front of the server of a URL that hangs: each connection forwards the first `responses` packets
 * of the server, then nothing, and stays open.
 */
export async function startHangingProxy(url: string, responses: number) {
  const target = new URL(url)
  const { port, hostname } = target
  const sockets = new Set<Socket>()
  const proxy = createServer((client) => {
    const server = connect(Number(port), hostname)
    for (const socket of [client, server]) {
      sockets.add(socket)
      socket.on('error', () => {})
    }
    let forwarded = 0
    client.pipe(server)
    server.on('data', (data) => {
      if (forwarded < responses) client.write(data)
      forwarded += 1
    })
    client.on('close', () => server.destroy())
    server.on('close', () => client.destroy())
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
