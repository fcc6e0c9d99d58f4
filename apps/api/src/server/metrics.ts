import cluster from 'node:cluster'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { AggregatorRegistry, type Registry } from 'prom-client'
import { HEALTH_CHECKS } from '../http/health.ts'
import { type Address, listen } from './listen.ts'

/** Serves the metrics of this process, or, in a worker, reports them to the supervisor. */
export async function openMetrics(
  address: Address,
  registry: Registry,
  checkHealth: CheckHealth,
): Promise<Partial<MetricsServer> & Pick<MetricsServer, 'close'>> {
  if (cluster.isPrimary)
    return serveMetrics(address, registry.contentType, () => registry.metrics(), checkHealth)
  AggregatorRegistry.setRegistries([registry])
  new AggregatorRegistry() // registers a listener for the supervisor's requests
  return { async close() {} }
}

/** Serves the metrics of all workers, added up. Event loop delays are averaged, or the minimum or maximum is used. */
export async function openMetricsOfWorkers(
  address: Address,
  checkHealth: CheckHealth,
): Promise<MetricsServer> {
  const workers = new AggregatorRegistry()
  return serveMetrics(address, workers.contentType, () => workers.clusterMetrics(), checkHealth)
}

/** Maximum number of concurrent scrapes, each on its own connection. */
const MAX_CONNECTIONS = 16

export interface MetricsServer {
  readonly url: string
  close(): Promise<void>
}

/** Returns the response to a health check: /healthz or /readyz. */
export type CheckHealth = (path: string) => Response | Promise<Response>

/**
 * Serves the result of `read` at `GET /metrics`, on a port separate from the API, and the health checks, which clients
 * of the API cannot delay here. All other requests receive 404.
 */
async function serveMetrics(
  address: Address,
  contentType: string,
  read: () => Promise<string>,
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
    const text = await read().catch(() => null) // fails when a worker ends during the scrape
    if (text === null) return response.writeHead(503).end()
    return response.writeHead(200, { 'content-type': contentType, 'cache-control': 'no-store' }).end(text)
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
