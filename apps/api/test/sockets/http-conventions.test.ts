import { expect, test } from 'vitest'
import { listenForTest } from '../support/listen.ts'

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
        const { status, json, headers } = await request(url, { method })
        expect({ status, json }, `${method} ${path}`).toEqual({
          status: 405,
          json: { detail: 'Method Not Allowed' },
        })
        expect(Object.fromEntries(headers)).toMatchObject({
          'content-type': 'application/json',
          'cache-control': 'no-store',
          'x-content-type-options': 'nosniff',
        })
        const names = headers.get('allow')?.split(', ').sort()
        expect(names, path).toEqual(allowed.sort())
      }
    }
  },
)

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

test.each([
  ...['abc-123', 'trace-1:2.3_4', 'a'.repeat(64)].map((id) => [id, id]),
  ...['a b', '<script>', 'a'.repeat(65), 'é', ''].map((id) => [id, UUID]),
])(
  'returns and logs the X-Request-Id %j of the client if it is safe, else a UUID',
  async (id, expected) => {
    const { request, logLines } = await listenForTest('a')
    const headers = { 'x-request-id': `${id}` }
    const response = await request('/users', { headers })
    const returned = response.headers.get('x-request-id')
    expect(returned).toMatch(expected)
    expect(returned).toHaveLength(expected === UUID ? 36 : `${id}`.length)
    expect(JSON.parse(logLines.at(-1) ?? '')).toMatchObject({
      request_id: returned,
      route: '/users',
      status: 200,
    })
  },
)

test('the documentation has headers that keep out other sites and their scripts', async () => {
  const { get } = await listenForTest('a')
  const { status, headers, text } = await get('/docs')
  expect(status).toBe(200)
  expect(Object.fromEntries(headers)).toMatchObject({
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
    const { status, headers } = await get(`/${file}`)
    expect(status).toBe(200)
    expect(headers.get('cache-control')).toBe('public, max-age=86400')
    expect(headers.get('content-type')).toMatch(
      /^text\/(css|javascript); charset=utf-8$/,
    )
  }
})
