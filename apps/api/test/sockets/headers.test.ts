import { expect, test } from 'vitest'
import type { AppOptions } from '../../src/app.ts'
import {
  type ListeningService,
  lastLine,
  listenForTest,
} from '../support/listen.ts'
import { CLOSE, GET, request, statusesOf } from './bytes.ts'

const ORIGIN = 'https://app.example.com'
const EVIL = 'https://evil.org'

const start = (options: Partial<AppOptions> = {}) =>
  listenForTest('a', { options: () => options })

async function headersFor({ request }: ListeningService, origin: string) {
  const preflight = {
    origin,
    'access-control-request-method': 'PATCH',
    'access-control-request-headers': 'content-type,authorization,x-new',
  }
  const headers = { origin, 'x-request-id': 'mine' }
  const responses = [
    await request('/users', { headers }),
    await request('/users', { method: 'OPTIONS', headers: preflight }),
  ]
  return responses.map(({ status, headers }) => ({
    status,
    ...Object.fromEntries(headers),
  }))
}

const ALLOWED = expect.objectContaining({
  'access-control-allow-origin': expect.anything(),
})

test('CORS is disabled by default', async () => {
  const responses = await headersFor(await start(), ORIGIN)
  expect(responses).toMatchObject([{ status: 200 }, { status: 405 }])
  expect(responses).not.toContainEqual(ALLOWED)
})

test('CORS allows the configured origins, which may read Link and X-Request-Id, and no other', async () => {
  const origins = [ORIGIN, 'http://localhost:5173', 'capacitor://localhost']
  const service = await start({ corsOrigins: origins })
  for (const origin of origins)
    expect(await headersFor(service, origin)).toMatchObject([
      {
        'access-control-allow-origin': origin,
        'access-control-expose-headers': 'Link,X-Request-Id,Retry-After',
        vary: 'Origin',
        'x-request-id': 'mine',
        'cache-control': 'no-store',
      },
      {
        status: 204,
        'access-control-allow-origin': origin,
        'access-control-allow-methods': 'GET,HEAD,POST,PATCH,DELETE',
        'access-control-allow-headers': 'content-type,authorization,x-new',
        'access-control-max-age': '600',
      },
    ])
  for (const origin of [EVIL, `${ORIGIN}.evil.com`, 'null'])
    expect(await headersFor(service, origin)).not.toContainEqual(ALLOWED)
})

test('CORS allows credentials only if it is set to, and only to the configured origins', async () => {
  const CREDENTIALS = 'access-control-allow-credentials'
  for (const corsOrigins of [[ORIGIN], ['*']]) {
    const service = await start({ corsOrigins })
    for (const response of await headersFor(service, ORIGIN))
      expect(response).not.toHaveProperty(CREDENTIALS)
  }
  const options = { corsOrigins: [ORIGIN], corsCredentials: true }
  const service = await start(options)
  for (const response of await headersFor(service, ORIGIN))
    expect(response).toHaveProperty(CREDENTIALS, 'true')
  expect(await headersFor(service, EVIL)).not.toContainEqual(ALLOWED)
})

const USER = '/users/user-00000000-0000-7000-8000-000000000000'

/** Sends requests over a socket, because `fetch` would add headers. */
function statusesFrom(port: number, headers: object, host = 'x') {
  const lines = Object.entries(headers)
    .map(([name, value]) => value && `${name}: ${value}\r\n`)
    .join('')
  const changes = ['POST /teams', `PATCH ${USER}`, `DELETE ${USER}`]
  const requests = changes.map((line) => request(line, lines, host))
  return statusesOf(port, requests.join('') + GET('/teams', lines + CLOSE))
}

const ACCEPTED = [422, 422, 404, 200]
const REJECTED = [403, 403, 403, 200]

test('a change by a page of another site receives 403, a read does not', async () => {
  const { port } = await start({ corsOrigins: [ORIGIN] })
  for (const [page, site, origin, host, isAllowed] of [
    ['a client that is not a browser', '', '', 'x', true],
    ['a page of the service', 'same-origin', 'https://x', 'x', true],
    ['the same behind a proxy', 'same-origin', 'https://x.org', 'x', true],
    ['the user', 'none', '', 'x', true],
    ['a page of another site', 'cross-site', EVIL, 'x', false],
    ['a page that hides its origin', 'cross-site', '', 'x', false],
    ['a page of a sibling domain', 'same-site', 'https://y.org', 'x', false],
    ['a listed page', 'cross-site', ORIGIN, 'x', true],
    ['an old browser', '', 'http://x', 'X:80', true],
    ['an old browser', '', 'https://x', 'x:443', true],
    ['an old browser', '', 'http://x:8080', 'x:8080', true],
    ['an old browser', '', 'http://[::1]', '[0:0:0:0:0:0:0:1]', true],
    ['another port', '', 'http://x', 'x:443', false],
    ['a subdomain', '', 'http://y.x', 'x', false],
    ['another scheme', '', 'capacitor://x', 'x', false],
    ['a sandboxed page', '', 'null', 'null', false],
  ] as const) {
    const headers = { 'Sec-Fetch-Site': site, Origin: origin }
    const statuses = await statusesFrom(port, headers, host)
    const by = `${page} ${origin}, ${host}`
    expect(statuses, by).toEqual(isAllowed ? ACCEPTED : REJECTED)
  }
})

test('a change by any page is allowed when * is listed, and by no other page when nothing is', async () => {
  const headers = { 'Sec-Fetch-Site': 'cross-site', Origin: EVIL }
  const service = await start({ corsOrigins: [ORIGIN, '*'] })
  expect(await statusesFrom(service.port, headers)).toEqual(ACCEPTED)
  expect(await headersFor(service, EVIL)).toEqual([ALLOWED, ALLOWED])
  expect(await statusesFrom((await start()).port, headers)).toEqual(REJECTED)
})

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']

test.each(['a', 'b'] as const)(
  'Profile %s responds 405 with Allow to a method that a path of the document does not have',
  async (profile) => {
    const { get, request } = await listenForTest(profile)
    const { paths } = (await get('/openapi.json')).json
    for (const [path, operations] of Object.entries<object>(paths)) {
      const allowed = Object.keys(operations).map((name) => name.toUpperCase())
      if (allowed.includes('GET')) allowed.push('HEAD')
      for (const method of METHODS) {
        if (allowed.includes(method)) continue
        const url = path.replace(/\{\w+\}/g, 'x')
        const response = await request(url, { method })
        expect(response, `${method} ${path}`).toMatchObject({
          status: 405,
          json: { detail: 'Method Not Allowed' },
        })
        const { headers } = response
        expect(headers.get('cache-control')).toBe('no-store')
        expect(headers.get('x-content-type-options')).toBe('nosniff')
        const names = headers.get('allow')?.split(', ').sort()
        expect(names, path).toEqual(allowed.sort())
      }
    }
  },
)

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

test('responses and the log have the X-Request-Id of the client if safe, else a UUID', async () => {
  const service = await start()
  const safe = ['trace-1:2.3_4', 'a'.repeat(64)]
  for (const id of [...safe, '<script>', 'a'.repeat(65), 'é', '']) {
    const headers = { 'x-request-id': id }
    const response = await service.request('/users', { headers })
    const request_id = response.headers.get('x-request-id')
    if (safe.includes(id)) expect(request_id).toBe(id)
    else expect(request_id, id).toMatch(UUID)
    const line = { request_id, route: '/users', status: 200 }
    expect(lastLine(service)).toMatchObject(line)
  }
})

test('the documentation has headers that keep out other sites and their scripts', async () => {
  const { get } = await start()
  const { headers, text } = await get('/docs')
  expect(headers.get('content-type')).toBe('text/html; charset=utf-8')
  expect(headers.get('referrer-policy')).toBe('no-referrer')
  const policy = headers.get('content-security-policy')
  expect(policy?.replaceAll(/'sha256-[\w+/]{43}='/g, 'HASH')).toBe(
    "default-src 'none'; script-src 'self' HASH HASH; style-src 'self' 'unsafe-inline'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  )
  const files = [...text.matchAll(/(?:src|href)="(docs\/[^"]+)"/g)]
  expect(files).toHaveLength(2)
  for (const [, file] of files) {
    const { status, headers } = await get(`/${file}`)
    expect(status).toBe(200)
    expect(Object.fromEntries(headers)).toMatchObject({
      'cache-control': 'public, max-age=86400',
      'content-type': expect.stringMatching(/^text\/(css|javascript); charset/),
    })
  }
})
