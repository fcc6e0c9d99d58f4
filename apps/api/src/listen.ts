import { once } from 'node:events'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { ConfigError } from './config.ts'

export interface Address {
  readonly port: number
  readonly host: string
}

/**
 * Has a server listen, and returns its URL. Throws a ConfigError that names the variable when it cannot: PORT or HOST
 * with what stands before them in the names, such as `METRICS_`.
 */
export async function listen(server: Server, { port, host }: Address, prefix = ''): Promise<string> {
  server.listen(port, host)
  try {
    await once(server, 'listening')
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException
    const reason =
      ERRORS[code]?.(port, host, prefix) ?? `cannot listen on ${prefix}PORT ${port} of ${host}: ${code}`
    throw new ConfigError(reason)
  }
  const { address, port: actual } = server.address() as AddressInfo
  return `http://${address.includes(':') ? `[${address}]` : address}:${actual}`
}

const ERRORS: Record<string, (port: number, host: string, prefix: string) => string> = {
  EADDRINUSE: (port, host, prefix) =>
    `${prefix}PORT ${port} is in use on ${host}: stop what listens there or set another ${prefix}PORT`,
  EACCES: (port, _, prefix) =>
    `${prefix}PORT ${port} needs rights that this process does not have: set a ${prefix}PORT above 1023`,
  EADDRNOTAVAIL: (_, host, prefix) => `${prefix}HOST ${host} is not an address of this machine`,
  ENOTFOUND: (_, host, prefix) => `${prefix}HOST ${host} is not known`,
}
