import { createServer } from 'node:http'
import { getRequestListener } from '@hono/node-server'
import { Hono } from 'hono'
import type { Registry } from 'prom-client'
import { limitConnections } from './connections.ts'
import { type Address, listen } from './listen.ts'

const MAX_CONNECTIONS = 16

export async function serveMetrics(
  address: Address,
  registry: Registry,
  checkHealth: (path: string) => Response | Promise<Response>,
) {
  const app = new Hono()
  app.get('/metrics', async (c) =>
    c.body(await registry.metrics(), 200, {
      'content-type': registry.contentType,
    }),
  )
  for (const path of ['/healthz', '/readyz'])
    app.get(path, () => checkHealth(path))
  const server = createServer()
  const listener = getRequestListener(app.fetch, {
    hostname: 'localhost', // HTTP/1.0 health checks may have no Host header
  })
  const connections = limitConnections(server, MAX_CONNECTIONS, (response) => {
    connections.closeAfter(response)
    void listener(response.req, response)
  })
  return `${await listen(server, address)}/metrics`
}
