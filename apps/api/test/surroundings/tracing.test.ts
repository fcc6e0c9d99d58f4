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
  readonly parentSpanId: string
  readonly spanId: string
  readonly name: string
  readonly attributes: ReadonlyMap<string, string>
}

/** Reads the length-delimited fields of a protobuf message, by their numbers. */
function fieldsOf(message: Buffer) {
  const fields: Buffer[][] = []
  let at = 0
  const readVarint = (): number => {
    const byte = message.readUInt8(at++)
    return byte < 128 ? byte : byte - 128 + 128 * readVarint()
  }
  while (at < message.length) {
    const tag = readVarint()
    const type = tag % 8
    if (type === 0) readVarint()
    else if (type !== 2) at += type === 1 ? 8 : 4
    else {
      const length = readVarint()
      fields[tag >> 3] ??= []
      fields[tag >> 3]?.push(message.subarray(at, at + length))
      at += length
    }
  }
  return (number: number): Buffer[] => fields[number] ?? []
}

/** Reads the spans of a request, as opentelemetry-proto numbers the fields. */
function spansOf(body: Buffer): Span[] {
  const inside = (messages: Buffer[], number: number) =>
    messages.flatMap((message) => fieldsOf(message)(number))
  const scopes = inside(inside([body], 1), 2)
  return inside(scopes, 2).map((span) => {
    const field = fieldsOf(span)
    const hex = (number: number) => field(number)[0]?.toString('hex') ?? ''
    const attributes = field(9).map((attribute): [string, string] => {
      const [key, value] = [1, 2].map((n) => fieldsOf(attribute)(n))
      return [`${key}`, `${inside(value ?? [], 1)}`]
    })
    return {
      traceId: hex(1),
      spanId: hex(2),
      parentSpanId: hex(4),
      name: `${field(5)}`,
      attributes: new Map(attributes),
    }
  })
}

/**
 * Starts an OpenTelemetry collector, which keeps the bodies of requests, and
 * whose responses have a body. It responds to the first requests, `unavailable`
 * in number, with 503.
 */
async function startCollector(body?: Buffer, unavailable = 0) {
  const bodies: Buffer[] = []
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const isAvailable = unavailable === 0
    if (!isAvailable) unavailable -= 1
    else if (request.url === '/v1/traces') bodies.push(Buffer.concat(chunks))
    response
      .writeHead(isAvailable ? 200 : 503, {
        'content-type': 'application/x-protobuf',
      })
      .end(body)
  })
  const url = `http://127.0.0.1:${await listenLocally(server)}`
  return { url, bodies, close: () => server.close() }
}

const tracingTo = (url: string) => ({ OTEL_EXPORTER_OTLP_ENDPOINT: url })

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
    expect(
      requests.map(({ attributes }) => attributes.get('http.route')),
    ).toContain('/teams/{team_id}')
    expect(spans.filter(({ parentSpanId }) => !parentSpanId)).toEqual([])
    for (const resource of ['typed-id-api', 'north'])
      expect(bodies).toContain(resource)
  })

  test('contain the queries of each request as children', () => {
    const queries = requests
      .slice(0, 2)
      .flatMap(({ spanId }) =>
        spans.filter(({ parentSpanId }) => parentSpanId === spanId),
      )
      .flatMap(({ attributes }) => attributes.get('db.query.text') ?? [])
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

test('warnings of OpenTelemetry are logged', async () => {
  // The encoded message { partial_success: { rejected_spans: 1 } }.
  const collector = await startCollector(Buffer.from([10, 2, 8, 1]))
  onTestFinished(() => void collector.close())
  const service = await startServiceForTest({
    DATABASE_URL: 'sqlite::memory:',
    ...tracingTo(collector.url),
  })
  await service.get('/teams')
  await service.stop()
  const log = service.logLines.join()
  expect(log).toContain('"reason":"Received Partial Success response')
  expect(log).toContain('"tracing warning"')
})

test('a stop gives up a collector that does not respond, and waits for one that does', async () => {
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  let isAsked = false
  const server = createServer(async (_, response) => {
    isAsked = true
    await released
    response.end()
  })
  onTestFinished(() => void server.close())
  const url = `http://127.0.0.1:${await listenLocally(server)}`
  const start = () =>
    startServiceForTest({ DATABASE_URL: 'sqlite::memory:', ...tracingTo(url) })
  for (const isSilent of [true, false]) {
    isAsked = false
    const service = await start()
    await service.get('/teams')
    const stopped = service.stop()
    await expect.poll(() => isAsked).toBe(true)
    if (!isSilent) release()
    expect(await stopped).toBe(0)
    const log = service.logLines.join()
    expect(log).toContain('"stopped"')
    expect(log).not.toContain('traces cannot be sent')
  }
})

test('a stop whose DRAIN_MS is longer than STOP_TIMEOUT_MS waits after it for a slow collector', async () => {
  // OpenTelemetry sends the spans again about a second later.
  const collector = await startCollector(undefined, 1)
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
