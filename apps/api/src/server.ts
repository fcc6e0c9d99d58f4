import { once } from 'node:events'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createAdaptorServer } from '@hono/node-server'
import type { Hono } from 'hono'
import { ConfigError } from './config.ts'

/** How long running requests may take after a signal to stop. */
const GRACE_MS = 10_000

export interface RunningServer {
  readonly url: string
  /** Takes no new connection, lets running requests finish, and cuts off what still runs after the grace period. */
  close(): Promise<void>
}

/** Serves an app over HTTP. Throws a ConfigError that names the variable when it cannot listen. */
export async function serve(app: Hono, port: number, host: string): Promise<RunningServer> {
  const server = createAdaptorServer({ fetch: app.fetch }) as Server
  server.listen(port, host)
  try {
    await once(server, 'listening')
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException
    throw new ConfigError(LISTEN_ERRORS[code]?.(port, host) ?? `cannot listen on ${host}:${port}: ${code}`)
  }
  const { address, port: actual } = server.address() as AddressInfo
  return {
    url: `http://${address.includes(':') ? `[${address}]` : address}:${actual}`,
    async close() {
      const cut = setTimeout(() => server.closeAllConnections(), GRACE_MS)
      // close() ends the connections that are idle now; those that become idle later would be kept for the next request.
      const sweep = setInterval(() => server.closeIdleConnections(), 50)
      server.close()
      await once(server, 'close')
      clearTimeout(cut)
      clearInterval(sweep)
    },
  }
}

const LISTEN_ERRORS: Record<string, (port: number, host: string) => string> = {
  EADDRINUSE: (port, host) =>
    `PORT ${port} is in use on ${host}: stop what listens there or set another PORT`,
  EACCES: (port) => `PORT ${port} needs rights that this process does not have: set a PORT above 1023`,
  EADDRNOTAVAIL: (_, host) => `HOST ${host} is not an address of this machine`,
  ENOTFOUND: (_, host) => `HOST ${host} is not known`,
}
