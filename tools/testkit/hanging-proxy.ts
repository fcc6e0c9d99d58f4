import { startTcpProxy } from './tcp-proxy.ts'

/**
 * Starts a TCP proxy in front of the server of a URL that hangs: each connection forwards the first `responses` packets
 * of the server, then nothing, and stays open.
 */
export function startHangingProxy(url: string, responses: number) {
  return startTcpProxy(url, (client, server) => {
    let forwarded = 0
    client.pipe(server)
    server.on('data', (data) => {
      if (forwarded < responses) client.write(data)
      forwarded += 1
    })
    server.on('close', () => client.destroy())
  })
}
