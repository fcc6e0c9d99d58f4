import { once } from 'node:events'
import { createServer } from 'node:http'
import type { Registry } from 'prom-client'
import { HEALTH_CHECKS } from '../http/health.ts'
import { type Address, listen } from './listen.ts'

/** Maximum number of concurrent scrapes, each on its own connection. */
const MAX_CONNECTIONS = 16

export interface MetricsServer {
  readonly url: string
  close(): Promise<void>
}

/** Returns the response to a health check: /healthz or /readyz. */
export type CheckHealth = (path: string) => Response | Promise<Response>

/**
 * Serves the metrics at `GET /metrics`, on a port separate from the API, and the health checks, which clients
 * of the API cannot delay here. All other requests receive 404.
 */
export async function openMetrics(
  address: Address,
  registry: Registry,
  checkHealth: CheckHealth,
): Promise<MetricsServer> {
  const limits = { maxHeaderSize: 16_384, headersTimeout: 5000, requestTimeout: 5000 }
  const server = createServer(limits, async ({ method, url }, response) => {
    response.shouldKeepAlive = false // scrapes are seconds apart, and an idle connection would count against the limit
    const path = method === 'GET' || method === 'HEAD' ? url?.split('?')[0] : undefined
    if (path !== '/metrics') {
      if (path === undefined || !HEALTH_CHECKS.has(path)) return response.writeHead(404).end()
      const health = await checkHealth(path)
      return response.writeHead(health.status, Object.fromEntries(health.headers)).end(await health.text())
    }
    const text = await registry.metrics()
    return response
      .writeHead(200, { 'content-type': registry.contentType, 'cache-control': 'no-store' })
      .end(text)
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
