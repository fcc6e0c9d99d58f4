import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createHttpClient } from '../client.ts'
import { app } from './recipe.ts'

export async function open() {
  const server = createServer(app).listen(0)
  await once(server, 'listening')
  const origin = `http://localhost:${(server.address() as AddressInfo).port}`
  return createHttpClient(
    (path, init) => fetch(origin + path, init),
    async () => server.close(),
  )
}
