import { databaseForTest } from 'testkit/engines.ts'
import { watchMemory } from 'testkit/process-stats.ts'
import { openSocket } from 'testkit/raw-http.ts'
import { startServiceForTest } from 'testkit/service-process.ts'
import { expect, onTestFinished, test } from 'vitest'
import { PROFILES } from '../../src/composition/variables.ts'
import { openDatabase } from '../../src/database/open.ts'
import { databaseAt } from '../support/database.ts'
import { populate } from '../support/population.ts'

/** Peak memory that the service may use for one greedy client, in MB. One client once took 1,850; 300 are not enough on a busy machine. */
const MEMORY_LIMIT = 600

/** Starts the service with 20,000 users: `GET /users` is a response of 8 MB. */
async function startWithUsers(env: Record<string, string> = {}) {
  const url = await databaseForTest('sqlite-file')
  const db = await openDatabase(databaseAt(url), PROFILES.a.migrations)
  await populate(db, 20_000)
  await db.close()
  const service = await startServiceForTest({ DATABASE_URL: url, ...env })
  const memory = watchMemory(service.process.pid)
  onTestFinished(memory.stop)
  return { service, port: Number(new URL(service.url).port), memory }
}

/** Requests a path one after another, each on a new connection, and returns the statuses. */
async function statusesOf(url: string, count: number): Promise<number[]> {
  const statuses: number[] = []
  for (let n = 0; n < count; n += 1)
    statuses.push((await fetch(url, { headers: { connection: 'close' } })).status)
  return statuses
}

test.for([
  ['a list of all users', 'GET /users'],
  ['the files of the documentation', 'GET /docs/swagger-ui-dist/swagger-ui-bundle.js'],
  ['pages of users', 'GET /users?limit=1000'],
] as const)(
  'a client that pipelines 1,000 requests for %s and reads nothing neither takes the service away from others nor fills its memory',
  async ([, request]) => {
    const { service, port, memory } = await startWithUsers()
    const greedy = await openSocket(port)
    greedy.pause()
    onTestFinished(() => void greedy.destroy())
    greedy.write(`${request} HTTP/1.1\r\nHost: x\r\n\r\n`.repeat(1000))
    // The service answers health checks in between, so the greedy requests have arrived after a few of them.
    expect(await statusesOf(`${service.url}/readyz`, 30)).toEqual(Array.from({ length: 30 }, () => 200))
    expect(await statusesOf(`${service.url}/users?limit=10`, 30)).toEqual(
      Array.from({ length: 30 }, () => 200),
    )
    expect(memory.peak()).toBeLessThan(MEMORY_LIMIT)
    console.log(`${request}: peak ${Math.round(memory.peak())} MB, 60 of 60 other requests 200`)
  },
)

test('a thousand connections that send nothing, or their headers byte by byte, do not keep health checks from a response', async () => {
  const { service, port } = await startWithUsers({ MAX_CONNECTIONS: '200' })
  const sockets = await Promise.all(Array.from({ length: 1000 }, () => openSocket(port)))
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy()
  })
  for (const socket of sockets.slice(500)) socket.write('GET /teams HTTP/1.1\r\nHost: x\r\nA: ')
  expect(await statusesOf(`${service.url}/healthz`, 20)).toEqual(Array.from({ length: 20 }, () => 200))
  expect(await statusesOf(`${service.url}/readyz`, 20)).toEqual(Array.from({ length: 20 }, () => 200))
  const rejected = service.logLines.filter((line) => line.includes('requests rejected'))
  expect(rejected.length).toBeGreaterThan(0)
  expect(rejected.length).toBeLessThan(30) // one line per second, not one per connection
})
