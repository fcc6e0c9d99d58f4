import { databaseForTest, PERSISTENT_ENGINES } from 'testkit/engines.ts'
import {
  metricsUrl,
  scrape,
  startServiceForTest,
  startServiceWithMetrics,
} from 'testkit/service-for-test.ts'
import {
  openSocket,
  readUntilClosed,
  sendRaw,
  statusesIn,
} from 'testkit/sockets.ts'
import { proxyTo } from 'testkit/tcp-proxy.ts'
import { expect, onTestFinished, test } from 'vitest'
import { execute } from '../support/released-database.ts'

const SECRET = 'correct-horse-battery-staple'

const userOf = (n: number) => ({
  email: `person-${n}@example.com`,
  name: 'Ada',
  password: SECRET,
})

test('requests are counted by declared route, method and status, and all unknown paths as one route', async () => {
  const { service, port } = await startServiceWithMetrics('sqlite-file')
  const started = performance.now()
  for (let n = 0; n < 20; n += 1) {
    await service.get(`/users/unknown-${n}`)
    await service.get(`/nowhere/${n}`)
    await service.get(`/users/x/y/${n}?z=${n}`)
  }
  await service.post('/teams', { name: 'Engineering' })
  await service.request('/teams', { method: 'HEAD' })
  await sendRaw(
    port,
    'PURGE /teams HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n',
  )
  const elapsed = (performance.now() - started) / 1000
  const { values } = await scrape(service)
  const counts = [...values].filter(([series]) =>
    series.startsWith('http_request_duration_seconds_count'),
  )
  expect(Object.fromEntries(counts)).toEqual({
    'http_request_duration_seconds_count{route="/users/{user_id}",method="GET",status="422"}': 20,
    'http_request_duration_seconds_count{route="unmatched",method="GET",status="404"}': 40,
    'http_request_duration_seconds_count{route="/teams",method="POST",status="201"}': 1,
    'http_request_duration_seconds_count{route="/teams",method="HEAD",status="200"}': 1,
    'http_request_duration_seconds_count{route="unmatched",method="other",status="405"}': 1,
  })
  const bounds = [...values.keys()]
    .filter(
      (series) =>
        series.includes('seconds_bucket{') && series.includes('"422"'),
    )
    .map((series) => Number(/le="([\d.]+)"/.exec(series)?.[1]))
  expect(bounds.slice(0, -1)).toEqual([
    0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5,
    10,
  ])
  const seconds = service.logLines
    .map((line) => JSON.parse(line).ms / 1000 || 0)
    .reduce((sum, each) => sum + each)
  expect(seconds).toBeGreaterThan(0)
  expect(seconds).toBeLessThan(elapsed)
  const { sum } = await scrape(service)
  expect(sum('http_request_duration_seconds_sum')).toBeCloseTo(seconds)
})

test('running requests, and those that wait for a connection to PostgreSQL, are counted', async () => {
  const proxy = await proxyTo(await databaseForTest('postgres'))
  onTestFinished(proxy.close)
  const service = await startServiceForTest({
    DATABASE_URL: proxy.url,
    DATABASE_POOL_SIZE: '1',
    METRICS_PORT: '0',
  })
  const counts = async () => {
    const { sum } = await scrape(service)
    return ['http_requests_running', 'database_pool_waiting'].map((name) =>
      sum(name),
    )
  }
  expect(await counts()).toEqual([0, 0])
  proxy.failAt('insert into "teams"', 'silent')
  const requests = [1, 2, 3].map(() => service.post('/teams', { name: 'x' }))
  await expect.poll(counts).toEqual([3, 2])
  proxy.close()
  for (const each of requests) expect((await each).status).toBe(503)
  expect(await counts()).toEqual([0, 0])
})

test.each(PERSISTENT_ENGINES)(
  'metrics contain no data of a client and no connection string (%s)',
  async (engine) => {
    const { service, database } = await startServiceWithMetrics(engine)
    const { json } = await service.request('/users', {
      method: 'POST',
      body: JSON.stringify(userOf(1)),
      headers: {
        'content-type': 'application/json',
        'x-request-id': 'request-of-ada',
        cookie: SECRET,
      },
    })
    const id: string = json.id
    await service.post('/users', userOf(1))
    await service.get(`/users/${id}`)
    await service.patch(`/users/${id}`, { email: 'ada@example.com' })
    await service.get(`/users/${SECRET}?password=${SECRET}`)
    await service.get(`/${SECRET}/ada@example.com`)
    await service.delete(`/users/${id}`)
    const { text, sum } = await scrape(service)
    expect(sum('http_request_duration_seconds_count')).toBe(7)
    const secrets = [
      SECRET,
      'example.com',
      '$argon2',
      id,
      id.slice('user-'.length),
      'request-of-ada',
      'Ada',
      '://',
      'password=',
    ]
    const { hostname, port, pathname } = new URL(database)
    secrets.push(
      pathname.slice(1),
      ...(port ? [`${hostname}:${port}`, `postgres:postgres`] : []),
    )
    for (const secret of secrets) expect(text).not.toContain(secret)
  },
)

test('registrations above the limits receive 503 at once, leave no stack in the log, and are counted as the others are', async () => {
  const COUNT = 250
  const { service, port } = await startServiceWithMetrics('sqlite-file', {
    // Hashes run one at a time, slower than the requests arrive.
    UV_THREADPOOL_SIZE: '1',
  })
  const sockets = await Promise.all(
    Array.from({ length: COUNT }, () => openSocket(port)),
  )
  const registrations = sockets.map((socket, n) => {
    const body = JSON.stringify(userOf(n))
    socket.write(
      `POST /users HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\nConnection: close\r\n\r\n${body}`,
    )
    return readUntilClosed(socket)
  })
  const first = await Promise.any(
    registrations.map(async (registration) => {
      const response = await registration
      return response.includes(' 201 ') ? Promise.reject() : response
    }),
  )
  expect(first).toMatch(
    /^HTTP\/1\.1 503 .*\r\nretry-after: 1\r\n.*\{"detail":"Service Unavailable"\}/is,
  )
  const statuses = (await Promise.all(registrations)).flatMap(statusesIn)
  const rejected = statuses.filter((status) => status === 503).length
  expect(statuses.filter((status) => status === 201)).toHaveLength(
    COUNT - rejected,
  )
  expect((await service.get('/users')).json).toHaveLength(COUNT - rejected)
  expect(service.logLines.filter((line) => line.includes('stack'))).toEqual([])
  const { sum } = await scrape(service)
  expect(sum('password_hashes_rejected_total')).toBe(rejected)
  expect(sum('password_hashes_waiting')).toBe(0)
  expect(sum('database_errors_total')).toBe(0)
})

test('rejections are counted by reason', async () => {
  const { service, port } = await startServiceWithMetrics('sqlite-file', {
    ALLOWED_HOSTS: '127.0.0.1,x',
    // On a busy machine, the connections below are idle for almost as long.
    REQUEST_TIMEOUT_MS: '1000',
    MAX_CONNECTIONS: '2',
    RESPONSE_TIMEOUT_MS: '1000',
  })
  const get = 'GET /healthz HTTP/1.1\r\nHost: x\r\n'
  expect(
    statusesIn(await sendRaw(port, `${get}A: ${'b'.repeat(20_000)}\r\n\r\n`)),
  ).toEqual([431])
  expect(statusesIn(await sendRaw(port, get))).toEqual([408])
  expect(statusesIn(await sendRaw(port, 'no HTTP\r\n\r\n'))).toEqual([400])
  expect(
    statusesIn(await sendRaw(port, 'GET /teams HTTP/1.1\r\nHost: y\r\n\r\n')),
  ).toEqual([421])
  const bundle =
    'GET /docs/swagger-ui-dist/swagger-ui-bundle.js HTTP/1.1\r\nHost: x\r\n\r\n'
  for (const count of [20, 5000]) {
    const greedy = await openSocket(port)
    greedy.pause()
    greedy.write(bundle.repeat(count))
    await expect
      .poll(async () => (await scrape(service)).sum('http_connections_open'))
      .toBe(0)
    greedy.destroy()
  }
  const held = [await openSocket(port), await openSocket(port)]
  expect(
    statusesIn(await sendRaw(port, `${get}Connection: close\r\n\r\n`)),
  ).toEqual([200])
  for (const socket of held) socket.destroy()
  const reasons = async () => {
    const { values } = await scrape(service)
    return Object.fromEntries(
      [...values]
        .filter(([series]) => series.startsWith('http_rejections_total'))
        .map(([series, value]) => [/reason="(\w+)"/.exec(series)?.[1], value]),
    )
  }
  const expected = {
    headers: 1,
    slow_request: 1,
    malformed: 1,
    host: 1,
    requests: 1,
  }
  await expect
    .poll(reasons)
    .toEqual({ ...expected, slow_response: 1, connections: 1 })
})

test('an unreachable database and a missing table count as errors, a violated constraint does not', async () => {
  const database = await databaseForTest('postgres')
  const proxy = await proxyTo(database)
  onTestFinished(proxy.close)
  const service = await startServiceForTest({
    DATABASE_URL: proxy.url,
    METRICS_PORT: '0',
    HOST: '127.0.0.2',
  })
  expect(metricsUrl(service)).toContain('//127.0.0.2:')
  const post = async () =>
    (await service.post('/roles', { name: 'admin' })).status
  expect(await post()).toBe(201)
  expect(await post()).toBe(400)
  const before = await scrape(service)
  expect(before.sum('database_errors_total')).toBe(0)
  for (const series of [
    'database_errors_total{kind="unavailable"}',
    'database_errors_total{kind="unexpected"}',
    'nodejs_eventloop_lag_p99_seconds',
  ])
    expect(before.values.has(series), series).toBe(true)
  proxy.failAt('admin', 'cut')
  expect(await post()).toBe(503)
  await execute(database, 'drop table teams cascade')
  expect((await service.get('/teams')).status).toBe(500)
  const after = await scrape(service)
  expect(after.sum('database_errors_total', 'kind="unavailable"')).toBe(1)
  expect(after.sum('database_errors_total', 'kind="unexpected"')).toBe(1)
})

test('idle connections to the metrics port, however often they are opened again, lock out no scrape and no health check', async () => {
  const { service } = await startServiceWithMetrics('sqlite-memory')
  const url = metricsUrl(service)
  const port = Number(new URL(url).port)
  for (let n = 0; n < 5; n += 1) {
    const idle = await Promise.all(
      Array.from({ length: 40 }, () => openSocket(port)),
    )
    onTestFinished(() => idle.forEach((socket) => void socket.destroy()))
    await expect
      .poll(() => idle.filter(({ closed }) => !closed).length)
      .toBe(16)
    for (const path of ['/metrics', '/healthz', '/readyz']) {
      const closing = 'HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n'
      expect(
        statusesIn(await sendRaw(port, `GET ${path} ${closing}`)),
        path,
      ).toEqual([200])
    }
  }
})

test('the metrics port serves /metrics and nothing else, closes each connection, and closes with the service', async () => {
  const { service } = await startServiceWithMetrics('sqlite-memory')
  const url = metricsUrl(service)
  const port = Number(new URL(url).port)
  expect(port).not.toBe(Number(new URL(service.url).port))
  // 127.0.0.1 is the default of HOST.
  expect(new URL(url).hostname).toBe('127.0.0.1')
  expect((await service.get('/metrics')).status).toBe(404)
  for (const request of [
    'GET /',
    'GET /metrics/x',
    'GET /teams',
    'POST /metrics',
    'DELETE /metrics',
  ]) {
    const received = await sendRaw(
      port,
      `${request} HTTP/1.1\r\nHost: x\r\n\r\n`,
    )
    expect(received, request).toMatch(
      /^HTTP\/1.1 404 .*\r\nconnection: close\r\n/is,
    )
  }
  expect(
    statusesIn(
      await sendRaw(port, 'GET /metrics?x HTTP/1.1\r\nHost: x\r\n\r\n'),
    ),
  ).toEqual([200])
  // Requests as HAProxy's plain health check sends them: HTTP/1.0 without Host.
  for (const path of ['/metrics', '/healthz', '/readyz'])
    expect(
      statusesIn(await sendRaw(port, `GET ${path} HTTP/1.0\r\n\r\n`)),
    ).toEqual([200])
  expect((await fetch(url)).headers.get('content-type')).toBe(
    'text/plain; version=0.0.4; charset=utf-8',
  )
  const idle = await openSocket(port)
  expect(await service.stop()).toBe(0)
  await expect(fetch(url)).rejects.toThrow()
  idle.destroy()
})
