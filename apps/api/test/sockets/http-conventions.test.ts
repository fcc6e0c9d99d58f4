import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type ListeningService, listen } from '../support/listen.ts'

const toObject = (headers: Headers) => Object.fromEntries(headers)

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
  beforeAll(async () => {
    service = await listen(profile)
  })
  afterAll(() => service.close())

  test.each([
    '/',
    '/docs',
    '/openapi.json',
    '/healthz',
    '/readyz',
    '/users',
    '/users?limit=1',
    '/users/garbage',
    '/nothing',
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
      const length = head.headers.get('content-length')
      if (length !== null)
        expect(length).toBe(get.headers.get('content-length'))
      const expected = toObject(get.headers)
      for (const name of CONNECTION_HEADERS) delete expected[name]
      expect(toObject(head.headers)).toMatchObject(expected)
    },
  )

  test('responds 405 with Allow to a method that a path of the document does not have', async () => {
    const { paths } = (await service.get('/openapi.json')).json
    for (const [path, operations] of Object.entries<object>(paths)) {
      const methods = Object.keys(operations).map((name) => name.toUpperCase())
      if (methods.includes('GET')) methods.push('HEAD')
      for (const method of ['GET', 'POST', 'PUT', 'DELETE', 'OPTIONS']) {
        if (methods.includes(method)) continue
        const url = path.replace(/\{\w+\}/g, 'x')
        const { status, json, headers } = await service.request(url, { method })
        const name = `${method} ${path}`
        expect(status, name).toBe(405)
        expect(json).toEqual({ detail: 'Method Not Allowed' })
        expect(toObject(headers)).toMatchObject({
          'content-type': 'application/json',
          'cache-control': 'no-store',
          'x-content-type-options': 'nosniff',
        })
        const allowed = headers.get('allow')?.split(', ').sort()
        expect(allowed, name).toEqual(methods.sort())
      }
    }
  })

  const requestIdFor = async (id: string) => {
    const headers = { 'x-request-id': id }
    const response = await service.request('/users', { headers })
    const returned = response.headers.get('x-request-id')
    expect(JSON.parse(service.logLines.at(-1) ?? '{}')).toMatchObject({
      request_id: returned,
      route: '/users',
      status: 200,
    })
    return returned
  }

  test.each(['abc-123', 'trace-1:2.3_4', 'a'.repeat(64)])(
    'returns and logs the X-Request-Id %s of the client',
    async (id) => expect(await requestIdFor(id)).toBe(id),
  )

  test.each(['a b', '<script>', '{"a":1}', 'a'.repeat(65), 'é', ''])(
    'replaces the X-Request-Id %j by a UUID, which it returns and logs',
    async (id) =>
      expect(await requestIdFor(id)).toMatch(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-/),
  )

  test('serves the documentation with headers that keep out other sites and their scripts', async () => {
    const { status, headers, text } = await service.get('/docs')
    expect(status).toBe(200)
    expect(toObject(headers)).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
    })
    const policy = headers.get('content-security-policy')
    expect(policy?.replaceAll(/'sha256-[\w+/]{43}='/g, 'HASH')).toBe(
      "default-src 'none'; script-src 'self' HASH HASH; style-src 'self' 'unsafe-inline'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    )
    const files = [...text.matchAll(/(?:src|href)="(docs\/[^"]+)"/g)]
    expect(files).toHaveLength(2)
    for (const [, file] of files) {
      const { status, headers } = await service.get(`/${file}`)
      expect(status).toBe(200)
      expect(toObject(headers)).toMatchObject({
        'content-type': expect.stringMatching(
          /^text\/(css|javascript); charset=utf-8$/,
        ),
        'cache-control': 'public, max-age=86400',
      })
    }
  })
})
