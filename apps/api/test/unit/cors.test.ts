import { describe, expect, test } from 'vitest'
import { readConfig } from '../../src/composition/config.ts'
import { type ListeningService, listen } from '../support/listen.ts'

const ORIGIN = 'https://app.example.com'

async function withService(
  corsOrigins: string[] | undefined,
  use: (service: ListeningService) => Promise<void>,
) {
  const service = await listen('b', { options: () => ({ corsOrigins }) })
  await use(service).finally(() => service.close())
}

const preflight = (service: ListeningService, origin: string) =>
  service.request('/users', {
    method: 'OPTIONS',
    headers: {
      origin,
      'access-control-request-method': 'PATCH',
      'access-control-request-headers': 'content-type,x-request-id',
    },
  })

const corsHeaders = (headers: Headers) =>
  Object.fromEntries([...headers].filter(([name]) => name.startsWith('access-control-')))

describe('CORS', () => {
  test('is disabled by default', () =>
    withService(undefined, async (service) => {
      const response = await service.request('/users', { headers: { origin: ORIGIN } })
      expect(response.status).toBe(200)
      expect(corsHeaders(response.headers)).toEqual({})
      const { status, headers } = await preflight(service, ORIGIN)
      expect(status).toBe(405)
      expect(corsHeaders(headers)).toEqual({})
    }))

  test('allows the configured origins, which may read Link and X-Request-Id', () =>
    withService([ORIGIN, 'http://localhost:5173'], async (service) => {
      for (const origin of [ORIGIN, 'http://localhost:5173']) {
        const response = await service.request('/users', { headers: { origin, 'x-request-id': 'mine' } })
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
        'access-control-allow-headers': 'Content-Type,X-Request-Id',
        'access-control-max-age': '600',
      })
    }))

  test('allows no other origin', () =>
    withService([ORIGIN], async (service) => {
      for (const origin of ['https://evil.example.com', `${ORIGIN}.evil.com`, 'null']) {
        const response = await service.request('/users', { headers: { origin } })
        expect(response.headers.get('access-control-allow-origin')).toBeNull()
        expect((await preflight(service, origin)).headers.get('access-control-allow-origin')).toBeNull()
      }
    }))

  test('allows the origin to read errors', () =>
    withService(['*'], async (service) => {
      for (const path of ['/users/garbage', '/nothing']) {
        const response = await service.request(path, { headers: { origin: ORIGIN } })
        expect(response.status).toBeGreaterThanOrEqual(400)
        expect(response.headers.get('access-control-allow-origin')).toBe('*')
      }
    }))
})

describe('CORS_ORIGIN', () => {
  test.for([
    [undefined, undefined],
    ['', undefined],
    ['*', ['*']],
    [ORIGIN, [ORIGIN]],
    [`${ORIGIN}, http://localhost:5173`, [ORIGIN, 'http://localhost:5173']],
  ])('parses %s as %j', ([value, origins]) => {
    expect(readConfig({ CORS_ORIGIN: value as string | undefined }, '/').corsOrigins).toEqual(origins)
  })

  test.for([`${ORIGIN}/`, 'app.example.com', `${ORIGIN},`, 'null', 'HTTPS://APP.example.com'])(
    'rejects %s',
    (value) => {
      expect(() => readConfig({ CORS_ORIGIN: value }, '/')).toThrow(
        /^CORS_ORIGIN: expected \* or origins such as/,
      )
    },
  )
})
