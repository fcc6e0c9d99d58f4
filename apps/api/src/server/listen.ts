import { once } from 'node:events'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { OperatorError } from '../errors.ts'

export interface Address {
  readonly port: number
  readonly host: string
}

export async function listen(
  server: Server,
  { port, host }: Address,
): Promise<string> {
  await once(server.listen(port, host), 'listening').catch(({ message }) => {
    throw new OperatorError(message)
  })
  const { address, port: actual } = server.address() as AddressInfo
  return `http://${address.includes(':') ? `[${address}]` : address}:${actual}`
}
