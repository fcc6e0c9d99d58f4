import { once } from 'node:events'
import { createServer } from 'node:http'
import { type Address, listen } from '../../server/listen.ts'

/** Maximum number of concurrent scrapes, each on its own connection. */
const MAX_CONNECTIONS = 16

export interface MetricsServer {
  readonly url: string
  close(): Promise<void>
}

/** Returns the response to a health check such as /readyz, undefined for other paths. */
export type CheckHealth = (path: string) => Promise<Response | undefined>

/**
 * Serves the result of `read` at `GET /metrics`, on a port separate from the API, and the health checks, which clients
 * of the API cannot delay here. All other requests receive 404.
 */
export async function serveMetrics(
  address: Address,
  contentType: string,
  read: () => Promise<string>,
  checkHealth: CheckHealth = async () => undefined,
): Promise<MetricsServer> {
  const limits = { maxHeaderSize: 16_384, headersTimeout: 5000, requestTimeout: 5000 }
  const server = createServer(limits, async ({ method, url }, response) => {
    response.shouldKeepAlive = false // scrapes are seconds apart: an idle connection would count against the limit
    const path = method === 'GET' || method === 'HEAD' ? url?.split('?')[0] : undefined
    if (path !== '/metrics') {
      const health = path === undefined ? undefined : await checkHealth(path)
      if (health === undefined) return response.writeHead(404).end()
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
