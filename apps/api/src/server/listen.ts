import { once } from 'node:events'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { OperatorError } from '../errors.ts'

export interface Address {
  readonly port: number
  readonly host: string
}

/**
 * Starts listening and returns the URL of the server.
 *
 * @throws OperatorError when the address cannot be used.
 */
export async function listen(server: Server, { port, host }: Address): Promise<string> {
  server.listen(port, host)
  try {
    await once(server, 'listening')
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException
    throw new OperatorError(`cannot listen on port ${port} of ${host}: ${REASONS[code] ?? code}`)
  }
  const { address, port: actual } = server.address() as AddressInfo
  return `http://${address.includes(':') ? `[${address}]` : address}:${actual}`
}

const REASONS: Record<string, string> = {
  EADDRINUSE: 'the port is in use. Stop the process that listens there, or choose another port',
  EACCES: 'permission denied. Choose a port above 1023',
  EADDRNOTAVAIL: 'the host is not an address of this machine',
  ENOTFOUND: 'the host is unknown',
}
