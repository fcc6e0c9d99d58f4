import { clientOf } from 'testkit/client.ts'
import { PERSISTENT_ENGINES, serviceDatabase } from 'testkit/engines.ts'
import { startService } from 'testkit/process.ts'
import { metricsUrl, startServiceForTest } from 'testkit/service-for-test.ts'
import { beforeAll, describe, expect, test } from 'vitest'
import { type Span, startCollector } from './collector.ts'

const SECRET = 'correct-horse-battery-staple'
const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736'
const PARENT = '00f067aa0ba902b7'

const tracingTo = (url: string) => ({
  OTEL_EXPORTER_OTLP_ENDPOINT: url,
  OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
})

const withQuery = (spans: readonly Span[]) =>
  spans.filter(({ attributes }) => 'db.query.text' in attributes)

describe.each(PERSISTENT_ENGINES)(
  'the spans of a service that has ended (%s)',
  (engine) => {
    /**
     * The spans of requests, in the order of the requests, and everything that
     * the collector has received.
     */
    let requests: readonly Span[]
    let spans: readonly Span[]
    let bodies: string
    let paths: ReadonlySet<string>
    let secrets: string[]
    const name = engine === 'postgres' ? 'shop' : undefined

    beforeAll(async () => {
      const { url, drop } = await serviceDatabase(engine)
      const collector = await startCollector()
      const service = await startService({
        DATABASE_URL: url,
        METRICS_PORT: '0',
        ...tracingTo(collector.url),
        ...(name && { OTEL_SERVICE_NAME: name }),
      })
      try {
        const client = clientOf((path, init) =>
          fetch(service.url + path, {
            ...init,
            headers: {
              ...init?.headers,
              traceparent: `00-${TRACE}-${PARENT}-01`,
            },
          }),
        )
        const team = (await client.post('/teams', { name: 'Engineering' })).json
        await client.get(`/teams/${team.id}`)
        await client.get('/nowhere')
        await client.get('/healthz')
        await client.get('/readyz?from=balancer')
        const headers = { traceparent: `00-${TRACE}-${PARENT}-01` }
        await fetch(metricsUrl(service), { headers })
        const ada = {
          email: 'ada@example.com',
          name: 'Ada Lovelace',
          password: SECRET,
        }
        const user = (await client.post('/users', ada)).json
        await client.post('/users', ada)
        await client.post('/users', { ...ada, password: '' })
        await client.patch(`/users/${user.id}`, {
          email: 'lovelace@example.com',
        })
        await client.get(`/users/${user.id}`)
        await client.get(
          `/users/${SECRET}?password=${SECRET}&email=ada@example.com`,
        )
        await client.get(`/${SECRET}/ada@example.com`)
        await client.delete(`/users/${user.id}`)
        secrets = [
          SECRET,
          'example.com',
          '$argon2',
          'Lovelace',
          user.id.slice('user-'.length),
          url,
        ]
      } finally {
        expect(await service.stop()).toBe(0)
        collector.close()
        await drop()
      }
      spans = collector.spans
      requests = spans.filter(({ parentSpanId }) => parentSpanId === PARENT)
      bodies = collector.bodies.join()
      paths = collector.paths
    })

    test('are named after the routes, without health checks, and continue the trace of the client', () => {
      expect(requests.map(({ name }) => name)).toEqual([
        'POST /teams',
        'GET /teams/{team_id}',
        'GET',
        'POST /users',
        'POST /users',
        'POST /users',
        'PATCH /users/{user_id}',
        'GET /users/{user_id}',
        'GET /users/{user_id}',
        'GET',
        'DELETE /users/{user_id}',
      ])
      expect(new Set(requests.map(({ traceId }) => traceId))).toEqual(
        new Set([TRACE]),
      )
      expect(requests[1]?.attributes).toMatchObject({
        'http.request.method': 'GET',
        'http.route': '/teams/{team_id}',
        'http.response.status_code': 200,
      })
      expect(spans.filter(({ parentSpanId }) => !parentSpanId)).toEqual([])
      expect(bodies).toContain(`"${name ?? 'typed-id-api'}"`)
      expect([...paths]).toEqual(['/v1/traces'])
    })

    test.runIf(engine === 'postgres')(
      'contain the queries of each request as children',
      () => {
        const textsOf = (request: Span | undefined) =>
          withQuery(spans)
            .filter(({ parentSpanId }) => parentSpanId === request?.spanId)
            .map(({ attributes }) => attributes['db.query.text'])
        expect(textsOf(requests[0])).toEqual([
          expect.stringMatching(/^insert into "teams" .*\$1/),
        ])
        expect(textsOf(requests[1])).toEqual([
          expect.stringMatching(/^select .* from "teams" where .*\$1/),
        ])
      },
    )

    test.runIf(engine === 'sqlite-file')(
      'contain no queries: SQLite has no instrumentation',
      () => {
        expect(withQuery(spans)).toEqual([])
      },
    )

    test('contain no data of a client and no connection string', () => {
      for (const secret of [...secrets, 'postgres://', 'postgres:postgres'])
        expect(bodies).not.toContain(secret)
    })
  },
)

test('a collector that cannot be reached is logged, and does not delay the stop', async () => {
  const collector = await startCollector()
  await collector.close()
  const service = await startServiceForTest({
    DATABASE_URL: 'sqlite::memory:',
    ...tracingTo(collector.url),
    OTEL_EXPORTER_OTLP_TIMEOUT: '100',
  })
  await service.get('/teams')
  await expect
    .poll(() => service.logLines.join())
    .toContain('"traces cannot be sent"')
  await service.get('/teams')
  expect(await service.stop()).toBe(0)
})
