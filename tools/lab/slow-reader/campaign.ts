import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { Agent } from 'node:http'
import { connect } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { residentMegabytes, watchMemory } from 'testkit/process-stats.ts'
import { defineCampaign, number } from '../kit/campaign.ts'
import { type HttpRequest, outcomeOf, send } from '../kit/http.ts'
import { withScope } from '../kit/scope.ts'
import { seed } from '../kit/seed.ts'
import { portOf, startDatabase, startService } from '../kit/service.ts'
import { round } from '../kit/statistics.ts'

/** Number of clients that close the connection during the response. */
const ABORTED = 50

export interface Cost {
  readonly megabytesSent: number
  /** Growth of resident memory: at most during the slow read, and in the end, after 50 more reads were aborted. */
  readonly peakGrowthMegabytes: number
  readonly finalGrowthMegabytes: number
  /** How long the slow client did not read. */
  readonly pauseMs: number
  /** Other requests during the slow read: one after the other, with a pause of 50 ms. */
  readonly others: Latencies
  /** Other requests while curl reads the whole list as fast as it can, and how long curl took. */
  readonly othersDuringCurl: Latencies
  readonly curlMs: number
  /** Users in the list that the slow client has received. */
  readonly users: number
}

interface Latencies {
  readonly count: number
  readonly slowestMs: number
}

export const campaign = defineCampaign({
  summary:
    'reads a long list slowly, aborts 50 reads of it, and measures memory and the latency of other requests',
  duration: '30 seconds',
  needs: 'curl',
  options: {
    users: number('users in the list', 100_000),
    pause: number('seconds for which the slow client does not read', 10),
  },
  async run({ users, pause }) {
    const cost = await measureSlowReader(users, pause * 1000)
    const columns = [
      ...['users', 'pause', 'response', 'memory growth at most', 'memory growth in the end'],
      ...['other requests during it', 'slowest of them', 'requests during a fast read', 'slowest of them'],
    ]
    const row = [
      ...[cost.users, `${pause} s`, `${cost.megabytesSent} MB`, `${cost.peakGrowthMegabytes} MB`],
      ...[`${cost.finalGrowthMegabytes} MB`, cost.others.count, `${round(cost.others.slowestMs)} ms`],
      ...[cost.othersDuringCurl.count, `${round(cost.othersDuringCurl.slowestMs)} ms`],
    ]
    return { table: { columns, rows: [row] }, failures: findFailures(cost, users) }
  },
})

/** Compares the cost with figures of the same run, so that the speed of the machine does not matter. */
export function findFailures(cost: Cost, users: number): string[] {
  const { others, othersDuringCurl, curlMs, pauseMs, megabytesSent } = cost
  // A service that holds the whole response grows by several times its size.
  const limit = Math.max(10, 1.1 * megabytesSent)
  const promises: [isKept: boolean, failure: string][] = [
    [cost.users === users, `the slow client received ${cost.users} users, expected ${users}`],
    [
      cost.peakGrowthMegabytes < limit,
      `memory grew by ${cost.peakGrowthMegabytes} MB during a response of ${megabytesSent} MB`,
    ],
    [
      cost.finalGrowthMegabytes < limit,
      `memory grew by ${cost.finalGrowthMegabytes} MB after ${ABORTED} aborted responses of ${megabytesSent} MB`,
    ],
    [
      others.slowestMs < pauseMs,
      `a request took ${round(others.slowestMs)} ms during a pause of ${pauseMs} ms: it waited for the slow client`,
    ],
    [
      othersDuringCurl.slowestMs < curlMs / 3,
      `a request took ${round(othersDuringCurl.slowestMs)} ms of the ${round(curlMs)} ms that curl needed for the list: it waited for the list`,
    ],
  ]
  return promises.filter(([isKept]) => !isKept).map(([, failure]) => failure)
}

export function measureSlowReader(users: number, pauseMs: number): Promise<Cost> {
  return withScope(async (scope) => {
    const database = await startDatabase(scope, 'sqlite')
    // About 450 bytes per user, 45 MB for 100,000: a service that holds all of them in memory is noticed.
    await seed(database.url.slice('sqlite:'.length), users, {
      describe: (n) => ({
        name: `Person ${n} ${'of many names '.repeat(6)}`,
        email: `${n}.${'long'.repeat(55)}@example.com`,
      }),
      hasRelations: false,
    })
    const service = await startService(scope, { DATABASE_URL: database.url })
    const { url } = service
    // Warm up, so that the memory of the first requests is not attributed to the slow client.
    for (let n = 0; n < 20; n += 1) await (await fetch(`${url}/users?limit=1000`)).text()
    const memory = watchMemory(service.process.pid)
    scope.defer(memory.stop)

    const readingSlowly = readSlowly(portOf(service), pauseMs)
    const others = await repeatRequests(
      url,
      [
        { method: 'POST', path: '/teams', body: { name: 'Engineering' } },
        { method: 'GET', path: '/users?limit=1' },
      ],
      { until: readingSlowly, intervalMs: 50 },
    )
    const body = await readingSlowly
    const peakGrowthMegabytes = round(memory.peak() - memory.start)

    for (let n = 0; n < ABORTED; n += 1) await abortRead(portOf(service))
    await pause(500)
    const finalGrowthMegabytes = round(residentMegabytes(service.process.pid) - memory.start)

    const curlStarted = performance.now()
    let curlMs = 0
    const curl = readWithCurl(url).then(() => {
      curlMs = performance.now() - curlStarted
    })
    const health: HttpRequest = { method: 'GET', path: '/healthz' }
    const othersDuringCurl = await repeatRequests(url, [health], { until: curl, intervalMs: 0 })
    await curl
    return {
      ...{ megabytesSent: round(body.length / 1e6), peakGrowthMegabytes, finalGrowthMegabytes, pauseMs },
      ...{ others, othersDuringCurl, curlMs, users: JSON.parse(body).length },
    }
  })
}

/** Reads the whole list; pauses after the first megabyte. */
async function readSlowly(port: number, pauseMs: number): Promise<string> {
  const socket = connect(port, '127.0.0.1')
  socket.write('GET /users HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n')
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of socket) {
    chunks.push(chunk)
    // A socket buffers at most 64 KiB, so a client that does not ask for the next chunk stops reading.
    if (size < 1e6 && size + chunk.length >= 1e6) await pause(pauseMs)
    size += chunk.length
  }
  return decodeChunked(Buffer.concat(chunks))
}

/** The body of a response with chunked transfer coding (RFC 9112, section 7.1). */
function decodeChunked(response: Buffer): string {
  const body: Buffer[] = []
  let at = response.indexOf('\r\n\r\n') + 4
  for (;;) {
    const end = response.indexOf('\r\n', at)
    const size = Number.parseInt(response.toString('latin1', at, end), 16)
    if (!(size > 0)) return Buffer.concat(body).toString()
    body.push(response.subarray(end + 2, end + 2 + size))
    at = end + 2 + size + 2
  }
}

/** Requests the list and closes the connection at the first byte of the response. */
async function abortRead(port: number): Promise<void> {
  const socket = connect(port, '127.0.0.1')
  socket.write('GET /users HTTP/1.1\r\nHost: localhost\r\n\r\n')
  await once(socket, 'data')
  socket.destroy()
}

/** Sends requests one after the other until a promise settles. */
async function repeatRequests(
  url: string,
  requests: readonly HttpRequest[],
  { until, intervalMs }: { until: Promise<unknown>; intervalMs: number },
): Promise<Latencies> {
  let isDone = false
  const markDone = () => {
    isDone = true
  }
  until.then(markDone, markDone)
  const agent = new Agent({ keepAlive: true })
  let count = 0
  let slowestMs = 0
  while (!isDone) {
    for (const request of requests) {
      const exchange = await send(agent, url, request)
      if (!['200', '201'].includes(outcomeOf(exchange)))
        throw new Error(`${request.method} ${request.path} got ${outcomeOf(exchange)}`)
      count += 1
      slowestMs = Math.max(slowestMs, exchange.ms)
    }
    await pause(intervalMs)
  }
  agent.destroy()
  return { count, slowestMs }
}

/** In a separate process, so that this process is free to send other requests. */
async function readWithCurl(url: string): Promise<void> {
  const curl = spawn('curl', ['--silent', '--output', '/dev/null', `${url}/users`])
  const [code] = await once(curl, 'close')
  if (code !== 0) throw new Error(`curl exited with ${code}`)
}
