import { sendRaw, statusesIn } from 'testkit/sockets.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { UserId } from '../../src/ids.ts'
import { type ListeningService, listen } from '../support/listen.ts'

let service: ListeningService
beforeAll(async () => {
  service = await listen('a')
})
afterAll(() => service.close())

/**
 * Sends a request line with an unchanged target: `fetch` would normalize the
 * URL.
 */
const send = (target: string, method = 'GET') =>
  sendRaw(
    service.port,
    `${method} ${target} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`,
  )

const statusOf = async (target: string, method?: string) =>
  statusesIn(await send(target, method))[0]

/** An id with a percent-encoded first letter, which a client may also send. */
const encodedId = UserId.example.replace('u', '%75')

describe('a request target', () => {
  test.for([
    '/users/../roles',
    '/users/%2e%2e/roles',
    '/./roles',
    '/%72oles',
    '/role%73?limit=1',
    '//roles',
    '/roles/',
    '/roles#x',
    '/docs/%2e%2e/roles',
    '/%68ealthz',
    `/%75sers/${UserId.example}`,
    'http://x/users/../roles',
    `/users%2f${UserId.example}`,
    '/%2572oles',
  ])(
    'that writes a literal segment another way receives 404 without a route: %s',
    async (target) => {
      const logged = service.logLines.length
      expect(await statusOf(target)).toBe(404)
      for (const line of service.logLines.slice(logged)) {
        expect(JSON.parse(line)).toMatchObject({ route: null, status: 404 })
      }
    },
  )

  test.for([
    '/roles',
    '/roles?limit=5',
    '/roles?x=/../y',
    '/roles?x=http://y/z',
    '/healthz',
    '/docs',
    'http://x/roles',
    'http://x:80/roles',
    'HTTP://X/roles',
    'https://x/roles',
  ])(
    'that writes every literal segment as declared is served: %s',
    async (target) => {
      expect(await statusOf(target)).toBe(200)
    },
  )

  test('may percent-encode a parameter, which is decoded and validated', async () => {
    expect(await send(`/users/${encodedId}`)).toContain('User not found')
    expect(await statusOf(`/users/${encodedId}`)).toBe(404)
    expect(await send('/users/%2e%2e%2froles')).toContain('["path","user_id"]')
    expect(await statusOf(`/users/${UserId.example}%0A`)).toBe(422)
    expect(await statusOf('/users/%ff')).toBe(422)
  })

  test('may consist of the host alone in absolute form', async () => {
    expect(await send('http://x')).toMatch(/^HTTP\/1\.1 302 .*location: docs/is)
  })
})

describe('/docs/', () => {
  test('redirects to /docs by a relative reference, so a path prefix is kept', async () => {
    const { status, headers } = await service.request('/docs/', {
      redirect: 'manual',
    })
    expect(status).toBe(302)
    const location = headers.get('location') ?? ''
    expect(new URL(location, 'http://proxy/api/docs/').pathname).toBe(
      '/api/docs',
    )
    expect(new URL(location, 'http://proxy/docs/').pathname).toBe('/docs')
  })
})
