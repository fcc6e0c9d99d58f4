import { once } from 'node:events'
import { createServer } from 'node:http'
import { type Address, listen } from '../listen.ts'

/** Scrapes at once, each with a connection of its own. */
const CONNECTIONS = 16

export interface MetricsServer {
  readonly url: string
  close(): Promise<void>
}

/** Answers `GET /metrics` with what `read` gives, and 404 to all else, on a port of its own. */
export async function serveMetrics(
  address: Address,
  contentType: string,
  read: () => Promise<string>,
): Promise<MetricsServer> {
  const limits = { maxHeaderSize: 16_384, headersTimeout: 5000, requestTimeout: 5000 }
  const server = createServer(limits, async ({ method, url }, response) => {
    response.shouldKeepAlive = false // a scrape comes every few seconds, which is no reason to hold a connection
    const found = (method === 'GET' || method === 'HEAD') && url?.split('?')[0] === '/metrics'
    if (!found) return response.writeHead(404).end()
    const text = await read().catch(() => null) // a worker that ends in the middle of it
    if (text === null) return response.writeHead(503).end()
    return response.writeHead(200, { 'content-type': contentType, 'cache-control': 'no-store' }).end(text)
  })
  server.maxConnections = CONNECTIONS
  server.timeout = 10_000
  const url = `${await listen(server, address, 'METRICS_')}/metrics`
  return {
    url,
    async close() {
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    },
  }
}
