import { once } from 'node:events'
import { get, type IncomingMessage } from 'node:http'
import { sendRaw, statusesIn } from 'testkit/sockets.ts'
import { describe, expect, test } from 'vitest'
import { appOn, listenForTest } from '../support/listen.ts'

async function statusFor(url: string, host: string, path = '/teams') {
  const { hostname, port } = new URL(url)
  const address = hostname.replace(/[[\]]/g, '')
  const request = get({ host: address, port, path, headers: { host } })
  const [response] = (await once(request, 'response')) as [IncomingMessage]
  response.resume()
  return response.statusCode
}

const statusOf = async (port: number, head: string) =>
  statusesIn(
    await sendRaw(port, `${head}\r\nContent-Length: 0\r\n${CLOSE}\r\n`),
  )[0]
const CLOSE = 'Connection: close\r\n'

describe.each([
  '127.0.0.1',
  '127.0.0.2',
  '127.1',
  'localhost',
  'LOCALHOST',
  '::1',
  '0:0:0:0:0:0:0:1',
  '::ffff:127.0.0.1',
  '::ffff:7f00:2',
])('on the loopback address %s', (host) => {
  test('the service accepts the names of this machine only', async () => {
    const { url, port } = await listenForTest('a', { host, allowedHosts: null })
    for (const name of [
      new URL(url).host,
      `localhost:${port}`,
      'LOCALHOST',
      'localhost:',
      '127.0.0.1',
      '127.9.9.9:1',
      '[::1]',
      '[0:0:0:0:0:0:0:1]:1',
      '[::ffff:127.0.0.1]',
    ])
      expect(await statusFor(url, name), name).toBe(200)
    for (const name of [
      'rebound.example.com',
      `rebound.example.com:${port}`,
      'localhost.example.com',
      '127.0.0.1.nip.io',
      '128.0.0.1',
      '[::2]',
      '[::ffff:128.0.0.1]',
    ])
      expect(await statusFor(url, name), name).toBe(421)
  })
})

test('on all addresses the service accepts any name', async () => {
  const service = await listenForTest('a', {
    host: '0.0.0.0',
    allowedHosts: null,
  })
  const url = service.url.replace('0.0.0.0', '127.0.0.1')
  expect(await statusFor(url, 'rebound.example.com')).toBe(200)
})

test('with ALLOWED_HOSTS, health checks are answered whatever the Host, and other requests are not', async () => {
  const allowedHosts = ['x.example.com', 'api.example.com']
  const { url, port } = await listenForTest('a', { allowedHosts })
  for (const host of ['10.244.0.5:3000', '127.0.0.1', '[fd00::5]:3000', 'x']) {
    for (const path of ['/healthz', '/readyz', '/healthz?from=kubelet'])
      expect(await statusFor(url, host, path), `${host}${path}`).toBe(200)
    for (const path of ['/teams', '/docs', '/openapi.json', '/healthz/x'])
      expect(await statusFor(url, host, path), `${host}${path}`).toBe(421)
  }
  expect(
    await statusOf(port, 'GET http://10.0.0.5/readyz HTTP/1.1\r\nHost: x'),
  ).toBe(200)
  for (const host of [
    'API.example.com:443',
    'x.eXAMPLE.com',
    'api.example.Com',
    'api.example.cOM',
    'X.Example.com',
  ])
    expect(await statusFor(url, host), host).toBe(200)
})

test.each([
  ['x:', 200],
  ['X', 200],
  ['[::1]:', 200],
  ['127.0.0.1:', 200],
  ['[0:0:0:0:0:0:0:1]:80', 200],
  ['x:0080', 200],
  ['', 200],
  ['[::A]', 200],
  ['x:65536', 400],
  ['x:y', 400],
  ['x:1:2', 400],
  ['x y', 400],
  ['x/y', 400],
  ['a@x', 400],
  ['x?', 400],
  ['x#', 400],
  ['x, y', 400],
  ['%78', 400],
  ['[::1', 400],
  ['[:::]', 400],
  ['1.2.3.4.5', 400],
])('a request with Host %j receives %d', async (host, status) => {
  const { port, logLines } = await listenForTest('a')
  for (const path of ['/teams', '/openapi.json']) {
    const head = `GET ${path} HTTP/1.1\r\nHost: ${host}`
    expect(await statusOf(port, head), path).toBe(status)
  }
  expect(logLines.map((line) => JSON.parse(line).status)).toEqual([
    status,
    status,
  ])
})

describe('a request target in absolute form', () => {
  const post = (port: number, target: string, host: string, origin?: string) =>
    statusOf(
      port,
      `POST ${target} HTTP/1.1\r\nHost: ${host}${origin ? `\r\nOrigin: ${origin}` : ''}`,
    )
  const EVIL = 'evil.example'

  test('replaces Host for ALLOWED_HOSTS', async () => {
    const { port } = await listenForTest('a', { allowedHosts: null })
    const own = `localhost:${port}`
    expect(await post(port, `http://${own}/teams`, EVIL)).toBe(422)
    expect(await post(port, `http://${EVIL}/teams`, own)).toBe(421)
    expect(await post(port, `HTTP://${EVIL}/teams`, own)).toBe(421)
    expect(await post(port, `http://${EVIL}:80?x`, own)).toBe(421)
  })

  test('replaces Host for the comparison with Origin', async () => {
    const { port } = await listenForTest('a')
    expect(await post(port, 'http://x/teams', EVIL, 'http://x')).toBe(422)
    expect(await post(port, '/teams', 'X:81', 'http://x:81')).toBe(422)
    expect(await post(port, 'http://x/teams', EVIL, `http://${EVIL}`)).toBe(403)
    expect(await post(port, `http://${EVIL}/teams`, 'x', 'http://x')).toBe(403)
  })

  test('replaces Host in the URL of /openapi.json', async () => {
    const { port } = await listenForTest('a')
    const received = await sendRaw(
      port,
      `GET http://x:81/openapi.json HTTP/1.1\r\nHost: y\r\n${CLOSE}\r\n`,
    )
    expect(received).toContain('"url": "http://x:81"')
  })

  test.each(['http://', 'http:///teams', 'http://a@x/teams', 'http://[x]/'])(
    'without a valid host receives 400: %s',
    async (target) => {
      const { port } = await listenForTest('a')
      expect(await post(port, target, 'x')).toBe(400)
    },
  )

  test.each([
    ['GET http://x/teams HTTP/1.1', 400],
    ['GET http://x/teams HTTP/1.1\r\nHost: a b', 400],
    ['GET http://x/teams HTTP/1.0', 200],
  ])('does not replace a missing or invalid Host: %j', async (head, status) => {
    const { port } = await listenForTest('a')
    expect(await statusOf(port, head)).toBe(status)
  })
})

test.each([
  ['http://x', 'x', 422],
  ['http://x', 'X:80', 422],
  ['http://x', 'x:', 422],
  ['https://x', 'x', 422],
  ['https://x', 'x:443', 422],
  ['http://x:8080', 'x:8080', 422],
  ['http://[::1]', '[0:0:0:0:0:0:0:1]', 422],
  ['http://x', 'x:443', 403],
  ['http://x', 'x.y', 403],
  ['http://y.x', 'x', 403],
  ['http://a', 'x:80', 403],
  ['capacitor://x', 'x', 403],
  ['null', 'null', 403],
])(
  'a POST with Origin %s and Host %s receives %d',
  async (origin, host, status) => {
    const { port } = await listenForTest('a')
    const head = `POST /teams HTTP/1.1\r\nHost: ${host}\r\nOrigin: ${origin}`
    expect(await statusOf(port, head)).toBe(status)
  },
)

test('without a server of Node, the app compares Origin with the URL', async () => {
  const { app } = appOn((await listenForTest('a')).database)
  const statusFrom = async (origin: string) =>
    (
      await app.request(`http://a.example/teams`, {
        method: 'POST',
        headers: { origin },
      })
    ).status
  expect(await statusFrom('http://a.example')).toBe(422)
  expect(await statusFrom('http://b.example')).toBe(403)
})

test.each([
  ['/api', '/api'],
  ['/a/b.c', '/a/b.c'],
  ['/...', '/...'],
  ['/../..', ''],
  ['/api/../x', ''],
  ['/api/..', ''],
  ['/.', ''],
  ['/./x', ''],
  ['//x', ''],
  ['/api/', ''],
])(
  'X-Forwarded-Prefix %s makes the path %j of the URL in /openapi.json',
  async (prefix, path) => {
    const { port } = await listenForTest('a')
    const received = await sendRaw(
      port,
      `GET /openapi.json HTTP/1.1\r\nHost: x\r\nX-Forwarded-Proto: http\r\nX-Forwarded-Prefix: ${prefix}\r\n${CLOSE}\r\n`,
    )
    expect(received).toContain(`"url": "http://x${path}"`)
  },
)

test.each(["$'", '$&', '$$x'])(
  'the host %s is in the URL of /openapi.json as it is',
  async (host) => {
    const { port } = await listenForTest('a')
    const received = await sendRaw(
      port,
      `GET /openapi.json HTTP/1.1\r\nHost: ${host}\r\n${CLOSE}\r\n`,
    )
    const { servers } = JSON.parse(received.split('\r\n\r\n')[1] ?? '')
    expect(servers).toEqual([{ url: `http://${host}` }])
  },
)
