import { describe, expect, test } from 'vitest'
import { readConfig } from '../src/config/config.ts'
import { type Listening, listen } from './support/server.ts'

const PAGE = 'https://app.example.com'

async function withService(corsOrigins: string[] | undefined, use: (service: Listening) => Promise<void>) {
  const service = await listen('b', () => ({ corsOrigins }))
  await use(service).finally(() => service.close())
}

const preflight = (service: Listening, origin: string) =>
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
  test('is off unless it is asked for', () =>
    withService(undefined, async (service) => {
      const answer = await service.request('/users', { headers: { origin: PAGE } })
      expect(answer.status).toBe(200)
      expect(corsHeaders(answer.headers)).toEqual({})
      const { status, headers } = await preflight(service, PAGE)
      expect(status).toBe(405)
      expect(corsHeaders(headers)).toEqual({})
    }))

  test('lets the pages of the named origins call, and read Link and X-Request-Id', () =>
    withService([PAGE, 'http://localhost:5173'], async (service) => {
      for (const origin of [PAGE, 'http://localhost:5173']) {
        const answer = await service.request('/users', { headers: { origin, 'x-request-id': 'mine' } })
        expect(corsHeaders(answer.headers)).toEqual({
          'access-control-allow-origin': origin,
          'access-control-expose-headers': 'Link,X-Request-Id,Retry-After',
        })
        expect(answer.headers.get('vary')).toBe('Origin')
        expect(answer.headers.get('x-request-id')).toBe('mine')
        expect(answer.headers.get('cache-control')).toBe('no-store')
      }
      const told = await preflight(service, PAGE)
      expect(told.status).toBe(204)
      expect(corsHeaders(told.headers)).toMatchObject({
        'access-control-allow-origin': PAGE,
        'access-control-allow-methods': 'GET,HEAD,POST,PATCH,DELETE',
        'access-control-allow-headers': 'Content-Type,X-Request-Id',
        'access-control-max-age': '600',
      })
    }))

  test('lets no other page call', () =>
    withService([PAGE], async (service) => {
      for (const origin of ['https://evil.example.com', `${PAGE}.evil.com`, 'null']) {
        const answer = await service.request('/users', { headers: { origin } })
        expect(answer.headers.get('access-control-allow-origin')).toBeNull()
        expect((await preflight(service, origin)).headers.get('access-control-allow-origin')).toBeNull()
      }
    }))

  test('tells errors to the page, too', () =>
    withService(['*'], async (service) => {
      for (const path of ['/users/garbage', '/nothing']) {
        const answer = await service.request(path, { headers: { origin: PAGE } })
        expect(answer.status).toBeGreaterThanOrEqual(400)
        expect(answer.headers.get('access-control-allow-origin')).toBe('*')
      }
    }))
})

describe('CORS_ORIGIN', () => {
  test.for([
    [undefined, undefined],
    ['', undefined],
    ['*', ['*']],
    [PAGE, [PAGE]],
    [`${PAGE}, http://localhost:5173`, [PAGE, 'http://localhost:5173']],
  ])('%s is read as %j', ([value, origins]) => {
    expect(readConfig({ CORS_ORIGIN: value as string | undefined }, '/').corsOrigins).toEqual(origins)
  })

  test.for([`${PAGE}/`, 'app.example.com', `${PAGE},`, 'null', 'HTTPS://APP.example.com'])(
    '%s is refused',
    (value) => {
      expect(() => readConfig({ CORS_ORIGIN: value }, '/')).toThrow(
        /^CORS_ORIGIN: expected \* or origins such as/,
      )
    },
  )
})
