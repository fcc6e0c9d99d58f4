import { describe, expect } from 'vitest'
import { UserId } from '../../src/ids.ts'
import { created, newUser, test } from '../support/service.ts'

describe('every answer', () => {
  test('is not to be cached and names the request', async ({ service }) => {
    const { headers } = await service.get('/teams')
    expect(headers.get('cache-control')).toBe('no-store')
    expect(headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/)
  })

  test("takes over a client's request id when it is harmless", async ({ service }) => {
    const idFor = async (given: string) => {
      const { headers } = await service.request('/teams', { headers: { 'x-request-id': given } })
      return headers.get('x-request-id')
    }
    expect(await idFor('trace-1:2.3_4')).toBe('trace-1:2.3_4')
    for (const harmful of ['x'.repeat(65), 'a b', '{"a":1}', 'é'])
      expect(await idFor(harmful)).not.toBe(harmful)
  })
})

describe('the log', () => {
  test('has one line a request with method, route, status and duration, and no path', async ({ service }) => {
    const user = await created(service.post('/users', newUser()))
    await service.get(`/users/${user.id}`)
    await service.get('/nowhere')
    const lines = service.logLines.map((line) => JSON.parse(line))
    expect(lines).toMatchObject([
      {
        method: 'POST',
        route: '/users',
        status: 201,
        ms: expect.any(Number),
        request_id: expect.any(String),
      },
      { method: 'GET', route: '/users/{user_id}', status: 200 },
      { method: 'GET', route: null, status: 404 },
    ])
    expect(service.logLines.join()).not.toContain(user.id)
  })

  test('has the cause of a 500, of which the client learns nothing', async ({ service }) => {
    const user = await created(service.post('/users', newUser()))
    await service.db.exclusively((tx) => tx.schema.dropTable('user_roles').execute())
    const answer = await service.get(`/users/${user.id}`)
    expect(answer).toMatchObject({ status: 500, json: { detail: 'Internal Server Error' } })
    const error = service.logLines.map((line) => JSON.parse(line)).find((line) => line.level === 50)
    expect(error).toMatchObject({ err: { message: expect.stringContaining('user_roles') } })
  })
})

describe('what is not there', () => {
  test.for(['/nowhere', '/users/', '/teams/x/y', '//users', '/docs/swagger-ui-dist/../../package.json'])(
    '%s gets 404 in the shape of every error',
    async (path, { service }) => {
      expect(await service.get(path)).toMatchObject({ status: 404, json: { detail: 'Not Found' } })
    },
  )

  test.for([
    ['PUT', '/teams', 'GET, HEAD, POST'],
    ['DELETE', '/roles', 'GET, HEAD, POST'],
    ['POST', `/users/${UserId.example}`, 'GET, HEAD, PATCH, DELETE'],
    ['GET', `/users/${UserId.example}/roles/${UserId.example}`, 'POST'],
    ['POST', '/openapi.json', 'GET, HEAD'],
    ['OPTIONS', '/teams', 'GET, HEAD, POST'],
  ] as const)('%s %s gets 405 with Allow', async ([method, path, allow], { service }) => {
    const answer = await service.request(path, { method })
    expect(answer).toMatchObject({ status: 405, json: { detail: 'Method Not Allowed' } })
    expect(answer.headers.get('allow')).toBe(allow)
  })

  test.for(['/', '/docs', '/openapi.json', '/healthz', '/readyz', '/teams', '/roles', '/users'])(
    'HEAD %s answers what GET does, less the body',
    async (path, { service }) => {
      const [get, head] = [await service.get(path), await service.request(path, { method: 'HEAD' })]
      expect(head).toMatchObject({ status: get.status, text: '' })
      expect(head.headers.get('content-type')).toBe(get.headers.get('content-type'))
    },
  )
})

describe('health', () => {
  test('is alive and ready, and stays out of the documentation', async ({ service }) => {
    expect(await service.get('/healthz')).toMatchObject({ status: 200 })
    expect(await service.get('/readyz')).toMatchObject({ status: 200 })
    expect(Object.keys((await service.get('/openapi.json')).json.paths)).not.toContain('/healthz')
  })
})
