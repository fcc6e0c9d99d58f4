import cluster, { type Worker } from 'node:cluster'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { AggregatorRegistry, Registry } from 'prom-client'
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
  process.on('message', async (message) => {
    if (message === READ) process.send?.(await registry.getMetricsAsJSON())
  })
  return { async close() {} }
}

/** The message by which the supervisor asks a worker for its metrics, which are the only message of a worker. */
const READ = 'metrics'

/** Maximum time for a worker to send its metrics. */
const READ_MS = 5000

/**
 * Serves the metrics of `workers`, added up. Event loop delays are averaged, or the minimum or maximum is used. Instead,
 * `AggregatorRegistry.clusterMetrics` would wait for workers that are starting, and fail after 5 seconds.
 */
export async function openMetricsOfWorkers(
  address: Address,
  checkHealth: CheckHealth,
  workers: ReadonlySet<Worker>,
): Promise<MetricsServer> {
  const read = async () => {
    if (workers.size === 0) throw new Error('no worker is running')
    const metrics = await Promise.all(Array.from(workers, readWorker))
    return AggregatorRegistry.aggregate(metrics).metrics()
  }
  return serveMetrics(address, Registry.PROMETHEUS_CONTENT_TYPE, read, checkHealth)
}

/** Returns the metrics of a worker, and none if it ends before it has sent them. */
async function readWorker(worker: Worker): Promise<object[]> {
  const done = new AbortController()
  const signal = AbortSignal.any([done.signal, AbortSignal.timeout(READ_MS)])
  worker.setMaxListeners(2 * MAX_CONNECTIONS) // each concurrent scrape adds one
  try {
    const received = once(worker, 'message', { signal })
    const ended = once(worker, 'exit', { signal }).then(() => [[]])
    worker.send(READ, () => {}) // an error means that the worker is ending
    const [metrics] = await Promise.race([received, ended])
    return metrics
  } finally {
    done.abort()
  }
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
    const text = await read().catch(() => null) // fails when no worker is running, or one is too slow
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
