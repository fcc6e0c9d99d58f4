import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { freshDatabase } from '../support/engines.ts'
import { runService } from '../support/process.ts'
import { openSocket, sendRaw, statusesIn } from '../support/raw-http.ts'
import { metricsUrl, scrape, servingMetrics } from '../support/scrape.ts'

test('WORKERS=3 has one port with the sum of all processes', async () => {
  const { service, send } = await servingMetrics('sqlite-file', { WORKERS: '3' })
  await expect
    .poll(() => service.logLines.filter((line) => line.includes('"listening"')).length, { timeout: 10_000 })
    .toBe(3)
  // One after the other, each on a connection of its own, so that every worker gets some.
  const port = Number(new URL(service.url).port)
  for (let n = 0; n < 30; n += 1)
    await sendRaw(port, 'GET /teams HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n')
  await Promise.all(Array.from({ length: 20 }, (_, n) => send('POST', '/teams', { name: `${n}` })))
  const { sum } = await scrape(service)
  expect(sum('http_request_duration_seconds_count', 'method="GET"')).toBe(30)
  expect(sum('http_request_duration_seconds_count', 'status="201"')).toBe(20)
  expect(sum('database_writes_total')).toBe(20)
  const pids = service.logLines.map((line) => JSON.parse(line)).filter(({ route }) => route === '/teams')
  expect(new Set(pids.map(({ pid }) => pid)).size).toBe(3)
  const url = metricsUrl(service)
  expect(await service.stop()).toBe(0)
  await expect(fetch(url)).rejects.toThrow()
}, 30_000)

test('the port has /metrics and nothing else, keeps no connection, and ends with the service', async () => {
  const { service } = await servingMetrics('sqlite-memory')
  const url = metricsUrl(service)
  const port = Number(new URL(url).port)
  expect(port).not.toBe(Number(new URL(service.url).port))
  expect((await fetch(`${service.url}/metrics`)).status).toBe(404)
  for (const request of ['GET /', 'GET /metrics/x', 'GET /teams', 'POST /metrics', 'DELETE /metrics']) {
    // Without "Connection: close": it is the server that ends the connection.
    expect(statusesIn(await sendRaw(port, `${request} HTTP/1.1\r\nHost: x\r\n\r\n`)), request).toEqual([404])
  }
  expect(statusesIn(await sendRaw(port, 'GET /metrics?x HTTP/1.1\r\nHost: x\r\n\r\n'))).toEqual([200])
  expect((await fetch(url)).headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8')
  const idle = await openSocket(port)
  expect(await service.stop()).toBe(0)
  await expect(fetch(url)).rejects.toThrow()
  idle.destroy()
})

test.each(['1', '2'])(
  'a METRICS_PORT that is taken stops the start with one line (WORKERS=%s)',
  async (WORKERS) => {
    const { url, drop } = await freshDatabase('sqlite-file')
    const other = createServer().listen(0, '127.0.0.1')
    await once(other, 'listening')
    onTestFinished(async () => {
      other.close()
      await drop()
    })
    const { port } = other.address() as AddressInfo
    const env = { DATABASE_URL: url, PORT: '0', METRICS_PORT: `${port}`, WORKERS }
    const { code, stderr } = await runService(env)
    expect(code).toBe(1)
    expect(stderr).toBe(
      `METRICS_HOST, METRICS_PORT: cannot listen on port ${port} of 127.0.0.1: the port is in use. Stop the process that listens there, or choose another port\n`,
    )
  },
)

test.each([
  [{ METRICS_PORT: 'x' }, /^METRICS_PORT: expected a whole number from 0 to 65535, received "x"\n$/],
  [{ METRICS_PORT: '3000' }, /^METRICS_PORT: expected another port than PORT, received 3000\n$/],
  [
    { METRICS_PORT: '0', METRICS_HOST: '192.0.2.1' },
    /^METRICS_HOST, METRICS_PORT: cannot listen on port 0 of 192\.0\.2\.1: the host is not an address of this machine\n$/,
  ],
])('%o is refused in one line', async (env, line) => {
  const { code, stderr } = await runService({ DATABASE_URL: 'sqlite::memory:', ...env } as Record<
    string,
    string
  >)
  expect(code).toBe(1)
  expect(stderr).toMatch(line)
})
