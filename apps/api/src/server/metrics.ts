import { once } from 'node:events'
import { createServer } from 'node:http'
import type { Registry } from 'prom-client'
import { HEALTH_CHECKS } from '../http/health.ts'
import { type Address, listen } from './listen.ts'

/** Maximum number of concurrent scrapes, each on its own connection. */
const MAX_CONNECTIONS = 16

/**
 * Serves metrics at `GET /metrics`, on a port separate from the API, and the health checks, which clients of the API
 * cannot delay here. All other requests receive 404.
 */
export async function serveMetrics(
  address: Address,
  registry: Registry,
  checkHealth: (path: string) => Response | Promise<Response>,
) {
  const limits = { maxHeaderSize: 16_384, headersTimeout: 5000, requestTimeout: 5000 }
  const server = createServer(limits, async ({ method, url }, response) => {
    response.shouldKeepAlive = false // scrapes are seconds apart, and an idle connection would count against the limit
    const path = method === 'GET' || method === 'HEAD' ? url?.split('?')[0] : undefined
    if (path === '/metrics') {
      const text = await registry.metrics().catch(() => undefined)
      const headers = { 'content-type': registry.contentType, 'cache-control': 'no-store' }
      response.writeHead(text === undefined ? 503 : 200, headers).end(text)
    } else if (path !== undefined && HEALTH_CHECKS.has(path)) {
      const health = await checkHealth(path)
      response.writeHead(health.status, Object.fromEntries(health.headers)).end(await health.text())
    } else {
      response.writeHead(404).end()
    }
  })
  server.maxConnections = MAX_CONNECTIONS
  server.timeout = 10_000
  const url = `${await listen(server, address)}/metrics`
  return {
    url,
    async close() {
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    },
  }
}
