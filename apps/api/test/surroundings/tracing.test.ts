import { createServer, type ServerResponse } from 'node:http'
import { clientOf } from 'testkit/client.ts'
import { serviceDatabase } from 'testkit/engines.ts'
import { startService } from 'testkit/process.ts'
import { metricsUrl, startServiceForTest } from 'testkit/service-for-test.ts'
import { freePorts, listenLocally } from 'testkit/sockets.ts'
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest'

const SECRET = 'correct-horse-battery-staple'
const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736'
const PARENT = '00f067aa0ba902b7'

/**
 * Matches the start of a span in a hexadecimal OTLP request: trace id, span id,
 * id of the parent if there is one, and length of the name.
 */
const SPAN = /0a10(.{32})1208(.{16})(?:2208(.{16}))?2a(..)/g

function spansOf(body: Buffer) {
  const hex = body.toString('hex')
  const starts = [...hex.matchAll(SPAN)]
  return starts.map((start, n) => {
    const [head, traceId, spanId, parentSpanId, length] = start
    const bytes = hex.slice(start.index + head.length, starts[n + 1]?.index)
    const content = `${Buffer.from(bytes, 'hex')}`
    const name = content.slice(0, Number(`0x${length}`))
    return { traceId, spanId, parentSpanId, name, content }
  })
}

async function startCollector(
  respond: (response: ServerResponse) => unknown = (response) => response.end(),
) {
  const bodies: Buffer[] = []
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    if (request.url === '/v1/traces') bodies.push(Buffer.concat(chunks))
    await respond(response)
  })
  const url = `http://127.0.0.1:${await listenLocally(server)}`
  return {
    bodies,
    env: { OTEL_EXPORTER_OTLP_ENDPOINT: url },
    close: () => server.close(),
  }
}

async function startWith(
  collector: { env: object },
  env: Record<string, string> = {},
) {
  const service = await startServiceForTest({
    DATABASE_URL: 'sqlite::memory:',
    ...collector.env,
    ...env,
  })
  await service.get('/teams')
  return service
}

describe('the spans of a service that has ended', () => {
  let bodies: string
  let spans: ReturnType<typeof spansOf>
  let requests: typeof spans
  let secrets: string[]

  beforeAll(async () => {
    const { url, drop } = await serviceDatabase('postgres')
    const collector = await startCollector()
    const service = await startService({
      DATABASE_URL: url,
      METRICS_PORT: '0',
      OTEL_RESOURCE_ATTRIBUTES: 'region=north',
      ...collector.env,
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
    spans = collector.bodies.flatMap(spansOf)
    requests = spans.filter(({ parentSpanId }) => parentSpanId === PARENT)
  })

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
    expect(requests[1]?.content).toMatch(
      /http\.route.{2,9}\/teams\/\{team_id\}/s,
    )
    expect(spans.filter(({ parentSpanId }) => !parentSpanId)).toEqual([])
    for (const resource of ['typed-id-api', 'north'])
      expect(bodies).toContain(resource)
  })

  test('contain the queries of each request as children', () => {
    for (const [n, text] of [
      'insert into "teams" .*\\$1',
      'select .* from "teams" where .*\\$1',
    ].entries())
      expect(
        spans.filter(
          ({ parentSpanId }) => parentSpanId === requests[n]?.spanId,
        ),
      ).toMatchObject([
        { content: expect.stringMatching(`db\\.query\\.text[^]{2,9}${text}`) },
      ])
  })

  test('contain no data of a client and no connection string', () => {
    for (const secret of secrets) expect(bodies).not.toContain(secret)
  })
})

test('a collector that cannot be reached is logged, and does not delay the stop', async () => {
  const [port] = await freePorts(1)
  const OTEL_EXPORTER_OTLP_ENDPOINT = `http://127.0.0.1:${port}`
  const env = { OTEL_EXPORTER_OTLP_ENDPOINT, OTEL_EXPORTER_OTLP_TIMEOUT: '100' }
  const service = await startWith({ env })
  const log = () => service.logLines.join()
  await expect.poll(log).toContain('"traces cannot be sent"')
  await service.get('/teams')
  expect(await service.stop()).toBe(0)
})

test('warnings of OpenTelemetry are logged', async () => {
  const collector = await startCollector((response) =>
    response
      .setHeader('content-type', 'application/x-protobuf')
      // { partial_success: { rejected_spans: 1 } } in protobuf
      .end(Buffer.from([10, 2, 8, 1])),
  )
  onTestFinished(() => void collector.close())
  const service = await startWith(collector)
  await service.stop()
  const log = service.logLines.join()
  expect(log).toContain('"reason":"Received Partial Success response')
  expect(log).toContain('"tracing warning"')
})

test('a stop gives up a collector that does not respond, and waits for one that does', async () => {
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  const collector = await startCollector((response) =>
    released.then(() => response.end()),
  )
  onTestFinished(() => void collector.close())
  for (const asked of [1, 2]) {
    // The default STOP_TIMEOUT_MS could end the process before the service
    // stops waiting for the collector.
    const service = await startWith(collector, { STOP_TIMEOUT_MS: '600000' })
    const stopped = service.stop()
    await expect.poll(() => collector.bodies).toHaveLength(asked)
    if (asked === 2) release()
    expect(await stopped).toBe(0)
    const log = service.logLines.join()
    expect(log).toContain('"stopped"')
    expect(log).not.toContain('traces cannot be sent')
  }
})

test('a stop whose DRAIN_MS is longer than STOP_TIMEOUT_MS waits after it for a slow collector', async () => {
  // OpenTelemetry sends spans again about a second after a 503.
  const statuses = [503, 200]
  const collector = await startCollector((response) =>
    response.writeHead(statuses.shift() ?? 500).end(),
  )
  onTestFinished(() => void collector.close())
  const service = await startWith(collector, {
    DRAIN_MS: '3000',
    STOP_TIMEOUT_MS: '2900',
    OTEL_BSP_SCHEDULE_DELAY: '600000', // sends spans only when it stops
  })
  expect(await service.stop()).toBe(0)
  const sent = expect.stringContaining('GET /teams')
  expect(collector.bodies.map(String)).toEqual([sent, sent])
})
