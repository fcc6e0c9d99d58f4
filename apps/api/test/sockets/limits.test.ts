import { once } from 'node:events'
import {
  openSocket,
  readUntilClosed,
  sendRaw,
  statusesIn,
} from 'testkit/sockets.ts'
import { afterEach, describe, expect, onTestFinished, test } from 'vitest'
import type { ServerLimits } from '../../src/server/serve.ts'
import {
  type ListeningService,
  listen,
  pausedReads,
} from '../support/listen.ts'

const GET = 'GET /healthz HTTP/1.1\r\nHost: x\r\n'
const CLOSING = `${GET}Connection: close\r\n\r\n`
const NEVER = 600_000
const UNAVAILABLE =
  /^HTTP\/1\.1 503 .*\r\nretry-after: 1\r\n.*\r\n\r\n\{"detail":"Service Unavailable"\}$/is

let service: ListeningService
const listenWith = async (limits: Partial<ServerLimits>) => {
  service = await listen('a', { limits })
  return service.port
}
afterEach(() => service.close())

async function listenWithPausedReads(limits: Partial<ServerLimits>) {
  const { options, ...paused } = pausedReads()
  service = await listen('a', { limits, options })
  return { port: service.port, ...paused }
}

describe('headers', () => {
  test('with more bytes than allowed receive 431, as a longer path does, with fewer they do not', async () => {
    const port = await listenWith({})
    const padded = (size: number) =>
      `${GET}X-Padding: ${'x'.repeat(size)}\r\nConnection: close\r\n\r\n`
    expect(statusesIn(await sendRaw(port, padded(17_000)))).toEqual([431])
    expect(statusesIn(await sendRaw(port, padded(16_000)))).toEqual([200])
    const path = (size: number) =>
      CLOSING.replace('/healthz', `/users/${'x'.repeat(size)}`)
    expect(statusesIn(await sendRaw(port, path(17_000)))).toEqual([431])
    expect(statusesIn(await sendRaw(port, path(16_000)))).toEqual([422])
  })

  test('are all read, whatever their number', async () => {
    const port = await listenWith({})
    const received = await sendRaw(
      port,
      `${GET}${'a:\r\n'.repeat(3000)}X-Request-Id: last\r\nConnection: close\r\n\r\n`,
    )
    expect(received).toMatch(/^x-request-id: last$/im)
  })
})

describe('a slow client', () => {
  test.each([
    ['after the timeout', 300],
    ['after 10 s at most', NEVER],
  ] as const)(
    'that trickles its headers receives 408 %s: a header does not extend it',
    async (_, requestMs) => {
      const port = await listenWith({ requestMs })
      const socket = await openSocket(port)
      socket.write(GET)
      const trickle = setInterval(() => socket.write('A: b\r\n'), 20)
      expect(statusesIn(await readUntilClosed(socket))).toEqual([408])
      clearInterval(trickle)
    },
  )

  test.each([
    ['nothing', ''],
    [
      'a part of its body',
      'POST /teams HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\n{',
    ],
  ])(
    'that sends %s receives 408 after the time for a request, even if a response has less',
    async (_, bytes) => {
      const port = await listenWith({ requestMs: 600, responseMs: 100 })
      expect(statusesIn(await sendRaw(port, bytes))).toEqual([408])
    },
  )

  test('that does not read its response is disconnected', async () => {
    const port = await listenWith({ responseMs: 300 })
    const socket = await openSocket(port)
    socket.pause()
    // Sends 28 MB, more than the buffers of both sockets hold.
    socket.write(
      'GET /docs/swagger-ui-dist/swagger-ui-bundle.js HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(
        20,
      ),
    )
    await expect
      .poll(async () => (await service.get('/healthz')).status)
      .toBe(200)
    await expect.poll(() => service.connections()).toBeLessThan(2)
    socket.destroy()
  })
})

describe('connections', () => {
  test('above the limit close the one that has been idle for the longest time', async () => {
    const port = await listenWith({ connections: 2 })
    const oldest = await openSocket(port)
    const closed = readUntilClosed(oldest)
    const newer = await openSocket(port)
    await expect.poll(() => service.connections()).toBe(2)
    expect(statusesIn(await sendRaw(port, CLOSING))).toEqual([200])
    expect(await closed).toBe('')
    newer.write(CLOSING)
    expect(statusesIn(await readUntilClosed(newer))).toEqual([200])
  })

  test('above the limit are 16 more for health checks while all are in use', async () => {
    const { port, release, waiting } = await listenWithPausedReads({
      connections: 2,
    })
    const held = []
    for (let n = 1; n <= 18; n += 1) {
      if (n > 2) expect(statusesIn(await sendRaw(port, CLOSING))).toEqual([200])
      held.push(
        sendRaw(
          port,
          CLOSING.replace('/healthz', n > 2 ? '/readyz' : '/teams'),
        ),
      )
      await expect.poll(waiting).toBe(n)
    }
    expect(await sendRaw(port, CLOSING)).toBe('')
    release()
    expect((await Promise.all(held)).flatMap(statusesIn)).toEqual(
      held.map(() => 200),
    )
  })

  test('whose request has a body that no handler reads are in use, too', async () => {
    const { port, release, waiting } = await listenWithPausedReads({
      connections: 2,
    })
    const withBody = CLOSING.replace('/healthz', '/teams').replace(
      '\r\n\r\n',
      '\r\nContent-Length: 2\r\n\r\n{}',
    )
    const held = [sendRaw(port, withBody), sendRaw(port, withBody)]
    await expect.poll(waiting).toBe(2)
    expect(statusesIn(await sendRaw(port, CLOSING))).toEqual([200])
    release()
    expect((await Promise.all(held)).map(statusesIn)).toEqual([[200], [200]])
  })

  test('that have been used lately stay open when others are closed', async () => {
    const port = await listenWith({ connections: 2 })
    const used = await openSocket(port)
    const idle = await openSocket(port)
    const received = readUntilClosed(used)
    used.write(`${GET}\r\n`)
    await expect
      .poll(() => service.logLines.filter((line) => line.includes('/healthz')))
      .toHaveLength(1)
    const closed = readUntilClosed(idle)
    const third = await openSocket(port)
    expect(await closed).toBe('')
    third.destroy()
    used.write(CLOSING)
    expect(statusesIn(await received)).toEqual([200, 200])
  })

  test('that have all been used are closed when they are idle', async () => {
    const port = await listenWith({ connections: 2, idleMs: NEVER })
    const sockets = [await openSocket(port), await openSocket(port)]
    const closed = sockets.map((socket) => readUntilClosed(socket))
    for (const socket of sockets) {
      socket.write(`${GET}\r\n`)
      await once(socket, 'data')
    }
    sockets.push(await openSocket(port))
    await expect.poll(() => service.connections()).toBe(2)
    expect(statusesIn((await closed[0]) ?? '')).toEqual([200])
    for (const socket of sockets) socket.destroy()
  })

  test('that are idle are closed after the idle timeout', async () => {
    const port = await listenWith({ idleMs: 1000 })
    // Shows that Node's own idle timeout of 5 s does not apply.
    expect(await sendRaw(port, `${GET}\r\n`)).toMatch(
      /^HTTP\/1\.1 200 .*\r\nKeep-Alive: timeout=1\r\n/s,
    )
  })
})

describe('requests', () => {
  test('above the limit get 503 with Retry-After, and health checks a response', async () => {
    const { port, release, waiting } = await listenWithPausedReads({
      connections: 3,
    })
    // Requests whose bodies end after their responses neither occupy nor free a
    // slot.
    for (let n = 0; n < 3; n += 1) {
      const early = await openSocket(port)
      early.write(
        'POST /teams HTTP/1.1\r\nHost: x\r\nContent-Encoding: gzip\r\nTransfer-Encoding: chunked\r\n\r\n',
      )
      await once(early, 'data')
      early.write('0\r\n\r\n')
      await once(early, 'close')
    }
    const read = 'GET /teams HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n'
    const held = [1, 2, 3].map(() => sendRaw(port, read))
    await expect.poll(waiting).toBe(3)
    expect(await sendRaw(port, read)).toMatch(UNAVAILABLE)
    expect(service.rejections).toMatchObject({ requests: 1 })
    for (const check of [
      CLOSING,
      CLOSING.replace('/healthz', '/healthz?from=balancer'),
    ])
      expect(statusesIn(await sendRaw(port, check))).toEqual([200])
    release()
    expect(
      (await Promise.all(held)).map((text) => statusesIn(text)[0]),
    ).toEqual([200, 200, 200])
    expect(statusesIn(await sendRaw(port, read))).toEqual([200])
  })

  test('pipelined on one connection are processed one after another, and occupy one slot', async () => {
    const { port, release, waiting } = await listenWithPausedReads({
      connections: 2,
    })
    const read = 'GET /teams HTTP/1.1\r\nHost: x\r\n'
    const many = sendRaw(
      port,
      `${`${read}\r\n`.repeat(99)}${read}Connection: close\r\n\r\n`,
    )
    await expect.poll(waiting).toBe(1)
    const other = sendRaw(port, `${read}Connection: close\r\n\r\n`)
    await expect.poll(waiting).toBe(2)
    release()
    expect(statusesIn(await other)).toEqual([200])
    expect(statusesIn(await many)).toEqual(
      Array.from({ length: 100 }, () => 200),
    )
  })

  test('pipelined on one connection are at most 1,000, or it is closed', async () => {
    const { port, release, waiting } = await listenWithPausedReads({})
    const last = 'GET /teams HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n'
    const send = (count: number) =>
      sendRaw(
        port,
        'GET /teams HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(count - 1) + last,
      )
    const most = send(1000)
    await expect.poll(waiting).toBe(1)
    expect(await send(1001)).toBe('')
    release()
    expect(statusesIn(await most)).toHaveLength(1000)
  })

  test('pipelined after one with Connection: close are ignored', async () => {
    const port = await listenWith({})
    for (const first of ['/healthz', '/teams', '/users/x']) {
      const received = await sendRaw(
        port,
        `GET ${first} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n${GET}\r\n`,
      )
      expect(statusesIn(received), first).toEqual([
        first === '/users/x' ? 422 : 200,
      ])
    }
  })

  test('pipelined on a connection that the client has closed do not run', async () => {
    const { port, release, waiting } = await listenWithPausedReads({})
    const socket = await openSocket(port)
    socket.write('GET /teams HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(5))
    await expect.poll(waiting).toBe(1)
    socket.destroy()
    await expect.poll(() => service.connections()).toBe(0)
    release()
    expect((await service.get('/teams')).status).toBe(200)
    expect(waiting()).toBe(2)
  })

  test('that take too long receive 503 with Retry-After, and their late response is discarded', async () => {
    const { port, release } = await listenWithPausedReads({ responseMs: 200 })
    expect(
      await sendRaw(port, 'GET /teams HTTP/1.1\r\nHost: x\r\n\r\n'),
    ).toMatch(UNAVAILABLE)
    expect(
      await sendRaw(port, 'HEAD /teams?limit=1 HTTP/1.1\r\nHost: x\r\n\r\n'),
    ).toMatch(/^HTTP\/1.1 503 .*\r\n\r\n$/s)
    release()
    expect((await service.get('/teams')).status).toBe(200)
  })

  test.each([
    ['still run after the time to stop are aborted', { stopMs: 0 }, false, []],
    [
      'end in the time to stop close their connection',
      { stopMs: NEVER, idleMs: NEVER },
      true,
      [200],
    ],
  ] as const)('that %s', async (_, limits, isReleased, statuses) => {
    const { port, release, waiting } = await listenWithPausedReads(limits)
    const received = sendRaw(port, 'GET /teams HTTP/1.1\r\nHost: x\r\n\r\n')
    await expect.poll(waiting).toBe(1)
    const closed = service.close()
    await expect
      .poll(() => fetch(service.url).catch(() => 'not listening'))
      .toBe('not listening')
    if (isReleased) release()
    expect(statusesIn(await received)).toEqual(statuses)
    release()
    await closed
    await listenWith({}) // starts a service again, which `afterEach` closes
  })

  test('that are pipelined have a time limit each', async () => {
    const { port, release } = await listenWithPausedReads({ responseMs: 200 })
    const received = await sendRaw(
      port,
      `${GET}\r\nGET /teams HTTP/1.1\r\nHost: x\r\n\r\n`,
    )
    expect(statusesIn(received)).toEqual([200, 503])
    release()
  })
})

test('HEAD requests of lists, pipelined on every connection, read nothing and leave slots to other clients', async () => {
  const { port, release, waiting } = await listenWithPausedReads({
    connections: 20,
    responseMs: 1000,
  })
  onTestFinished(() => release())
  const head = 'HEAD /teams HTTP/1.1\r\nHost: x\r\n'
  const pipelined = `${`${head}\r\n`.repeat(49)}${head}Connection: close\r\n\r\n`
  const all = await Promise.all(
    Array.from({ length: 20 }, () => sendRaw(port, pipelined)),
  )
  for (const received of all)
    expect(statusesIn(received)).toEqual(Array.from({ length: 50 }, () => 200))
  expect(waiting()).toBe(0)
})
