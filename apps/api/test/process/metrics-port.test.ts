import { openSocket, sendRaw, statusesIn } from 'testkit/raw-http.ts'
import { metricsUrl, scrape, startServiceWithMetrics } from 'testkit/scrape.ts'
import { expect, test } from 'vitest'

test('WORKERS=3 has one metrics port with the sums of all processes', async () => {
  const { service, port } = await startServiceWithMetrics('postgres', { WORKERS: '3' })
  await expect.poll(() => service.logLines.filter((line) => line.includes('"listening"')).length).toBe(3)
  // One after the other, each on its own connection, so every worker receives some of them.
  for (let n = 0; n < 30; n += 1)
    await sendRaw(port, 'GET /teams HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n')
  await Promise.all(Array.from({ length: 20 }, (_, n) => service.post('/teams', { name: `${n}` })))
  const { sum } = await scrape(service)
  expect(sum('http_request_duration_seconds_count', 'method="GET"')).toBe(30)
  expect(sum('http_request_duration_seconds_count', 'status="201"')).toBe(20)
  const requests = service.logLines.map((line) => JSON.parse(line)).filter(({ route }) => route === '/teams')
  expect(new Set(requests.map(({ pid }) => pid)).size).toBe(3)
  const url = metricsUrl(service)
  expect(await service.stop()).toBe(0)
  await expect(fetch(url)).rejects.toThrow()
})

test('the metrics port serves /metrics and nothing else, closes each connection, and closes with the service', async () => {
  const { service } = await startServiceWithMetrics('sqlite-memory')
  const url = metricsUrl(service)
  const port = Number(new URL(url).port)
  expect(port).not.toBe(Number(new URL(service.url).port))
  expect((await service.get('/metrics')).status).toBe(404)
  for (const request of ['GET /', 'GET /metrics/x', 'GET /teams', 'POST /metrics', 'DELETE /metrics']) {
    // Without "Connection: close": the server closes the connection.
    expect(statusesIn(await sendRaw(port, `${request} HTTP/1.1\r\nHost: x\r\n\r\n`)), request).toEqual([404])
  }
  expect(statusesIn(await sendRaw(port, 'GET /metrics?x HTTP/1.1\r\nHost: x\r\n\r\n'))).toEqual([200])
  expect((await fetch(url)).headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8')
  const idle = await openSocket(port)
  expect(await service.stop()).toBe(0)
  await expect(fetch(url)).rejects.toThrow()
  idle.destroy()
})
