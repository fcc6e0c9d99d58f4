import { once } from 'node:events'
import { type AddressInfo, createServer, type Server } from 'node:net'

/** Lets a server listen on a free port of this machine, and returns the port. Any other port can be given. */
export async function listenLocally(server: Server, port = 0): Promise<number> {
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  return (server.address() as AddressInfo).port
}

/** Returns different ports that are free at present. */
export async function freePorts(count: number): Promise<number[]> {
  const servers = Array.from({ length: count }, () => createServer())
  const ports = await Promise.all(servers.map((server) => listenLocally(server)))
  await Promise.all(servers.map((server) => once(server.close(), 'close')))
  return ports
}
