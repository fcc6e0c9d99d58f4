import { connect, createServer, type Socket } from 'node:net'
import { listenLocally } from './sockets.ts'

/**
 * Starts a TCP proxy in front of the server of a URL. `failAt` makes one
 * connection fail when it sends a command.
 */
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
     * Makes the next command that contains `command` fail: `cut` closes the
     * connection, `silent` leaves it open.
     */
    failAt(command: string, way: 'cut' | 'silent') {
      failure = { command, way }
    },
  }
}

/**
 * Starts a TCP proxy in front of the server of a URL. `forward` receives each
 * client with its connection to the server, and forwards their data.
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
      // Nagle's algorithm would add 40 ms.
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
