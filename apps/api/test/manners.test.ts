import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Listening, listen } from './support/server.ts'

const PROBLEM = { 'content-type': 'application/json', 'cache-control': 'no-store' }

/** What the connection has, rather than the answer, and the length, which an answer to HEAD may leave out. */
const CONNECTION = ['connection', 'keep-alive', 'date', 'transfer-encoding', 'content-length']

describe.each(['a', 'b'] as const)('Profile %s over a socket', (profile) => {
  let service: Listening
  let paths: Record<string, Record<string, unknown>>
  beforeAll(async () => {
    service = await listen(profile)
    paths = (await service.get('/openapi.json')).json.paths
  })
  afterAll(() => service.close())

  const headersOf = (headers: Headers) => Object.fromEntries(headers)

  test('answers HEAD with the status and headers of GET, and no body', async () => {
    for (const path of ['/users', '/openapi.json', '/docs', '/healthz', '/users/garbage']) {
      const headers = { 'x-request-id': 'same' }
      const get = await service.request(path, { headers })
      const head = await service.request(path, { method: 'HEAD', headers })
      expect(head.status).toBe(get.status)
      expect(head.text).toBe('')
      const told = [...get.headers].filter(([name]) => !CONNECTION.includes(name))
      expect(headersOf(head.headers)).toMatchObject(Object.fromEntries(told))
      const length = head.headers.get('content-length')
      if (length !== null) expect(length).toBe(get.headers.get('content-length'))
    }
  })

  test('answers 405 with Allow for a method that a path does not have', async () => {
    expect(Object.keys(paths).length).toBeGreaterThan(4)
    for (const [path, operations] of Object.entries(paths)) {
      const answer = await service.request(path.replace(/\{\w+\}/g, 'x'), { method: 'PUT' })
      expect(answer).toMatchObject({ status: 405, json: { detail: 'Method Not Allowed' } })
      expect(headersOf(answer.headers)).toMatchObject(PROBLEM)
      const methods = Object.keys(operations).map((method) => method.toUpperCase())
      const allowed = answer.headers.get('allow')?.split(', ') ?? []
      expect(allowed.sort()).toEqual([...methods, ...(methods.includes('GET') ? ['HEAD'] : [])].sort())
    }
  })

  test('answers 404 for an unknown path', async () => {
    for (const path of ['/nothing', '/users/', '/teams/x/y', '/%', '/docs/../../etc/passwd']) {
      const answer = await service.get(path)
      expect(answer).toMatchObject({ status: 404, json: { detail: 'Not Found' } })
      expect(headersOf(answer.headers)).toMatchObject(PROBLEM)
    }
  })

  test.each(['announced', 'in chunks of unknown number'])('answers 413 for a large body, %s', async (way) => {
    const bytes = new Uint8Array(1024 * 1024 + 1).fill(0x20)
    const chunks = () => ReadableStream.from([bytes.slice(0, 1024 * 1024), bytes.slice(1024 * 1024)])
    const answer = await service.request('/teams', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      ...(way === 'announced' ? { body: bytes } : { body: chunks(), duplex: 'half' }),
    } as RequestInit)
    expect(answer).toMatchObject({ status: 413, json: { detail: 'Request body is larger than 1 MiB' } })
    expect(headersOf(answer.headers)).toMatchObject(PROBLEM)
  })

  test('lets nobody cache what the API answers', async () => {
    const team = await service.post('/teams', { name: 'x' })
    const answers = [team, await service.get(`/teams/${team.json.id}`), await service.get('/users')]
    for (const { headers } of answers) {
      expect(headersOf(headers)).toMatchObject(PROBLEM)
      expect(headers.get('etag')).toBeNull()
    }
  })

  test('takes over a sane X-Request-Id, makes one otherwise, and logs it', async () => {
    const logged = () => JSON.parse(service.logLines.at(-1) ?? '{}')
    for (const id of ['abc-123', 'a'.repeat(64), '0190163d-8694-739b-aea5-966c26f8ad91']) {
      const answer = await service.request('/users', { headers: { 'x-request-id': id } })
      expect(answer.headers.get('x-request-id')).toBe(id)
      expect(logged()).toMatchObject({ request_id: id, route: '/users', status: 200 })
    }
    for (const id of ['a b', '<script>', '{"a":1}', 'a'.repeat(65), 'é', '']) {
      const answer = await service.request('/users', { headers: { 'x-request-id': id } })
      expect(answer.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/)
      expect(logged().request_id).toBe(answer.headers.get('x-request-id'))
    }
  })

  test('sends the documentation with headers that keep other sites and their scripts out', async () => {
    const { status, headers, text } = await service.get('/docs')
    expect(status).toBe(200)
    expect(headersOf(headers)).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'content-security-policy': expect.stringMatching(/default-src 'none'.*frame-ancestors 'none'/),
    })
    const sources = [...text.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, source]) => source ?? '')
    expect(sources.length).toBeGreaterThan(1)
    for (const source of sources.filter((source) => !source.startsWith('data:'))) {
      expect(source).not.toMatch(/^(\w+:|\/\/)/)
      const file = await service.get(`/${source}`)
      expect(file.status).toBe(200)
      expect(file.headers.get('content-type')).toMatch(/^text\/(css|javascript); charset=utf-8$/)
    }
  })
})
