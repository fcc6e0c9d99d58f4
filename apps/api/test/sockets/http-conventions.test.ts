import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newUser } from '../support/http-fixture.ts'
import {
  type ListeningService,
  listen,
  listenForTest,
} from '../support/listen.ts'

const API_HEADERS = {
  'content-type': 'application/json',
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
}

/**
 * Headers that belong to the connection, not to the response, and those that a
 * response to HEAD may omit (RFC 9110, 8.6).
 */
const CONNECTION_HEADERS = [
  'connection',
  'keep-alive',
  'date',
  'transfer-encoding',
  'content-length',
]

describe.each(['a', 'b'] as const)('Profile %s over a socket', (profile) => {
  let service: ListeningService
  let paths: Record<string, Record<string, unknown>>
  beforeAll(async () => {
    service = await listen(profile)
    paths = (await service.get('/openapi.json')).json.paths
  })
  afterAll(() => service.close())

  const headersOf = (headers: Headers) => Object.fromEntries(headers)

  test.each([
    '/',
    '/docs',
    '/openapi.json',
    '/healthz',
    '/readyz',
    '/users',
    '/users/garbage',
    '/nothing',
    ...(profile === 'a' ? ['/teams', '/roles'] : []),
  ])(
    'responds to HEAD %s with the status and headers of GET, without a body',
    async (path) => {
      const init: RequestInit = {
        headers: { 'x-request-id': 'same' },
        redirect: 'manual',
      }
      const get = await service.request(path, init)
      const head = await service.request(path, { ...init, method: 'HEAD' })
      expect(head).toMatchObject({ status: get.status, text: '' })
      const expected = [...get.headers].filter(
        ([name]) => !CONNECTION_HEADERS.includes(name),
      )
      expect(headersOf(head.headers)).toMatchObject(
        Object.fromEntries(expected),
      )
      const length = head.headers.get('content-length')
      if (length !== null)
        expect(length).toBe(get.headers.get('content-length'))
    },
  )

  test('responds 405 with Allow to a method that a path of the document does not have', async () => {
    expect(Object.keys(paths).length).toBeGreaterThan(4)
    for (const [path, operations] of Object.entries(paths)) {
      const methods = Object.keys(operations).map((method) =>
        method.toUpperCase(),
      )
      if (methods.includes('GET')) methods.push('HEAD')
      for (const method of [
        'GET',
        'POST',
        'PUT',
        'PATCH',
        'DELETE',
        'OPTIONS',
      ]) {
        if (methods.includes(method)) continue
        const response = await service.request(path.replace(/\{\w+\}/g, 'x'), {
          method,
        })
        expect(response, `${method} ${path}`).toMatchObject({
          status: 405,
          json: { detail: 'Method Not Allowed' },
        })
        expect(headersOf(response.headers)).toMatchObject(API_HEADERS)
        expect(response.headers.get('allow')?.split(', ').sort(), path).toEqual(
          methods.sort(),
        )
      }
    }
  })

  const logged = () => JSON.parse(service.logLines.at(-1) ?? '{}')

  test.each([
    'abc-123',
    'trace-1:2.3_4',
    'a'.repeat(64),
    '0190163d-8694-739b-aea5-966c26f8ad91',
  ])('returns and logs the X-Request-Id %s of the client', async (id) => {
    const { headers } = await service.request('/users', {
      headers: { 'x-request-id': id },
    })
    expect(headers.get('x-request-id')).toBe(id)
    expect(logged()).toMatchObject({
      request_id: id,
      route: '/users',
      status: 200,
    })
  })

  test.each(['a b', '<script>', '{"a":1}', 'a'.repeat(65), 'é', ''])(
    'replaces the X-Request-Id %j by a UUID, which it returns and logs',
    async (id) => {
      const { headers } = await service.request('/users', {
        headers: { 'x-request-id': id },
      })
      expect(headers.get('x-request-id')).toMatch(
        /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/,
      )
      expect(logged().request_id).toBe(headers.get('x-request-id'))
    },
  )

  test('serves the documentation with headers that keep out other sites and their scripts', async () => {
    const { status, headers, text } = await service.get('/docs')
    expect(status).toBe(200)
    expect(headersOf(headers)).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
    })
    expect(
      headers
        .get('content-security-policy')
        ?.replaceAll(/'sha256-[\w+/]{43}='/g, 'HASH'),
    ).toBe(
      "default-src 'none'; script-src 'self' HASH HASH; style-src 'self' 'unsafe-inline'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    )
    const sources = [...text.matchAll(/(?:src|href)="([^"]+)"/g)].map(
      ([, source]) => source ?? '',
    )
    expect(sources).toHaveLength(3)
    for (const source of sources.filter(
      (source) => !source.startsWith('data:,'),
    )) {
      expect(source).toMatch(/^docs\//)
      const file = await service.get(`/${source}`)
      expect(file.status).toBe(200)
      expect(headersOf(file.headers)).toMatchObject({
        'content-type': expect.stringMatching(
          /^text\/(css|javascript); charset=utf-8$/,
        ),
        'cache-control': 'public, max-age=86400',
      })
      expect(file.text.length).toBeGreaterThan(100)
    }
  })
})

/**
 * The table of docs/operations/databases.md: what a client receives that
 * repeats a request because its response was missing or 503.
 */
test('the response to a write that is repeated contains what is stored', async () => {
  const service = await listenForTest('a')
  const twice = async (send: () => Promise<{ status: number }>) => [
    (await send()).status,
    (await send()).status,
  ]
  const user = newUser()
  expect(await twice(() => service.post('/users', user))).toEqual([201, 400])
  expect(await twice(() => service.post('/roles', { name: 'admin' }))).toEqual([
    201, 400,
  ])
  expect(
    await twice(() => service.post('/teams', { name: 'Engineering' })),
  ).toEqual([201, 201])
  expect((await service.get('/teams')).json).toHaveLength(2)
  const [{ id: role }] = (await service.get('/roles')).json
  const [{ id }] = (await service.get('/users')).json
  expect(await twice(() => service.post(`/users/${id}/roles/${role}`))).toEqual(
    [200, 200],
  )
  expect(
    await twice(() => service.patch(`/users/${id}`, { name: 'Ada' })),
  ).toEqual([200, 200])
  expect((await service.get('/users')).json).toMatchObject([
    { name: 'Ada', roles: [{ name: 'admin' }] },
  ])
  expect(await twice(() => service.delete(`/users/${id}`))).toEqual([204, 404])
  expect((await service.get('/users')).json).toEqual([])
})
