import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/** Starts a TCP proxy in front of the server of a URL. `failAt` makes one connection fail at a command. */
export async function proxyTo(url: string) {
  const target = new URL(url)
  const { port, hostname } = target
  const sockets = new Set<Socket>()
  let failure: { command: string; way: 'cut' | 'silent' } | undefined
  const proxy = createServer((client) => {
    const server = connect(Number(port), hostname)
    for (const socket of [client, server]) {
      sockets.add(socket)
      socket.on('error', () => {})
    }
    client.on('data', (data) => {
      server.write(data)
      if (failure === undefined || !data.includes(failure.command)) return
      // The server receives and executes the command, but its response does not reach the client.
      server.removeAllListeners('data')
      if (failure.way === 'cut') server.on('data', () => client.destroy())
      failure = undefined
    })
    server.on('data', (data) => client.write(data))
    client.on('close', () => server.destroy())
  }).listen(0, '127.0.0.1')
  await once(proxy, 'listening')
  target.port = String((proxy.address() as AddressInfo).port)
  return {
    url: target.href,
    /** Fails the next command that contains the text: `cut` closes the connection instead of responding, `silent` leaves it open. */
    failAt(command: string, way: 'cut' | 'silent') {
      failure = { command, way }
    },
    close() {
      for (const socket of sockets) socket.destroy()
      proxy.close()
    },
  }
}
