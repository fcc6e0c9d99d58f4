import { once } from 'node:events'
import { createServer } from 'node:http'
import { getRequestListener } from '@hono/node-server'
import { Hono } from 'hono'
import type { Registry } from 'prom-client'
import { type Address, listen } from './listen.ts'

/**
 * Serves metrics at `GET /metrics`, on a port separate from the API, and the
 * health checks, which clients of the API cannot delay here.
 */
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
  const limits = {
    headersTimeout: 5000,
    requestTimeout: 5000,
    connectionsCheckingInterval: 1000,
  }
  const server = createServer(limits, getRequestListener(app.fetch))
  server.maxConnections = 16
  // Scrapes are seconds apart, and an idle connection would count against the
  // limit.
  server.prependListener('request', (_, response) => {
    response.shouldKeepAlive = false
  })
  server.timeout = 10_000
  const url = `${await listen(server, address)}/metrics`
  return {
    url,
    async close() {
      server.close().closeAllConnections()
      await once(server, 'close')
    },
  }
}
