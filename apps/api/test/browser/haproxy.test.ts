import { once } from 'node:events'
import { readFile, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { launchBrowser, tryItOut } from 'testkit/browser.ts'
import { REPOSITORY } from 'testkit/documents.ts'
import { folderForTest } from 'testkit/engines.ts'
import { startServer } from 'testkit/server.ts'
import { startServiceForTest } from 'testkit/service-for-test.ts'
import {
  freePorts,
  listenLocally,
  openSocket,
  statusesIn,
} from 'testkit/sockets.ts'
import { expect, onTestFinished, test } from 'vitest'

const MIB = 1024 * 1024
const CONFIGURATION = await readFile(
  new URL('../../deploy/haproxy.cfg', import.meta.url),
  'utf8',
)

test('behind HAProxy with the file in deploy/, the log of HAProxy has the request_id, a body above 1 MiB receives 413, and a request without a ready instance 503', async () => {
  const service = await startServiceForTest({ DATABASE_URL: 'sqlite::memory:' })
  const proxy = await startHaproxy(CONFIGURATION, service.url, '/readyz')
  const post = (body: string | ReadableStream) =>
    fetch(`${proxy.url}/teams`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'x-request-id': 'from-the-client',
      },
      body,
      duplex: 'half',
    })
  const largest = '{"name":"x"}'.padEnd(MIB)
  const { status, headers } = await post(largest)
  expect(status).toBe(201)
  const id = headers.get('x-request-id') ?? ''
  expect(id).toMatch(/^[0-9a-f-]{32,36}$/)
  const logged = () =>
    service.logLines.filter((line) => JSON.parse(line).request_id === id)
  await expect.poll(logged).toHaveLength(1)
  const lines = () => proxy.output().match(new RegExp(`^.*${id}.*$`, 'gm'))
  await expect.poll(lines).toEqual([expect.stringContaining('127.0.0.1')])

  const larger = new Blob([`${largest} `]).stream()
  expect((await post(larger)).status).toBe(413)
  // HAProxy responds 413 after 16 KiB of the body. The test sends only 32 KiB,
  // because a client that still writes may miss the response.
  const socket = await openSocket(proxy.port)
  socket.write(
    `POST /teams HTTP/1.1\r\nHost: x\r\nContent-Length: ${MIB + 1}\r\n\r\n${largest.slice(0, 32 * 1024)}`,
  )
  expect(statusesIn(String(await once(socket, 'data')))).toEqual([413])
  socket.destroy()

  const forged = { 'x-forwarded-proto': 'https' }
  const document = await fetch(`${proxy.url}/openapi.json`, { headers: forged })
  expect(await document.text()).toContain(`"${proxy.url}"`)

  const metrics = await fetch(`${proxy.stats}/metrics`)
  expect(await metrics.text()).toContain('haproxy_')
  expect((await fetch(proxy.stats)).status).toBe(200)

  await service.stop()
  const get = () => fetch(`${proxy.url}/teams`)
  await expect.poll(async () => (await get()).status).toBe(503)
  const response = await get()
  expect(Object.fromEntries(response.headers)).toMatchObject({
    'content-type': 'application/json',
    'cache-control': 'no-store',
    'retry-after': '1',
    'x-content-type-options': 'nosniff',
  })
  expect(await response.text()).toBe('{"detail":"Service Unavailable"}')
})

async function startHaproxyAndRecorder() {
  const methods: string[] = []
  const server = createServer((socket) => {
    socket.on('error', () => {})
    socket.on('data', (data) => {
      const [method = ''] = `${data}`.split(' ', 1)
      methods.push(method)
      if (method === 'DELETE') socket.destroy()
      else socket.write('HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n')
    })
  })
  onTestFinished(() => void server.close())
  const url = `http://127.0.0.1:${await listenLocally(server)}`
  const proxy = await startHaproxy(CONFIGURATION, url, '/readyz')
  return { methods, proxy, get: () => fetch(`${proxy.url}/teams`) }
}

test('with this file, an unfinished request occupies no connection of the service', async () => {
  const { methods, proxy, get } = await startHaproxyAndRecorder()
  const slow = await openSocket(proxy.port)
  onTestFinished(() => void slow.destroy())
  slow.write('POST /teams HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\n{')
  for (let n = 0; n < 5; n += 1) expect((await get()).status).toBe(200)
  expect(methods).not.toContain('POST')
})

test('with this file, a write whose response is lost on a reused connection is not repeated', async () => {
  const { methods, proxy, get } = await startHaproxyAndRecorder()
  expect((await get()).status).toBe(200)
  const request = fetch(`${proxy.url}/users/x`, { method: 'DELETE' })
  await request.catch(() => {})
  expect(methods.filter((method) => method === 'DELETE')).toHaveLength(1)
})

const page = await readFile(
  new URL('docs/operations/run.md', REPOSITORY),
  'utf8',
)
const [, DOCUMENTED] = /^```\n(http-request.*?)^```$/ms.exec(page) ?? []

const AT_PREFIX = `
defaults
  mode http
  timeout connect 5s
  timeout client 1m
  timeout server 1m
frontend public
  bind "\${LISTEN}"
  http-request deny deny_status 404 unless { path_beg /api/ }
${DOCUMENTED}
  default_backend service
backend service
  server instance "\${SERVER_1}"
`

test('the documentation works behind a proxy at the prefix /api/', async () => {
  const service = await startServiceForTest({ DATABASE_URL: 'sqlite::memory:' })
  const haproxy = await startHaproxy(AT_PREFIX, service.url, '/api/healthz')
  const proxy = haproxy.url
  expect((await fetch(`${proxy}/teams`)).status).toBe(404)
  const browser = await launchBrowser()
  onTestFinished(() => browser.close())
  const page = await browser.newPage()
  const requests: string[] = []
  const problems: string[] = []
  page.on('request', (request) => requests.push(request.url()))
  page.on(
    'console',
    (message) => message.type() === 'error' && problems.push(message.text()),
  )
  page.on('pageerror', (error) => problems.push(error.message))

  for (const entrance of ['/api/', '/api/docs/', '/api/docs']) {
    await page.goto(proxy + entrance)
    await page.waitForSelector('.opblock')
    expect(new URL(page.url()).pathname).toBe('/api/docs')
  }

  const team = await tryItOut(page, 'createTeam')
  expect(team).toMatchObject({ url: `${proxy}/api/teams`, status: 201 })
  const outside = requests.filter((url) => !url.startsWith(`${proxy}/api/`))
  expect(outside.filter((url) => !url.startsWith('data:'))).toEqual([])
  expect(problems).toEqual([])
})

async function startHaproxy(
  configuration: string,
  serviceUrl: string,
  healthPath: string,
) {
  const file = join(await folderForTest(), 'haproxy.cfg')
  await writeFile(file, configuration)
  const [port = 0, stats = 0] = await freePorts(2)
  const { host } = new URL(serviceUrl)
  const env = {
    LISTEN: `127.0.0.1:${port}`,
    STATS: `127.0.0.1:${stats}`,
    SERVER_1: host,
    SERVER_2: 'unresolvable.invalid:3000',
  }
  const args = ['-db', '-f', file]
  const haproxy = await startServer('/usr/sbin/haproxy', args, '', { env })
  const { output, stop } = haproxy
  onTestFinished(() => stop('SIGKILL'))
  const url = `http://127.0.0.1:${port}`
  const status = () =>
    fetch(url + healthPath).then((response) => response.status, output)
  await expect.poll(status).toBe(200)
  return { url, port, output, stats: `http://127.0.0.1:${stats}` }
}
