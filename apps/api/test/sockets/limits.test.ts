import { once } from 'node:events'
import { openSocket, sendRaw, statusesIn } from 'testkit/sockets.ts'
import { beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import type { ServerLimits } from '../../src/server/serve.ts'
import { listen, listenForTest, logOf, pausedReads } from '../support/listen.ts'
import {
  CLOSE,
  GET,
  open,
  request,
  statusesAfterPause,
  statusesOf,
  stopClock,
} from './bytes.ts'

const CHECK = GET('/healthz', CLOSE)
const READ = GET('/teams', CLOSE)
const NEVER = 600_000
const UNAVAILABLE =
  /HTTP\/1\.1 503 [^{]*\r\nretry-after: 1\r\n[^{]*\r\n\r\n\{"detail":"Service Unavailable"\}$/i

async function start(limits: Partial<ServerLimits> = {}) {
  const observed: unknown[] = []
  const { options, ...paused } = pausedReads()
  const service = await listenForTest('a', {
    limits,
    options: (database) => ({
      ...options(database),
      observers: [(request: unknown) => observed.push(request)],
    }),
  })
  onTestFinished(() => paused.release())
  return { ...service, ...paused, observed }
}

let statusesOfTrickle: Promise<number[]>
beforeAll(async () => {
  const { port, close } = await listen('a', { limits: { requestMs: NEVER } })
  const { socket, statuses } = await open(port, 'GET / HTTP/1.1\r\n')
  const trickle = setInterval(() => socket.write('A: b\r\n'), 20)
  statusesOfTrickle = statuses
  return () => {
    clearInterval(trickle)
    return close()
  }
})

test('headers of 16 kB are all read, whatever their number', async () => {
  const headers = `${'a:\r\n'.repeat(3900)}X-Request-Id: last\r\n${CLOSE}`
  const { port } = await start()
  expect(await sendRaw(port, GET('/healthz', headers))).toMatch(
    /^HTTP\/1\.1 200 .*^x-request-id: last$/ims,
  )
})

describe('a slow client', () => {
  test.each([
    ['nothing', '', []],
    [
      'a part of its body',
      request('POST /teams', 'Content-Length: 2\r\n'),
      [{ msg: 'request aborted', method: 'POST', route: '/teams' }],
    ],
  ])(
    'that sends %s receives 408 after the time for a request, and is logged without another status',
    async (_, bytes, lines) => {
      const limits = { requestMs: 300, responseMs: 50 }
      const service = await start(limits)
      expect(await statusesOf(service.port, bytes)).toEqual([408])
      const logged = () => logOf(service)
      const rejected = { msg: 'request rejected', reason: 'slow_request' }
      await expect.poll(logged).toMatchObject([rejected, ...lines])
      for (const line of logged()) expect(line).not.toHaveProperty('status')
      expect(service.observed).toEqual([])
    },
    // A time limit of 25 s fails the test if the service keeps Node's default,
    // which looks for slow requests only every 30 s.
    25_000,
  )
})

describe('connections', () => {
  test('above the limit are 16 more for health checks while all are in use', async () => {
    stopClock()
    const { port, release, running, waiting } = await start({ connections: 2 })
    const check = () => statusesOf(port, CHECK)
    const withBody = `${GET('/teams', `${CLOSE}Content-Length: 2\r\n`)}{}`
    const held = []
    for (let n = 1; n <= 18; n += 1) {
      if (n > 2) expect(await check()).toEqual([200])
      if (n > 2 && n < 18)
        expect(await statusesAfterPause(port, CHECK, check)).toEqual([200])
      held.push(statusesOf(port, n > 2 ? GET('/readyz', CLOSE) : withBody))
      await expect.poll(running).toBe(n)
    }
    expect(await sendRaw(port, CHECK)).toBe('')
    expect(waiting(), 'two lists and one query of all checks').toBe(3)
    release()
    expect((await Promise.all(held)).flat()).toEqual(held.map(() => 200))
  })

  test('of sixteen clients that pause before a health check are kept while all are in use, and of more the newest', async () => {
    stopClock()
    const { port, release, running } = await start({ connections: 2 })
    const held = [1, 2].map(() => statusesOf(port, READ))
    await expect.poll(running).toBe(2)
    const clients = []
    for (let n = 0; n < 20; n += 1) clients.push(await open(port))
    for (const { received } of clients.splice(0, 4))
      expect(await received).toBe('')
    for (const { socket } of clients) socket.write(CHECK)
    for (const { statuses } of clients) expect(await statuses).toEqual([200])
    release()
    await Promise.all(held)
  })

  test('above the limit close the one that has been idle for the longest time', async () => {
    stopClock()
    const { port, connections } = await start({ connections: 2, idleMs: NEVER })
    const used = await open(port)
    const idle = await open(port)
    vi.advanceTimersByTime(1000)
    used.socket.write(GET('/healthz'))
    await once(used.socket, 'data')
    const more = [await openSocket(port)]
    expect(await idle.received).toBe('')
    expect(connections()).toBe(2)
    more.push(await openSocket(port))
    await expect.poll(connections).toBe(3)
    vi.advanceTimersByTime(1000)
    more.push(await openSocket(port))
    expect(await used.statuses).toEqual([200])
    for (const socket of more) socket.destroy()
  })

  test('that are idle are closed after the idle timeout', async () => {
    const { port } = await start({ idleMs: 1000 })
    const received = await sendRaw(port, GET('/healthz'))
    expect(received).toContain('Keep-Alive: timeout=1\r\n')
  })
})

describe('requests', () => {
  test('above the limit get 503 with Retry-After, and health checks a response', async () => {
    stopClock()
    const limits = { connections: 2 }
    const { port, release, waiting, rejections } = await start(limits)
    // Sends two bodies that end after their responses. The end of a body must
    // not change the number of running requests.
    for (let n = 0; n < 2; n += 1) {
      const headers = 'Content-Encoding: gzip\r\nTransfer-Encoding: chunked\r\n'
      const early = await open(port, request('POST /teams', headers))
      await once(early.socket, 'data')
      early.socket.write('0\r\n\r\n')
      expect(await early.statuses).toEqual([415])
    }
    const held = [1, 2].map(() => statusesOf(port, READ))
    await expect.poll(waiting).toBe(2)
    expect(await sendRaw(port, READ)).toMatch(UNAVAILABLE)
    expect(rejections).toMatchObject({ requests: 1 })
    const check = GET('/healthz?from=balancer', CLOSE)
    const newcomers = async () => {
      for (let n = 0; n < 20; n += 1)
        expect(await statusesOf(port, READ)).toEqual([503])
    }
    expect(await statusesAfterPause(port, check, newcomers)).toEqual([200])
    release()
    expect((await Promise.all(held)).flat()).toEqual([200, 200])
    expect(await statusesOf(port, READ)).toEqual([200])
  })

  test('pipelined on one connection are processed one after another, and occupy one slot', async () => {
    const { port, release, running } = await start({ connections: 2 })
    const send = (count: number) =>
      statusesOf(port, GET('/teams').repeat(count - 1) + READ)
    const most = send(1000)
    await expect.poll(running).toBe(1)
    expect(await send(1001), 'more than 1,000').toEqual([])
    await expect.poll(running).toBe(1)
    const other = send(1)
    await expect.poll(running).toBe(2)
    release()
    expect(await other).toEqual([200])
    expect(await most).toEqual(Array.from({ length: 1000 }, () => 200))
  })

  test('pipelined on a connection that the client has closed do not run', async () => {
    const { port, release, waiting, connections, get } = await start()
    const socket = await openSocket(port)
    socket.write(GET('/teams').repeat(5))
    await expect.poll(waiting).toBe(1)
    socket.destroy()
    await expect.poll(connections).toBe(0)
    release()
    expect((await get('/teams')).status).toBe(200)
    expect(waiting()).toBe(2)
  })

  test('that take too long receive 503 with Retry-After, and their late response is discarded', async () => {
    const { port, release, get } = await start({ responseMs: 200 })
    const received = await sendRaw(port, GET('/healthz') + GET('/teams'))
    expect(statusesIn(received)).toEqual([200, 503])
    expect(received).toMatch(UNAVAILABLE)
    expect(await sendRaw(port, request('HEAD /teams?limit=1'))).toMatch(
      /^HTTP\/1.1 503 .*\r\n\r\n$/s,
    )
    release()
    expect((await get('/teams')).status).toBe(200)
  })

  test.each([
    ['still run after the time to stop are aborted', { stopMs: 0 }, []],
    [
      'end in the time to stop close their connection',
      { stopMs: NEVER, idleMs: NEVER },
      [200],
    ],
  ])('that %s', async (_, limits, statuses) => {
    const { url, port, release, waiting, close } = await start(limits)
    const received = statusesOf(port, GET('/teams'))
    await expect.poll(waiting).toBe(1)
    const closed = close()
    const connecting = () => fetch(url).catch(() => 'not listening')
    await expect.poll(connecting).toBe('not listening')
    if (statuses.length > 0) release()
    expect(await received).toEqual(statuses)
    await closed
  })
})

test('a client that trickles its headers receives 408 after 10 s at most', async () => {
  expect(await statusesOfTrickle).toEqual([408])
})
