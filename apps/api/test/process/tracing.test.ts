import { fileURLToPath } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'
import { startCollector } from '../support/collector.ts'
import { type Engine, freshDatabase } from '../support/engines.ts'
import { freePorts } from '../support/ports.ts'
import { runService, startService } from '../support/process.ts'

const SECRET = 'correct-horse-battery-staple'
const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736'
const PARENT = '00f067aa0ba902b7'

async function traced(engine: Engine, env: Record<string, string> = {}) {
  const { url, drop } = await freshDatabase(engine)
  const collector = await startCollector()
  const service = await startService({
    DATABASE_URL: url,
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
    ...env,
  })
  onTestFinished(async () => {
    await service.stop()
    collector.close()
    await drop()
  })
  const send = async (method: string, path: string, body?: unknown) => {
    const traceparent = `00-${TRACE}-${PARENT}-01`
    const response = await fetch(service.url + path, {
      method,
      headers: { traceparent, ...(body !== undefined && { 'content-type': 'application/json' }) },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    const text = await response.text()
    return text && JSON.parse(text)
  }
  return { service, collector, send, database: url }
}

test.each<Engine>(['sqlite-file', 'postgres'])(
  'a request is a span by its route that continues the trace of its client, sent before the service ends (%s)',
  async (engine) => {
    const { service, collector, send } = await traced(engine)
    const { id } = await send('POST', '/teams', { name: 'Engineering' })
    await send('GET', `/teams/${id}`)
    await send('GET', '/nowhere')
    await send('GET', '/healthz')
    await send('GET', '/readyz')
    expect(await service.stop()).toBe(0)
    const requests = collector.spans.filter(({ parentSpanId }) => parentSpanId === PARENT)
    expect(requests.map(({ name }) => name)).toEqual(['POST /teams', 'GET /teams/{team_id}', 'GET'])
    expect(requests.map(({ traceId }) => traceId)).toEqual([TRACE, TRACE, TRACE])
    expect(requests[1]?.attributes).toMatchObject({
      'http.request.method': 'GET',
      'http.route': '/teams/{team_id}',
      'http.response.status_code': 200,
    })
    const { bodies, paths } = collector
    expect(bodies.join()).toContain('"typed-id-api"')
    expect([...paths]).toEqual(['/v1/traces'])
    // The queries of a request are below it; SQLite has nothing that tells of them.
    const queries = collector.spans.filter(({ attributes }) => 'db.query.text' in attributes)
    if (engine === 'postgres') {
      const below = (n: number) => queries.filter(({ parentSpanId }) => parentSpanId === requests[n]?.spanId)
      expect(below(0).map(({ attributes }) => attributes['db.query.text'])).toEqual([
        'begin',
        expect.stringMatching(/^insert into "teams" .*\$1/),
        'commit',
      ])
      expect(below(1).map(({ attributes }) => attributes['db.query.text'])).toEqual([
        expect.stringMatching(/^select .* from "teams" where .*\$1/),
      ])
    } else expect(queries).toEqual([])
  },
)

test('the queries of requests that wait for a connection stay in their own traces', async () => {
  const { service, collector } = await traced('postgres', { DATABASE_POOL_SIZE: '1' })
  const traces = Array.from({ length: 20 }, (_, n) => (n + 1).toString(16).padStart(32, '0'))
  await Promise.all(
    traces.map((trace) =>
      fetch(`${service.url}/teams/team-0190163d-8694-739b-aea5-966c26f8ad91`, {
        headers: { traceparent: `00-${trace}-${PARENT}-01` },
      }),
    ),
  )
  await service.stop()
  const queries = collector.spans.filter(({ attributes }) => 'db.query.text' in attributes)
  expect(queries.map(({ traceId }) => traceId).sort()).toEqual(traces)
})

test.each<Engine>(['sqlite-file', 'postgres'])(
  'nothing that a client sends, and no connection string, is in a span (%s)',
  async (engine) => {
    const { service, collector, send, database } = await traced(engine)
    const ada = { email: 'ada@example.com', name: 'Ada Lovelace', password: SECRET }
    const { id } = await send('POST', '/users', ada)
    await send('POST', '/users', ada)
    await send('POST', '/users', { ...ada, password: '' })
    await send('PATCH', `/users/${id}`, { email: 'lovelace@example.com' })
    await send('GET', `/users/${id}`)
    await send('GET', `/users/${SECRET}?password=${SECRET}&email=ada@example.com`)
    await send('GET', `/${SECRET}/ada@example.com`)
    await send('DELETE', `/users/${id}`)
    await service.stop()
    const told = collector.bodies.join()
    expect(collector.spans.filter(({ parentSpanId }) => parentSpanId === PARENT)).toHaveLength(8)
    const secrets = [
      SECRET,
      'example.com',
      '$argon2',
      'Lovelace',
      id.slice(5),
      'postgres://',
      'postgres:postgres',
    ]
    for (const secret of [...secrets, database]) expect(told).not.toContain(secret)
  },
)

test('a collector that is not there does no harm, and is waited for in the end as long as OTEL_EXPORTER_OTLP_TIMEOUT says', async () => {
  const [port] = await freePorts(1)
  const { service, send } = await traced('sqlite-memory', {
    OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}`,
    OTEL_EXPORTER_OTLP_TIMEOUT: '500',
  })
  await send('POST', '/teams', { name: 'Engineering' })
  const started = performance.now()
  expect(await service.stop()).toBe(0)
  expect(performance.now() - started).toBeLessThan(4000)
}, 20_000)

const LISTING = fileURLToPath(new URL('../support/print-loaded-modules.ts', import.meta.url))

/** The packages of metrics and tracing that a service loads. */
async function loaded(env: Record<string, string>): Promise<string[]> {
  const service = await startService({
    DATABASE_URL: 'sqlite::memory:',
    NODE_OPTIONS: `--import ${LISTING}`,
    ...env,
  })
  let stderr = ''
  service.process.stderr?.on('data', (chunk) => {
    stderr += chunk
  })
  await fetch(`${service.url}/teams`)
  await service.stop()
  return ['prom-client', '@opentelemetry/sdk-node', '@opentelemetry', 'hono'].filter((name) =>
    stderr.includes(`/node_modules/${name}/`),
  )
}

test.each([
  [{}, []],
  [{ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9', OTEL_SDK_DISABLED: 'true' }, []],
  [{ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9', OTEL_TRACES_EXPORTER: 'none' }, []],
  [{ METRICS_PORT: '0' }, ['prom-client', '@opentelemetry']],
  [
    { OTEL_TRACES_EXPORTER: 'otlp', OTEL_EXPORTER_OTLP_TIMEOUT: '1' },
    ['@opentelemetry/sdk-node', '@opentelemetry'],
  ],
])(
  'with %o it loads, of the packages for metrics and spans, %o',
  async (env, packages) => {
    expect(await loaded(env as Record<string, string>)).toEqual([...packages, 'hono'])
  },
  20_000,
)

test.each(['localhost:4318', 'http://', 'ftp://user:hunter2@host'])(
  'OTEL_EXPORTER_OTLP_ENDPOINT=%s is refused in one line',
  async (url) => {
    const { code, stderr } = await runService({
      DATABASE_URL: 'sqlite::memory:',
      OTEL_EXPORTER_OTLP_ENDPOINT: url,
    })
    expect(code).toBe(1)
    expect(stderr).toBe('OTEL_EXPORTER_OTLP_ENDPOINT: expected http://host:port or https://host:port\n')
  },
)
