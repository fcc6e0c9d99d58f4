import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/** Passes everything on between clients and the server of a URL, until told to fail at the next command of a name. */
export async function proxyTo(url: string) {
  const target = new URL(url)
  const { port, hostname } = target
  const sockets = new Set<Socket>()
  let failing: { command: string; way: 'cut' | 'silent' } | undefined
  const proxy = createServer((client) => {
    const server = connect(Number(port), hostname)
    for (const socket of [client, server]) {
      sockets.add(socket)
      socket.on('error', () => {})
    }
    client.on('data', (data) => {
      server.write(data)
      if (failing === undefined || !data.includes(failing.command)) return
      // The server gets the command and does it; its answer reaches nobody.
      server.removeAllListeners('data')
      if (failing.way === 'cut') server.on('data', () => client.destroy())
      failing = undefined
    })
    server.on('data', (data) => client.write(data))
    client.on('close', () => server.destroy())
  }).listen(0, '127.0.0.1')
  await once(proxy, 'listening')
  target.port = String((proxy.address() as AddressInfo).port)
  return {
    url: target.href,
    /** `cut` ends the connection in place of an answer; `silent` leaves it open, without an answer or an end. */
    failAt(command: string, way: 'cut' | 'silent') {
      failing = { command, way }
    },
    close() {
      for (const socket of sockets) socket.destroy()
      proxy.close()
    },
  }
}
