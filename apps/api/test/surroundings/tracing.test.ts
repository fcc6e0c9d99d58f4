import { createServer } from 'node:http'
import { clientOf } from 'testkit/client.ts'
import { serviceDatabase } from 'testkit/engines.ts'
import { startService } from 'testkit/process.ts'
import { metricsUrl, startServiceForTest } from 'testkit/service-for-test.ts'
import { freePorts, listenLocally } from 'testkit/sockets.ts'
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest'

const SECRET = 'correct-horse-battery-staple'
const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736'
const PARENT = '00f067aa0ba902b7'

interface Span {
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId?: string
  readonly name: string
  readonly attributes: readonly { key: string; value: object }[]
}

/**
 * Starts an OpenTelemetry collector, which keeps the bodies of requests. It
 * responds to the first ones, `unavailable` in number, with 503.
 */
async function startCollector(unavailable = 0) {
  const bodies: string[] = []
  const server = createServer(async (request, response) => {
    let body = ''
    for await (const chunk of request) body += chunk
    const isAvailable = unavailable === 0
    if (!isAvailable) unavailable -= 1
    else if (request.url === '/v1/traces') bodies.push(body)
    response
      .writeHead(isAvailable ? 200 : 503, {
        'content-type': 'application/json',
      })
      .end('{}')
  })
  const url = `http://127.0.0.1:${await listenLocally(server)}`
  return { url, bodies, close: () => server.close() }
}

const tracingTo = (url: string) => ({
  OTEL_EXPORTER_OTLP_ENDPOINT: url,
  OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
})

describe('the spans of a service that has ended', () => {
  let bodies: string
  let spans: Span[]
  let requests: Span[]
  let secrets: string[]

  beforeAll(async () => {
    const { url, drop } = await serviceDatabase('postgres')
    const collector = await startCollector()
    const service = await startService({
      DATABASE_URL: url,
      METRICS_PORT: '0',
      OTEL_RESOURCE_ATTRIBUTES: 'region=north',
      ...tracingTo(collector.url),
    })
    try {
      const traceparent = `00-${TRACE}-${PARENT}-01`
      const client = clientOf((path, init) => {
        const headers = { ...init?.headers, traceparent }
        return fetch(new URL(path, service.url), { ...init, headers })
      })
      const team = (await client.post('/teams', { name: 'Engineering' })).json
      await client.get(`/teams/${team.id}`)
      await client.get('/readyz?from=balancer')
      await client.get(metricsUrl(service))
      const ada = { email: 'ada@example.com', name: 'Ada', password: SECRET }
      const user = (await client.post('/users', ada)).json
      await client.post('/users', ada)
      const query = `password=${SECRET}&email=ada@example.com`
      await client.get(`/users/${SECRET}?${query}`)
      await client.get(`/${SECRET}/ada@example.com`)
      const id = user.id.slice('user-'.length)
      secrets = [SECRET, 'example.com', '$argon2', id, url, 'postgres:postgres']
    } finally {
      expect(await service.stop()).toBe(0)
      collector.close()
      await drop()
    }
    bodies = collector.bodies.join()
    spans = collector.bodies.flatMap((body) =>
      JSON.parse(body).resourceSpans.flatMap(
        ({ scopeSpans }: { scopeSpans: { spans: Span[] }[] }) =>
          scopeSpans.flatMap(({ spans }) => spans),
      ),
    )
    requests = spans.filter(({ parentSpanId }) => parentSpanId === PARENT)
  })

  const attributeOf = ({ attributes }: Span, name: string) =>
    Object.values(attributes.find(({ key }) => key === name)?.value ?? {})[0]

  test('are named after the routes, without health checks, and continue the trace of the client', () => {
    expect(requests.map(({ name }) => name)).toEqual([
      'POST /teams',
      'GET /teams/{team_id}',
      'POST /users',
      'POST /users',
      'GET /users/{user_id}',
      'GET',
    ])
    for (const { traceId } of requests) expect(traceId).toBe(TRACE)
    expect(requests.map((span) => attributeOf(span, 'http.route'))).toContain(
      '/teams/{team_id}',
    )
    expect(spans.filter(({ parentSpanId }) => !parentSpanId)).toEqual([])
    for (const resource of ['"typed-id-api"', '"north"'])
      expect(bodies).toContain(resource)
  })

  test('contain the queries of each request as children', () => {
    const queries = requests
      .slice(0, 2)
      .flatMap(({ spanId }) =>
        spans.filter(({ parentSpanId }) => parentSpanId === spanId),
      )
      .flatMap((span) => attributeOf(span, 'db.query.text') ?? [])
    expect(queries).toEqual([
      expect.stringMatching(/^insert into "teams" .*\$1/),
      expect.stringMatching(/^select .* from "teams" where .*\$1/),
    ])
  })

  test('contain no data of a client and no connection string', () => {
    for (const secret of secrets) expect(bodies).not.toContain(secret)
  })
})

test('a collector that cannot be reached is logged, and does not delay the stop', async () => {
  const [port] = await freePorts(1)
  const service = await startServiceForTest({
    DATABASE_URL: 'sqlite::memory:',
    ...tracingTo(`http://127.0.0.1:${port}`),
    OTEL_EXPORTER_OTLP_TIMEOUT: '100',
  })
  await service.get('/teams')
  const log = () => service.logLines.join()
  await expect.poll(log).toContain('"traces cannot be sent"')
  await service.get('/teams')
  expect(await service.stop()).toBe(0)
})

test('a stop whose DRAIN_MS is longer than STOP_TIMEOUT_MS waits after it for a slow collector', async () => {
  // OpenTelemetry sends the spans again about a second later.
  const collector = await startCollector(1)
  onTestFinished(() => void collector.close())
  const service = await startServiceForTest({
    DATABASE_URL: 'sqlite::memory:',
    DRAIN_MS: '3000',
    STOP_TIMEOUT_MS: '2900',
    OTEL_BSP_SCHEDULE_DELAY: '600000', // sends spans only when it stops
    ...tracingTo(collector.url),
  })
  await service.get('/teams')
  expect(await service.stop()).toBe(0)
  expect(collector.bodies.join()).toContain('GET /teams')
})
