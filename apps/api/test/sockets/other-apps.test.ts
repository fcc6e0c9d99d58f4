import type { Server } from 'node:http'
import { createAdaptorServer } from '@hono/node-server'
import { Hono, type MiddlewareHandler } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import { testClient } from 'hono/testing'
import { clientOf, nextPage } from 'testkit/client.ts'
import { listenLocally } from 'testkit/sockets.ts'
import { expect, onTestFinished, test } from 'vitest'
import { RoleId, TeamId, UserId } from '../../src/ids.ts'
import { profileA } from '../../src/profile-a/index.ts'
import {
  insertRoles,
  insertUsers,
  startInMemory,
} from '../support/http-fixture.ts'
import { withSlowRows } from '../support/listen.ts'

async function serve(app: Hono) {
  const server = createAdaptorServer({ fetch: app.fetch }) as Server
  const port = await listenLocally(server)
  onTestFinished(() => void server.close().closeAllConnections())
  return (path: string, init?: RequestInit) =>
    fetch(`http://127.0.0.1:${port}${path}`, init)
}

const readText: MiddlewareHandler = async (c, next) => {
  if (c.req.method !== 'GET') await c.req.text()
  await next()
}

const readBytes: MiddlewareHandler = async (c, next) => {
  if (c.req.method !== 'GET') await c.req.arrayBuffer()
  await next()
}

const WAYS: [string, (profile: Hono) => ReturnType<typeof serve>][] = [
  [
    'under a prefix of another app that has read the body',
    async (profile) => {
      const app = new Hono().use(readText).route('/api', profile)
      return async (path, init) => app.request(`/api${path}`, init)
    },
  ],
  ['by a server of @hono/node-server', serve],
  [
    'by that server, behind a middleware that reads the body',
    (profile) => {
      const app = new Hono().use(bodyLimit({ maxSize: 2 ** 21 }), readBytes)
      return serve(app.route('/', profile))
    },
  ],
]

const JSON_TYPE = { 'content-type': 'application/json' }

test.for(WAYS)(
  'a profile responds as in the service to requests, bodies and lists (%s)',
  async ([, open]) => {
    const service = await startInMemory('a')
    const request = await open(profileA.app(service.db))
    const client = clientOf(request)
    const { get, post } = client
    const team = await post('/teams', { name: 'Engineering' })
    const { id } = team.json
    expect(team.status).toBe(201)
    expect(team.headers.get('location')).toBe(`teams/${id}`)
    const ids = await insertUsers(service.db, 450) // streamed in three parts
    const user = `/users/${ids[0]}`
    const page = await get('/users?limit=300')
    expect(page.json).toHaveLength(300)
    const next = nextPage(page.headers, '/users')
    const link = `<?limit=300&after=${ids[299]}>; rel="next"`
    expect(page.headers.get('link')).toBe(link)

    const HEAD = { method: 'HEAD' }
    const invalid = (body: string, headers = {}): [string, RequestInit] => [
      '/teams',
      { method: 'POST', body, headers: { ...JSON_TYPE, ...headers } },
    ]
    const requests: [path: string, init?: RequestInit][] = [
      ['/users'],
      [`${next}`],
      [`/teams/${id}`],
      [user],
      [`${user}/roles/${RoleId.example}`, { method: 'POST' }],
      [`/teams/${UserId.example}`],
      ['/users?limit=0'],
      ['/users', HEAD],
      ['/users?limit=2', HEAD],
      ...['{"name":7}', '', '{"name":', ' '.repeat(2 ** 20 + 1)].map((body) =>
        invalid(body),
      ),
      invalid('{}', { 'content-encoding': 'gzip' }),
    ]
    for (const [path, init] of requests) {
      const { status, text } = await service.request(path, init)
      expect(await client.request(path, init)).toMatchObject({ status, text })
    }
    expect((await client.delete(user)).status).toBe(204)
    expect((await get('/nothing')).status).toBe(404)
  },
)

test('the typed test client of Hono calls a profile', async () => {
  const { db } = await startInMemory('a')
  const client = testClient(profileA.app(db))
  const team = await client.teams.$post({ json: { name: 'Engineering' } })
  expect(team.status).toBe(201)
  const list = await client.teams.$get({ query: { limit: 1 } })
  expect(await list.json()).toMatchObject([{ name: 'Engineering' }])
})

test('an error of the database reaches the app around a profile, also after a list has started', async () => {
  const { database } = await startInMemory('a')
  const cause = Object.assign(new Error('disk full'), { code: 'SQLITE_FULL' })
  let reads = 0
  const { db } = withSlowRows(database, async () => {
    reads += 1
    if (reads > 1) throw cause
  })
  const [user] = await insertUsers(database.db, 250)
  const [role] = await insertRoles(database.db, 1)
  const errors: unknown[] = []
  const app = new Hono().route('/api', profileA.app(db)).onError((error, c) => {
    errors.push(error)
    return c.text('ours', 503)
  })
  await expect((await app.request('/api/users')).text()).rejects.toBe(cause)
  const response = await app.request(`/api/teams/${TeamId.example}`)
  expect([response.status, await response.text()]).toEqual([503, 'ours'])
  const path = `/api/users/${user}/roles/${role}`
  await app.request(path, { method: 'POST' })
  expect(errors).toEqual([cause, cause])
})
