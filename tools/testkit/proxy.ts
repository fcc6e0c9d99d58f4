import { startTcpProxy } from './tcp-proxy.ts'

/** Starts a TCP proxy in front of the server of a URL. `failAt` makes one connection fail at a command. */
export async function proxyTo(url: string) {
  let failure: { command: string; way: 'cut' | 'silent' } | undefined
  const proxy = await startTcpProxy(url, (client, server) => {
    client.on('data', (data) => {
      server.write(data)
      if (failure === undefined || !data.includes(failure.command)) return
      // The server receives and executes the command, but its response does not reach the client.
      server.removeAllListeners('data')
      if (failure.way === 'cut') server.on('data', () => client.destroy())
      failure = undefined
    })
    server.on('data', (data) => client.write(data))
  })
  return {
    ...proxy,
    /** Fails the next command that contains the text: `cut` closes the connection instead of responding, `silent` leaves it open. */
    failAt(command: string, way: 'cut' | 'silent') {
      failure = { command, way }
    },
  }
}
