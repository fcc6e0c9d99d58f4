import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { serve } from '@hono/node-server'
import { Hono } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import { testClient } from 'hono/testing'
import { clientOf, nextPage } from 'testkit/client.ts'
import { expect, onTestFinished } from 'vitest'
import type { OpenDatabase } from '../../src/database/open.ts'
import { RoleId, TeamId, UserId } from '../../src/ids.ts'
import { profileA } from '../../src/profile-a/index.ts'
import { insertUsers, PASSWORD, test } from '../support/http-fixture.ts'
import { withSlowRows } from '../support/listen.ts'

/** Ways to call a profile without the server of the service. */
const WAYS = {
  'app.request()': (db: OpenDatabase['db']) => {
    const app = profileA.app(db)
    return async (path: string, init?: RequestInit) => app.request(path, init)
  },
  'a prefix in another app': (db: OpenDatabase['db']) => {
    const app = new Hono().route('/api', profileA.app(db))
    return async (path: string, init?: RequestInit) =>
      app.request(`/api${path}`, init)
  },
  'another app that has read the body': (db: OpenDatabase['db']) => {
    const app = new Hono()
      .use(async (c, next) => {
        if (c.req.method !== 'GET') await c.req.text()
        await next()
      })
      .route('/', profileA.app(db))
    return async (path: string, init?: RequestInit) => app.request(path, init)
  },
  'serve() of @hono/node-server': (db: OpenDatabase['db']) =>
    listening(profileA.app(db)),
  'serve() behind a middleware that reads the body': (db: OpenDatabase['db']) =>
    listening(
      new Hono()
        .use(bodyLimit({ maxSize: 2 ** 21 }), async (c, next) => {
          if (c.req.method !== 'GET') await c.req.arrayBuffer()
          await next()
        })
        .route('/', profileA.app(db)),
    ),
}

function listening(app: Hono) {
  const server = serve({ fetch: app.fetch, port: 0 })
  onTestFinished(async () => {
    server.close()
    if ('closeAllConnections' in server) server.closeAllConnections()
    await once(server, 'close')
  })
  return async (path: string, init?: RequestInit) => {
    if (!server.listening) await once(server, 'listening')
    const { port } = server.address() as AddressInfo
    return fetch(`http://127.0.0.1:${port}${path}`, init)
  }
}

test.for(Object.entries(WAYS))(
  'a profile responds to every endpoint in %s as in the service',
  async ([, open], { service }) => {
    const request = open(service.db)
    const { get, post, patch, delete: remove } = clientOf(request)
    const team = await post('/teams', { name: 'Engineering' })
    const { id } = team.json
    expect(team).toMatchObject({ status: 201, json: { name: 'Engineering' } })
    expect(team.headers.get('location')).toBe(`teams/${id}`)
    const role = await post('/roles', { name: 'admin' })
    expect(await post('/roles', { name: 'admin' })).toMatchObject({
      status: 400,
      json: { detail: 'Role name already exists' },
    })
    const given = { email: 'a@b.example', name: 'Ada', team_id: id }
    const user = await post('/users', { ...given, password: PASSWORD })
    expect(user).toMatchObject({ status: 201, json: { team: team.json } })
    const path = `/users/${user.json.id}`
    const assigned = await post(`${path}/roles/${role.json.id}`)
    expect(assigned).toMatchObject({ json: { roles: [role.json] } })
    const changed = await patch(path, { name: 'Grace' })
    expect(changed).toMatchObject({ status: 200, json: { name: 'Grace' } })
    for (const list of ['/users', `/users?team_id=${id}`])
      expect((await get(list)).json).toEqual([changed.json])
    expect((await get(path)).json).toEqual(changed.json)
    expect((await remove(path)).status).toBe(204)

    for (const [wanted, status] of [
      [path, 404],
      [`/teams/${UserId.example}`, 422],
      ['/users?limit=0', 422],
      ['/roles?limit=1', 200],
      ['/nothing', 404],
    ] as const) {
      const expected = await service.get(wanted)
      expect(expected.status).toBe(status)
      const { json, status: received } = await get(wanted)
      expect(received).toBe(status)
      if (wanted !== '/nothing') expect(json).toEqual(expected.json)
    }
    for (const [body, headers] of [
      ['{"name":7}', {}],
      ['', {}],
      ['{"name":', {}],
      [' '.repeat(2 ** 20 + 1), {}],
      ['{}', { 'content-encoding': 'gzip' }],
    ] as const) {
      const init = {
        method: 'POST',
        body,
        headers: { 'content-type': 'application/json', ...headers },
      }
      const { status, json } = await service.request('/teams', init)
      const response = await request('/teams', init)
      expect(response.status).toBe(status)
      expect(await response.json()).toEqual(json)
    }
  },
)

test.for(Object.entries(WAYS))(
  'a list has all items and its pages in %s',
  async ([, open], { service }) => {
    const request = open(service.db)
    const { get, request: send } = clientOf(request)
    const ids = await insertUsers(service.db, 450) // streamed in three parts
    const idsOf = (items: { id: string }[]) => items.map(({ id }) => id)
    expect(idsOf((await get('/users')).json)).toEqual(ids)
    const page = await get('/users?limit=300')
    expect(idsOf(page.json)).toEqual(ids.slice(0, 300))
    const rest = nextPage(page.headers, '/users') ?? ''
    expect(idsOf((await get(rest)).json)).toEqual(ids.slice(300))
    for (const path of ['/users', '/users?limit=2']) {
      const head = await send(path, { method: 'HEAD' })
      expect(head).toMatchObject({ status: 200, text: '' })
    }
  },
)

test('the typed test client of Hono calls a profile', async ({ service }) => {
  const client = testClient(profileA.app(service.db))
  const team = await client.teams.$post({ json: { name: 'Engineering' } })
  expect(team.status).toBe(201)
  const list = await client.teams.$get({ query: { limit: 1 } })
  expect(await list.json()).toMatchObject([{ name: 'Engineering' }])
  const team_id = TeamId.generate()
  const missing = await client.teams[':team_id'].$get({ param: { team_id } })
  expect(missing.status).toBe(404)
})

test('the links of a profile under a prefix lead to the prefix', async ({
  service,
}) => {
  const app = new Hono().route('/api/v1', profileA.app(service.db))
  const base = 'http://host/api/v1/teams'
  for (const name of ['one', 'two']) {
    const { headers } = await app.request(base, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ name }),
    })
    const { href } = new URL(headers.get('location') ?? '', base)
    expect(await (await app.request(href)).json()).toMatchObject({ name })
  }
  const { headers } = await app.request(`${base}?limit=1`)
  const [, link = ''] = /<(.+)>/.exec(headers.get('link') ?? '') ?? []
  const next = await app.request(new URL(link, base).href)
  expect(await next.json()).toMatchObject([{ name: 'two' }])
})

test('an error of the database reaches the app that a profile is part of, also after a list has started', async ({
  database,
}) => {
  const cause = Object.assign(new Error('disk full'), { code: 'SQLITE_FULL' })
  let reads = 0
  const { db } = withSlowRows(database, async () => {
    reads += 1
    if (reads > 1) throw cause
  })
  await insertUsers(database.db, 250)
  const errors: unknown[] = []
  const app = new Hono().route('/api', profileA.app(db)).onError((error, c) => {
    errors.push(error)
    return c.text('ours', 503)
  })
  await expect((await app.request('/api/users')).text()).rejects.toBe(cause)
  const response = await app.request(`/api/teams/${TeamId.example}`)
  expect([response.status, await response.text()]).toEqual([503, 'ours'])
  await app.request(`/api/users/${UserId.example}/roles/${RoleId.example}`, {
    method: 'POST',
  })
  expect(errors).toEqual([cause, cause])
})
