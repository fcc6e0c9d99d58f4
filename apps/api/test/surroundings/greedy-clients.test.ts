import type { TestDatabase } from 'testkit/engines.ts'
import { openSocket } from 'testkit/raw-http.ts'
import { scrape } from 'testkit/scrape.ts'
import { startServiceForTest } from 'testkit/service-process.ts'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { populatedDatabase } from '../support/http-fixture.ts'

/**
 * Bytes of responses that the service may create for a client that reads nothing: the buffers of two sockets hold some.
 * Memory in use depends on when garbage is collected, so on the load of the machine; the number of responses does not.
 */
const UNREAD_LIMIT = 100e6

/** A database with 20,000 users: `GET /users` is a response of 8 MB. */
let users: TestDatabase
beforeAll(async () => {
  users = await populatedDatabase('sqlite-file', 20_000)
})
afterAll(() => users.drop())

async function startWithUsers(env: Record<string, string> = {}) {
  const service = await startServiceForTest({ DATABASE_URL: users.url, METRICS_PORT: '0', ...env })
  return { service, port: Number(new URL(service.url).port) }
}

/** Requests a path one after another, each on a new connection, and returns the statuses. */
async function statusesOf(url: string, count: number): Promise<number[]> {
  const statuses: number[] = []
  for (let n = 0; n < count; n += 1)
    statuses.push((await fetch(url, { headers: { connection: 'close' } })).status)
  return statuses
}

test.for([
  ['a list of all users', '/users'],
  ['the files of the documentation', '/docs/swagger-ui-dist/swagger-ui-bundle.js'],
  ['pages of users', '/users?limit=1000'],
] as const)(
  'a client that pipelines 1,000 requests for %s and reads nothing neither takes the service away from others nor makes it create the responses',
  async ([, path]) => {
    const { service, port } = await startWithUsers()
    const { byteLength } = await (await fetch(service.url + path)).arrayBuffer()
    const greedy = await openSocket(port)
    greedy.pause()
    onTestFinished(() => void greedy.destroy())
    greedy.write(`GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`.repeat(1000))
    // The service responds to health checks in between, so the greedy requests have arrived after a few of them.
    expect(await statusesOf(`${service.url}/readyz`, 30)).toEqual(Array.from({ length: 30 }, () => 200))
    expect(await statusesOf(`${service.url}/teams`, 30)).toEqual(Array.from({ length: 30 }, () => 200))
    const { sum } = await scrape(service)
    const started = sum('http_request_duration_seconds_count') - 61 // the others, and the one for its size
    expect(started).toBeGreaterThan(0)
    expect(started * byteLength, `${started} responses`).toBeLessThan(UNREAD_LIMIT)
    console.log(`${path}: ${started} responses of ${byteLength} bytes, 60 of 60 other requests 200`)
  },
)
