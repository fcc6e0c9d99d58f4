import { databaseForTest } from 'testkit/engines.ts'
import {
  metricsUrl,
  scrape,
  startServiceForTest,
  startServiceWithMetrics,
} from 'testkit/service-for-test.ts'
import { openSocket, proxyTo, sendRaw, statusesIn } from 'testkit/sockets.ts'
import { expect, onTestFinished, test } from 'vitest'
import { newUser, PASSWORD } from '../support/http-fixture.ts'
import { logOf } from '../support/listen.ts'
import { execute } from '../support/released-database.ts'

const portOf = (url: string) => Number(new URL(url).port)

test('requests are counted by declared route, method and status, and all unknown paths as one route', async () => {
  const { service, port } = await startServiceWithMetrics('sqlite-file')
  for (let n = 0; n < 20; n += 1) {
    await service.get(`/users/unknown-${n}`)
    await service.get(`/nowhere/${n}`)
    await service.get(`/users/x/y/${n}?z=${n}`)
  }
  await service.post('/teams', { name: 'Engineering' })
  await service.request('/teams', { method: 'HEAD' })
  await sendRaw(port, 'PURGE /teams HTTP/1.0\r\n\r\n')
  const { values, sum } = await scrape(service)
  for (const gauge of ['http_connections_open', 'process_cpu_seconds_total'])
    expect(sum(gauge)).toBeGreaterThan(0)
  const name = 'http_request_duration_seconds'
  const counts = [...values].flatMap(([series, count]) => {
    const [metric, labels] = series.split(/(?<=_count)/)
    return metric === `${name}_count` ? [[labels, count]] : []
  })
  expect(Object.fromEntries(counts)).toEqual({
    '{route="/users/{user_id}",method="GET",status="422"}': 20,
    '{route="unmatched",method="GET",status="404"}': 40,
    '{route="/teams",method="POST",status="201"}': 1,
    '{route="/teams",method="HEAD",status="200"}': 1,
    '{route="unmatched",method="other",status="405"}': 1,
  })
  const times = logOf(service).map(({ ms = 0 }) => ms / 1000)
  const seconds = times.reduce((sum, each) => sum + each)
  expect(seconds).toBeGreaterThan(0)
  expect(sum(`${name}_sum`)).toBeCloseTo(seconds)
  for (const bound of [0.0005, 0.05, 10])
    expect(sum(`${name}_bucket`, `le="${bound}"`)).toBeGreaterThan(0)
})

test('running and waiting requests are counted, and errors of PostgreSQL, but no violated constraint', async () => {
  const database = await databaseForTest('postgres')
  const proxy = await proxyTo(database)
  onTestFinished(proxy.close)
  const service = await startServiceForTest({
    DATABASE_URL: proxy.url,
    DATABASE_POOL_SIZE: '1',
    METRICS_PORT: '0',
    HOST: '127.0.0.2',
  })
  expect(metricsUrl(service)).toContain('//127.0.0.2:')
  const post = async () =>
    (await service.post('/roles', { name: 'admin' })).status
  const counts = async () => {
    const { sum } = await scrape(service)
    return [
      sum('http_requests_running'),
      sum('database_pool_waiting'),
      sum('database_errors_total', 'unavailable'),
      sum('database_errors_total', 'unexpected'),
    ]
  }
  expect([await post(), await post()]).toEqual([201, 400])
  expect(await counts()).toEqual([0, 0, 0, 0])
  proxy.failAt('admin', 'cut')
  expect(await post()).toBe(503)
  await execute(database, 'drop table teams cascade')
  expect((await service.get('/teams')).status).toBe(500)
  expect(await counts()).toEqual([0, 0, 1, 1])

  proxy.failAt('admin', 'silent')
  const requests = [1, 2, 3].map(post)
  await expect.poll(counts).toEqual([3, 2, 1, 1])
  proxy.close()
  for (const each of requests) expect(await each).toBe(503)
  expect((await counts()).slice(0, 2)).toEqual([0, 0])
})

test('metrics contain no data of a client and no connection string', async () => {
  const { service, database } = await startServiceWithMetrics('postgres')
  const ada = newUser({ name: 'Ada' })
  const headers = { 'x-request-id': 'request-of-ada', cookie: PASSWORD }
  await service.request('/users', { headers })
  const { id }: { id: string } = (await service.post('/users', ada)).json
  await service.post('/users', ada)
  await service.patch(`/users/${id}`, { email: 'ada@example.com' })
  await service.get(`/users/${PASSWORD}?password=${PASSWORD}`)
  await service.get(`/${PASSWORD}/ada@example.com`)
  await service.delete(`/users/${id}`)
  const { text, sum } = await scrape(service)
  expect(sum('http_request_duration_seconds_count')).toBe(7)
  const { host, pathname } = new URL(database)
  for (const secret of [
    ...[PASSWORD, 'example.com', '$argon2', id.slice('user-'.length)],
    ...['request-of-ada', 'Ada', '://', 'password=', 'postgres:postgres'],
    ...[pathname.slice(1), host],
  ])
    expect(text).not.toContain(secret)
})

test('registrations above the limits receive 503 at once, leave no stack in the log, and are counted as the others are', async () => {
  const { service } = await startServiceWithMetrics('sqlite-file', {
    // With one thread, hashing is slower than the requests arrive, so the queue
    // fills.
    UV_THREADPOOL_SIZE: '1',
    RESPONSE_TIMEOUT_MS: '600000',
  })
  const statuses: number[] = []
  const register = async () => {
    const { status, headers, text } = await service.post('/users', newUser())
    statuses.push(status)
    if (status !== 201)
      expect(`${status} ${headers.get('retry-after')} ${text}`).toBe(
        '503 1 {"detail":"Service Unavailable"}',
      )
  }
  const registering = Promise.all(Array.from({ length: 160 }, register))
  await expect
    .poll(async () => (await scrape(service)).sum('password_hashes_waiting'))
    .toBeGreaterThan(50)
  await registering
  const stored = statuses.filter((status) => status === 201).length
  expect(stored).toBeGreaterThan(100)
  expect(statuses.indexOf(503)).toBeLessThan(statuses.lastIndexOf(201))
  expect((await service.get('/users')).json).toHaveLength(stored)
  expect(service.logLines.filter((line) => line.includes('stack'))).toEqual([])
  const { sum } = await scrape(service)
  expect(sum('password_hashes_rejected_total')).toBe(160 - stored)
  expect(sum('password_hashes_waiting')).toBe(0)
  expect(sum('database_errors_total')).toBe(0)
})

test('rejections are counted by reason', async () => {
  const { service, port } = await startServiceWithMetrics('sqlite-file', {
    ALLOWED_HOSTS: '127.0.0.1',
  })
  await sendRaw(port, 'no HTTP\r\n\r\n')
  const toOtherHost = 'GET /teams HTTP/1.1\r\nHost: x\r\n\r\n'
  expect(await sendRaw(port, toOtherHost)).toContain('see ALLOWED_HOSTS')
  await sendRaw(port, 'GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(5000))
  await scrape(service) // must not change the counts
  const { values } = await scrape(service)
  for (const [reason, count] of Object.entries({
    headers: 0,
    slow_request: 0,
    malformed: 1,
    host: 1,
    requests: 1,
    slow_response: 0,
    connections: 0,
  }))
    expect(values.get(`http_rejections_total{reason="${reason}"}`)).toBe(count)
  for (const kind of ['unavailable', 'unexpected'])
    expect(values.get(`database_errors_total{kind="${kind}"}`)).toBe(0)
})

test('the metrics port serves /metrics and health checks only, beside any number of idle connections, and closes with the service', async () => {
  const { service } = await startServiceWithMetrics('sqlite-memory')
  const url = metricsUrl(service)
  expect(portOf(url)).not.toBe(portOf(service.url))
  expect((await service.get('/metrics')).status).toBe(404)
  const send = async (line: string) =>
    statusesIn(await sendRaw(portOf(url), `${line}\r\n\r\n`))
  for (const request of ['GET /', 'GET /teams', 'POST /metrics'])
    expect(await send(`${request} HTTP/1.1\r\nHost: x`)).toEqual([404])
  const open = () => openSocket(portOf(url))
  for (let n = 0; n < 3; n += 1) {
    const idle = await Promise.all(Array.from({ length: 40 }, open))
    onTestFinished(() => idle.forEach((socket) => void socket.destroy()))
    const notClosed = () => idle.filter(({ closed }) => !closed)
    await expect.poll(notClosed).toHaveLength(16)
    for (const path of ['/metrics?x', '/healthz', '/readyz'])
      expect(await send(`GET ${path} HTTP/1.0`)).toEqual([200])
  }
  const { headers } = await fetch(url)
  expect(Object.fromEntries(headers)).toMatchObject({
    'content-type': 'text/plain; version=0.0.4; charset=utf-8',
    connection: 'close',
  })
  expect(await service.stop()).toBe(0)
  await expect(fetch(url)).rejects.toThrow()
})
