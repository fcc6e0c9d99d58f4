import { sendRaw } from 'testkit/sockets.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { UserId } from '../../src/ids.ts'
import {
  type ListeningService,
  lastLine,
  listen,
  listenForTest,
  logOf,
} from '../support/listen.ts'
import { CLOSE, request, statusesOf } from './bytes.ts'

let service: ListeningService
beforeAll(async () => {
  service = await listen('a')
})
afterAll(() => service.close())

const send = (target: string, host?: string) =>
  sendRaw(service.port, request(`GET ${target}`, CLOSE, host))

async function expectStatus(
  status: number,
  heads: readonly string[],
  { url } = service,
) {
  const { port, hostname } = new URL(url)
  for (const head of heads)
    expect(
      await statusesOf(
        Number(port),
        `${head}\r\nContent-Length: 0\r\n${CLOSE}\r\n`,
        hostname.replace(/[[\]]/g, ''),
      ),
      head,
    ).toEqual([status])
}

const toHosts = (hosts: readonly string[], path = '/teams') =>
  hosts.map((host) => `GET ${path} HTTP/1.1\r\nHost: ${host}`)

const toPaths = (paths: readonly string[]) =>
  paths.map((path) => `GET ${path} HTTP/1.1\r\nHost: x`)

describe('ALLOWED_HOSTS', () => {
  const startAt = (host: string) =>
    listenForTest('a', { host, allowedHosts: null })

  test.each([
    '127.0.0.1',
    '127.0.0.2',
    'LOCALHOST',
    '::1',
    '0:0:0:0:0:0:0:1',
    '::ffff:7f00:2',
  ])('are by default the names of this machine on %s', async (address) => {
    const local = await startAt(address)
    const own = new URL(local.url).host
    const names = ['LOCALHOST', 'localhost:1', '127.9.9.9:1', '[::1]']
    const more = ['[0:0:0:0:0:0:0:1]:1', '[::ffff:127.0.0.1]']
    await expectStatus(200, toHosts([own, ...names, ...more]), local)
    const others = ['rebound.example.com:1', 'localhost.example.com']
    const nearly = ['127.0.0.1.x', '128.0.0.1', '[::2]', '[::ffff:8.0.0.1]']
    await expectStatus(421, toHosts([...others, ...nearly]), local)
    const line = { level: 40, status: 421, route: null }
    expect(lastLine(local)).toMatchObject(line)
  })

  test('are by default any on all addresses', async () => {
    const url = (await startAt('0.0.0.0')).url.replace('0.0.0.0', '127.0.0.1')
    const local = { ...service, url }
    await expectStatus(200, toHosts(['rebound.example.com']), local)
  })

  test('with ALLOWED_HOSTS, health checks are answered whatever the Host, and other requests are not', async () => {
    const allowedHosts = ['x.example.com', 'api.example.com']
    const local = await listenForTest('a', { allowedHosts })
    const hosts = ['10.244.0.5:3000', '127.0.0.1', '[fd00::5]:3000', 'x']
    for (const path of ['/healthz', '/readyz', '/healthz?from=kubelet'])
      await expectStatus(200, toHosts(hosts, path), local)
    for (const path of ['/teams', '/docs', '/healthz/x'])
      await expectStatus(421, toHosts(hosts, path), local)
    const target = 'GET http://10.0.0.5/readyz HTTP/1.1\r\nHost: x'
    await expectStatus(200, [target], local)
    const allowed = ['API.example.com:443', 'x.eXAMPLE.cOM']
    await expectStatus(200, toHosts(allowed), local)
  })
})

test.each([
  [200, ['x:', 'X', '[::1]:', '[0:0:0:0:0:0:0:1]:80', 'x:0080', '', '[::A]']],
  [400, ['x:65536', 'x:y', 'x:1:2', 'x y', 'x/y', 'a@x', 'x?', 'x#', 'x, y']],
  [400, ['%78', '[::1', '[:::]', '1.2.3.4.5']],
])('the service responds %d to each Host of %j', async (status, hosts) => {
  await expectStatus(status, toHosts(hosts))
  expect(lastLine(service)).toMatchObject({ status })
})

const post = (target: string, host: string, origin?: string) =>
  `POST ${target} HTTP/1.1\r\nHost: ${host}${origin ? `\r\nOrigin: ${origin}` : ''}`

test('a request target in absolute form replaces Host for ALLOWED_HOSTS, for Origin and in /openapi.json', async () => {
  const local = await listenForTest('a', { allowedHosts: null })
  await expectStatus(422, [post('http://localhost/teams', 'evil')], local)
  const targets = ['http://evil/teams', 'HTTP://evil/teams', 'http://evil:80?']
  const heads = targets.map((target) => post(target, 'localhost'))
  await expectStatus(421, heads, local)

  await expectStatus(422, [post('http://x/teams', 'evil', 'http://x')])
  await expectStatus(403, [
    post('http://x/teams', 'evil', 'http://evil'),
    post('http://evil/teams', 'x', 'http://x'),
  ])

  const received = await send('http://x:81/openapi.json', 'y')
  expect(received).toContain('"url": "http://x:81"')
  // The service must insert Host unchanged. `String.replace` would interpret $'
  // and $& in a replacement string.
  expect(await send('/openapi.json', "$'$&")).toContain(`"http://$'$&"`)
})

test('a request target in absolute form receives 400 without a valid host, or beside a missing or invalid Host', async () => {
  const targets = ['http://', 'http:///teams', 'http://a@x/', 'http://[x]/']
  await expectStatus(400, [
    ...targets.map((target) => post(target, 'x')),
    post('http://x/teams', 'a b'),
    'GET http://x/teams HTTP/1.1',
  ])
})

test('a request of HTTP/1.0 needs no Host', () =>
  expectStatus(200, ['GET /readyz HTTP/1.0', 'GET http://x/teams HTTP/1.0']))

const encodedId = UserId.example.replace('u', '%75')

test('a request target that writes a literal segment another way receives 404 without a route', async () => {
  const { length } = service.logLines
  const paths = [
    ...['/users/../roles', '/users/%2e%2e/roles', 'http://x/users/../roles'],
    ...['/%72oles', '/role%73?limit=1', '//roles', '/roles/', '/roles#x'],
    ...[`/%75sers/${UserId.example}`, `/users%2f${UserId.example}`],
  ]
  await expectStatus(404, toPaths(paths))
  for (const line of logOf(service).slice(length))
    expect(line).toMatchObject({ route: null })
})

test('a request target that writes every literal segment as declared is served', () =>
  expectStatus(200, [
    ...toPaths(['/roles?x=/../y', '/roles?x=http://y/z', 'http://x/roles']),
    ...toPaths(['http://x:80/roles', 'HTTPS://X/roles']),
  ]))

test('a request target may percent-encode a parameter, which is decoded and validated', async () => {
  expect(await send(`/users/${encodedId}`)).toContain('User not found')
  expect(await send('/users/%2e%2e%2froles')).toContain('["path","user_id"]')
  const invalid = [`/users/${UserId.example}%0A`, '/users/%ff']
  await expectStatus(422, toPaths(invalid))
})

test('a request target may be a host in absolute form, or *', async () => {
  expect(await send('http://x')).toMatch(/^HTTP\/1\.1 302 .*location: docs/is)
  const methods = await sendRaw(service.port, request('OPTIONS *', CLOSE))
  expect(methods).toMatch(
    /^HTTP\/1\.1 204 .*allow: GET, HEAD, POST, PATCH, DELETE\r\n/is,
  )
})

test('/docs/ redirects to /docs by a relative reference', async () => {
  expect(await send('/docs/')).toMatch(
    /^HTTP\/1\.1 302 .*location: \.\.\/docs\r\n/is,
  )
})
