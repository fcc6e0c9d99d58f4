import { afterEach, describe, expect, test } from 'vitest'
import type { Measurement, ProfileSettings } from '../src/http/profile.ts'
import { profileA } from '../src/profile-a/index.ts'
import type { ServerLimits } from '../src/server/serve.ts'
import { openSocket, receivedOn, sendRaw, statusesIn } from './support/raw.ts'
import { type Listening, listen } from './support/server.ts'

const GET = 'GET /healthz HTTP/1.1\r\nHost: x\r\n'
const CLOSING = `${GET}Connection: close\r\n\r\n`
const UNAVAILABLE = /^HTTP\/1\.1 503 .*\r\nretry-after: 1\r\n.*\r\n\r\n\{"detail":"Service Unavailable"\}$/is

let service: Listening
const serving = async (limits: Partial<ServerLimits>, options = {}) => {
  service = await listen('a', () => options, limits)
  return service.port
}
afterEach(() => service.close())

/** The service with other limits for passwords. Returns a function that reads its measurements by name. */
async function servingHashes(hashing: ProfileSettings['hashing']) {
  let measurements: readonly Measurement[] = []
  service = await listen('a', (db) => {
    const created = profileA.createService(db, { hashing })
    measurements = created.measurements ?? []
    return { service: created }
  })
  return () => Object.fromEntries(measurements.map(({ name, read }) => [name, read()]))
}

/** The service with a database that answers reads when told to. */
async function servingHeld(limits: Partial<ServerLimits>) {
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  let waiting = 0
  service = await listen(
    'a',
    (db) => ({
      db: {
        ...db,
        async execute(...query) {
          waiting += 1
          await released
          return db.execute(...query)
        },
      },
    }),
    limits,
  )
  return { port: service.port, release, waiting: () => waiting }
}

describe('headers', () => {
  test('of more bytes than allowed get 431, of fewer an answer', async () => {
    const port = await serving({ headerBytes: 2048 })
    const padded = (size: number) => `${GET}X-Padding: ${'x'.repeat(size)}\r\nConnection: close\r\n\r\n`
    expect(statusesIn(await sendRaw(port, padded(2100)))).toEqual([431])
    expect(statusesIn(await sendRaw(port, padded(1800)))).toEqual([200])
  })

  test('of a larger number than allowed get 431, of a smaller an answer', async () => {
    const port = await serving({ headers: 20 })
    const many = (count: number) => `${GET}Connection: close\r\n${'A: b\r\n'.repeat(count)}\r\n`
    expect(statusesIn(await sendRaw(port, many(19)))).toEqual([431])
    expect(statusesIn(await sendRaw(port, many(18)))).toEqual([200])
  })
})

describe('a slow client', () => {
  test('that does not end its headers gets 408', async () => {
    const port = await serving({ headersMs: 200 })
    expect(statusesIn(await sendRaw(port, GET))).toEqual([408])
  })

  test('that says nothing at all is let go', async () => {
    const port = await serving({ headersMs: 200 })
    expect(statusesIn(await sendRaw(port, ''))).not.toContain(200)
  })

  test('that trickles its headers is not given more time for each of them', async () => {
    const port = await serving({ headersMs: 300 })
    const socket = await openSocket(port)
    socket.write(GET)
    const trickle = setInterval(() => socket.write('A: b\r\n'), 20)
    expect(statusesIn(await receivedOn(socket))).toEqual([408])
    clearInterval(trickle)
  })

  test('that does not end its body gets 408', async () => {
    const port = await serving({ requestMs: 200 })
    const head =
      'POST /teams HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 15\r\n\r\n'
    expect(statusesIn(await sendRaw(port, `${head}{"name`))).toEqual([408])
  })

  test('that does not take its answer is let go', async () => {
    const port = await serving({ responseMs: 300 })
    const socket = await openSocket(port)
    socket.pause()
    // More than the buffers of both ends hold.
    socket.write('GET /docs/swagger-ui-dist/swagger-ui-bundle.js HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(20))
    await expect.poll(async () => (await service.get('/healthz')).status).toBe(200)
    await expect.poll(() => service.connections(), { timeout: 5000 }).toBeLessThan(2)
    socket.destroy()
  })
})

describe('connections', () => {
  test('above the limit close the one that has been idle for the longest time', async () => {
    const port = await serving({ connections: 2 })
    const oldest = await openSocket(port)
    const closed = receivedOn(oldest)
    const newer = await openSocket(port)
    await expect.poll(() => service.connections()).toBe(2)
    expect(statusesIn(await sendRaw(port, CLOSING))).toEqual([200])
    expect(await closed).toBe('')
    newer.write(CLOSING)
    expect(statusesIn(await receivedOn(newer))).toEqual([200])
  })

  test('that have been used lately stay open when others are closed', async () => {
    const port = await serving({ connections: 2 })
    const used = await openSocket(port)
    const idle = await openSocket(port)
    const received = receivedOn(used)
    used.write(`${GET}\r\n`)
    await expect.poll(() => service.logLines.filter((line) => line.includes('/healthz'))).toHaveLength(1)
    const closed = receivedOn(idle)
    const third = await openSocket(port)
    expect(await closed).toBe('')
    third.destroy()
    used.write(CLOSING)
    expect(statusesIn(await received)).toEqual([200, 200])
  })

  test('that are idle are closed after the time for it', async () => {
    const port = await serving({ idleMs: 100 })
    expect(statusesIn(await sendRaw(port, `${GET}\r\n`))).toEqual([200])
  })

  test('are closed after the limit of requests, and requests pipelined after the last one do not run', async () => {
    const port = await serving({ requestsPerConnection: 2 })
    const team = '{"name":"hidden"}'
    const post = `POST /teams HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: ${team.length}\r\n\r\n${team}`
    const received = await sendRaw(port, `${GET}\r\n${GET}\r\n${post}`)
    expect(statusesIn(received)).toEqual([200, 200])
    expect(received.split('HTTP/1.1 ')[2]).toMatch(/^Connection: close/im)
    expect((await service.get('/teams')).json).toEqual([])
  })
})

describe('requests', () => {
  test('above the limit get 503 with Retry-After, and health checks a response', async () => {
    const { port, release, waiting } = await servingHeld({ requests: 3 })
    const read = 'GET /teams HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n'
    const held = [1, 2, 3].map(() => sendRaw(port, read))
    await expect.poll(waiting).toBe(3)
    expect(await sendRaw(port, read)).toMatch(UNAVAILABLE)
    expect(statusesIn(await sendRaw(port, CLOSING))).toEqual([200])
    release()
    expect((await Promise.all(held)).map((text) => statusesIn(text)[0])).toEqual([200, 200, 200])
    expect(statusesIn(await sendRaw(port, read))).toEqual([200])
  })

  test('pipelined on one connection are processed one after another, and occupy one slot', async () => {
    const { port, release, waiting } = await servingHeld({ requests: 2 })
    const read = 'GET /teams HTTP/1.1\r\nHost: x\r\n'
    const many = sendRaw(port, `${`${read}\r\n`.repeat(99)}${read}Connection: close\r\n\r\n`)
    await expect.poll(waiting).toBe(1)
    const other = sendRaw(port, `${read}Connection: close\r\n\r\n`)
    await expect.poll(waiting).toBe(2)
    release()
    expect(statusesIn(await other)).toEqual([200])
    expect(statusesIn(await many)).toEqual(Array.from({ length: 100 }, () => 200))
  })

  test('pipelined in thousands without reading a response close the connection', async () => {
    const port = await serving({})
    const socket = await openSocket(port)
    const closed = receivedOn(socket)
    socket.pause()
    socket.write('GET /docs/swagger-ui-dist/swagger-ui-bundle.js HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(5000))
    await expect
      .poll(() => service.logLines.filter((line) => line.includes('requests rejected')))
      .toHaveLength(1)
    socket.resume()
    await closed
  })

  test('that take too long get 503 with Retry-After, and what they would have answered goes nowhere', async () => {
    const { port, release } = await servingHeld({ responseMs: 200 })
    expect(await sendRaw(port, 'GET /teams HTTP/1.1\r\nHost: x\r\n\r\n')).toMatch(UNAVAILABLE)
    release()
    expect((await service.get('/teams')).status).toBe(200)
  })

  test('with a body larger than 1 MiB get 413 before it is read', async () => {
    const port = await serving({})
    const head = 'POST /teams HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: 1048577\r\n\r\n'
    expect(statusesIn(await sendRaw(port, head))).toEqual([413])
  })
})

describe('registrations', () => {
  const user = (n: number) => ({ email: `user-${n}@example.com`, name: 'x', password: 'x' })

  test('that neither run nor may wait get 503 with Retry-After at once, and the others 201', async () => {
    const measured = await servingHashes({ concurrency: 1, queueLimit: 3 })
    const all = Array.from({ length: 20 }, (_, n) => service.post('/users', user(n)))
    const first = await Promise.race(all)
    expect(first).toMatchObject({ status: 503, json: { detail: 'Service Unavailable' } })
    expect(first.headers.get('retry-after')).toBe('1')
    const answers = await Promise.all(all)
    const registered = answers.filter(({ status }) => status === 201).length
    expect(registered).toBeGreaterThanOrEqual(4)
    expect(answers.filter(({ status }) => status === 503)).toHaveLength(20 - registered)
    expect(measured()).toMatchObject({ password_hashes_running: 0, password_hashes_waiting: 0 })
    expect((await service.post('/users', user(20))).status).toBe(201)
    expect((await service.get('/users')).json).toHaveLength(registered + 1)
  })

  test('leave no stack in the log when they are too many', async () => {
    await servingHashes({ concurrency: 1, queueLimit: 0 })
    await Promise.all([0, 1, 2, 3].map((n) => service.post('/users', user(n))))
    expect(service.logLines.filter((line) => line.includes('"status":503')).length).toBeGreaterThan(0)
    expect(service.logLines.filter((line) => line.includes('stack'))).toEqual([])
  })
})
