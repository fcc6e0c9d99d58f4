import { sendRaw, statusesIn } from 'testkit/sockets.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  type ListeningService,
  listen,
  listenForTest,
} from '../support/listen.ts'

const ORIGIN = 'https://app.example.com'

const start = (corsOrigins: string[] | undefined) =>
  listenForTest('b', { options: () => ({ corsOrigins }) })

const preflight = (service: ListeningService, origin: string) =>
  service.request('/users', {
    method: 'OPTIONS',
    headers: {
      origin,
      'access-control-request-method': 'PATCH',
      'access-control-request-headers': 'content-type,x-request-id,traceparent',
    },
  })

const corsHeaders = (headers: Headers) =>
  Object.fromEntries(
    [...headers].filter(([name]) => name.startsWith('access-control-')),
  )

describe('CORS', () => {
  test('is disabled by default', async () => {
    const service = await start(undefined)
    const response = await service.request('/users', {
      headers: { origin: ORIGIN },
    })
    expect(response.status).toBe(200)
    expect(corsHeaders(response.headers)).toEqual({})
    const { status, headers } = await preflight(service, ORIGIN)
    expect(status).toBe(405)
    expect(corsHeaders(headers)).toEqual({})
  })

  test('allows the configured origins, which may read Link and X-Request-Id', async () => {
    const origins = [
      ORIGIN,
      'http://localhost:5173',
      'capacitor://localhost',
      'chrome-extension://abcdefgh',
    ]
    const service = await start(origins)
    for (const origin of origins) {
      const response = await service.request('/users', {
        headers: { origin, 'x-request-id': 'mine' },
      })
      expect(corsHeaders(response.headers)).toEqual({
        'access-control-allow-origin': origin,
        'access-control-expose-headers': 'Link,X-Request-Id,Retry-After',
      })
      expect(response.headers.get('vary')).toBe('Origin')
      expect(response.headers.get('x-request-id')).toBe('mine')
      expect(response.headers.get('cache-control')).toBe('no-store')
    }
    const response = await preflight(service, ORIGIN)
    expect(response.status).toBe(204)
    expect(corsHeaders(response.headers)).toMatchObject({
      'access-control-allow-origin': ORIGIN,
      'access-control-allow-methods': 'GET,HEAD,POST,PATCH,DELETE',
      'access-control-allow-headers':
        'Content-Type,X-Request-Id,traceparent,tracestate,baggage',
      'access-control-max-age': '600',
    })
  })

  test('allows no other origin', async () => {
    const service = await start([ORIGIN])
    for (const origin of [
      'https://evil.example.com',
      `${ORIGIN}.evil.com`,
      'null',
    ]) {
      const response = await service.request('/users', { headers: { origin } })
      expect(response.headers.get('access-control-allow-origin')).toBeNull()
      expect(
        (await preflight(service, origin)).headers.get(
          'access-control-allow-origin',
        ),
      ).toBeNull()
    }
  })
})

const HOST = 'api.example.com'

/**
 * Headers of a request, and whether the request may change something when only
 * `ORIGIN` is listed.
 */
const SENDERS: [
  sender: string,
  headers: Record<string, string>,
  isAllowed: boolean,
][] = [
  ['a client that is not a browser', {}, true],
  [
    'a page of the service',
    { 'sec-fetch-site': 'same-origin', origin: `https://${HOST}` },
    true,
  ],
  [
    'a page of the service behind a proxy',
    { 'sec-fetch-site': 'same-origin', origin: 'https://x.org' },
    true,
  ],
  ['the user', { 'sec-fetch-site': 'none' }, true],
  [
    'a page of another site',
    { 'sec-fetch-site': 'cross-site', origin: 'https://evil.org' },
    false,
  ],
  [
    'a page of another site that hides its origin',
    { 'sec-fetch-site': 'cross-site' },
    false,
  ],
  [
    'a page of a sibling domain',
    { 'sec-fetch-site': 'same-site', origin: 'https://www.example.com' },
    false,
  ],
  [
    'a listed page of another site',
    { 'sec-fetch-site': 'cross-site', origin: ORIGIN },
    true,
  ],
  [
    'an old browser, from a page of the service',
    { origin: `http://${HOST}` },
    true,
  ],
  [
    'an old browser, from a page of the service with TLS',
    { origin: `https://${HOST}` },
    true,
  ],
  ['an old browser, from a listed page', { origin: ORIGIN }, true],
  [
    'an old browser, from a page of another origin',
    { origin: 'http://evil.org' },
    false,
  ],
  [
    'an old browser, from a page of another port',
    { origin: `http://${HOST}:8080` },
    false,
  ],
  ['an old browser, from a sandboxed page', { origin: 'null' }, false],
]

describe('a request that changes something', () => {
  let service: ListeningService
  let team: string
  beforeAll(async () => {
    service = await listen('a', { options: () => ({ corsOrigins: [ORIGIN] }) })
    team = (await service.post('/teams', { name: 'x' })).json.id
  })
  afterAll(() => service.close())

  /** Sends a request on a socket, because `fetch` adds headers. */
  async function statusOf(
    port: number,
    request: string,
    headers: Record<string, string>,
  ) {
    const lines = Object.entries({
      Host: HOST,
      ...headers,
      Connection: 'close',
    })
    const head = lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')
    return statusesIn(
      await sendRaw(
        port,
        `${request} HTTP/1.1\r\n${head}Content-Length: 0\r\n\r\n`,
      ),
    )
  }

  test.each(SENDERS)(
    'from %s is allowed or rejected with 403',
    async (_, headers, isAllowed) => {
      const missing = 'user-00000000-0000-7000-8000-000000000000'
      expect(await statusOf(service.port, 'POST /teams', headers)).toEqual([
        isAllowed ? 422 : 403,
      ])
      expect(
        await statusOf(service.port, `PATCH /users/${missing}`, headers),
      ).toEqual([isAllowed ? 422 : 403])
      expect(
        await statusOf(service.port, `DELETE /users/${missing}`, headers),
      ).toEqual([isAllowed ? 404 : 403])
      expect(
        await statusOf(service.port, `GET /teams/${team}`, headers),
      ).toEqual([200])
    },
  )

  test('from any page is allowed when * is listed, and from no other page when nothing is', async () => {
    const crossSite = {
      'sec-fetch-site': 'cross-site',
      origin: 'https://evil.org',
    }
    expect(
      await statusOf((await start(['*'])).port, 'POST /teams', crossSite),
    ).toEqual([422])
    expect(
      await statusOf((await start(undefined)).port, 'POST /teams', crossSite),
    ).toEqual([403])
  })
})
