import { setImmediate as nextTurn } from 'node:timers/promises'
import { Hono } from 'hono'
import { nextPage, readPages } from 'testkit/client.ts'
import { idSchema } from 'typed-id/zod'
import { describe, expect } from 'vitest'
import { z } from 'zod'
import { list } from '../../src/http/list.ts'
import { declaredRoutes } from '../../src/http/routes.ts'
import { RoleId, SessionId, TeamId } from '../../src/ids.ts'
import type { Page } from '../../src/page.ts'
import {
  assignRoles,
  bodyOf201,
  insertRoles,
  insertUsers,
  newUser,
  type Service,
  storedUser,
  test,
} from '../support/http-fixture.ts'
import { appOn, pausedReads } from '../support/listen.ts'

/**
 * Updates a row with its own id. PostgreSQL moves the row to the end of the
 * table, where a list without ORDER BY would find the row.
 */
const rewrite = ({ db }: Service, table: string, id = '') =>
  db.updateTable(table).set({ id }).where('id', '=', id).execute()

const idsOf = (items: { id: string }[]) => items.map(({ id }) => id)

async function readAll(service: Service, path: string) {
  const pages = []
  for await (const page of readPages(service, path)) pages.push(page)
  return { items: pages.flat(), sizes: pages.map(({ length }) => length) }
}

describe.each([
  ['/teams', () => ({ name: 'Engineering' })],
  ['/roles', () => ({ name: RoleId.generate() })],
  ['/users', newUser],
])('the list %s', (path, newItem) => {
  test('is in the order of creation and consists of its pages', async ({
    service,
  }) => {
    expect(await service.get(path)).toMatchObject({ status: 200, json: [] })
    const rows: { id: string }[] = []
    for (let n = 0; n < 5; n += 1)
      rows.push(await bodyOf201(service.post(path, newItem())))
    const [first, , third] = rows
    await rewrite(service, path.slice(1), first?.id)
    expect((await service.get(path)).json).toEqual(rows)
    const { json } = await service.get(`${path}?after=${first?.id}`)
    expect(json).toEqual(rows.slice(1))
    for (const [limit, sizes] of [
      [2, [2, 2, 1]],
      [5, [5]],
      [1000, [5]],
    ] as const)
      expect(await readAll(service, `${path}?limit=${limit}`)).toEqual({
        items: rows,
        sizes,
      })

    const linkOf = async (query: string) => {
      const url = path + query
      const { headers } = await service.request(url, { method: 'HEAD' })
      const link = headers.get('link')
      expect((await service.get(url)).headers.get('link')).toBe(link)
      return nextPage(headers, path)
    }
    expect(await linkOf(`?after=${first?.id}`)).toBeUndefined()
    expect(await linkOf('?limit=3')).toBe(`${path}?limit=3&after=${third?.id}`)
  })
})

test('GET /users with team_id lists the members of the team, oldest first, and Link repeats no undocumented parameter', async ({
  service,
}) => {
  const team_id = TeamId.generate()
  const team = { id: team_id, name: '' }
  await service.db.insertInto('teams').values(team).execute()
  const members = await insertUsers(service.db, 3, { team_id })
  await insertUsers(service.db, 1)
  await rewrite(service, 'users', members[0])
  const list = async (id: TeamId) =>
    (await service.get(`/users?team_id=${id}`)).json
  const json = members.map((id) => ({ id, team }))
  expect(await list(team_id)).toMatchObject(json)
  expect(await list(TeamId.generate())).toEqual([])
  const first = `team_id=${team_id}&limit=1`
  const { headers } = await service.get(
    `/users?colour=a%20b%26c&colour=d&${first}`,
  )
  const link = `<?${first}&after=${members[0]}>; rel="next"`
  expect(headers.get('link')).toBe(link)
})

test('the roles of a user are in the order of their creation, in a list, too', async ({
  service,
}) => {
  const { id } = await storedUser(service)
  const roles = await insertRoles(service.db, 3)
  for (const role of roles.toReversed())
    await service.post(`/users/${id}/roles/${role}`)
  await rewrite(service, 'roles', roles[0])
  const user = (await service.get(`/users/${id}`)).json
  expect(idsOf(user.roles)).toEqual(roles)
  expect((await service.get('/users')).json).toEqual([user])
})

test('a page of users ends after half a million characters, and no user or role is lost', async ({
  service,
}) => {
  const description = '😀'.repeat(200)
  const roles = await insertRoles(service.db, 600, { description })
  const users = await insertUsers(service.db, 5)
  const counts = [600, 600, 1, 0, 400]
  for (const [n, count] of counts.entries())
    if (count) await assignRoles(service.db, [users[n]], roles.slice(0, count))
  const { items, sizes } = await readAll(service, '/users?limit=100')
  expect(sizes).toEqual([2, 3])
  expect(items).toMatchObject(
    users.map((id, n) => ({
      id,
      roles: roles.slice(0, counts[n]).map((id) => ({ id, description })),
    })),
  )
  expect((await service.get('/users')).json).toEqual(items)
})

test('at most four lists read at the same time', async ({ database }) => {
  const { options, waiting, release } = pausedReads()
  const { app } = appOn(options(database).database)
  const lists = Array.from({ length: 6 }, () => app.request('/teams'))
  await expect.poll(waiting).toBeGreaterThan(3)
  for (let turn = 0; turn < 100; turn += 1) await nextTurn()
  expect(waiting()).toBe(4)
  release()
  for (const list of lists) expect((await list).status).toBe(200)
})

// A list endpoint reads up to 200 items in one query.
test.for([200, 201, 400])(
  'a list is complete JSON, and its first page has at most `limit` (%d items)',
  async (count, { service }) => {
    const ids = TeamId.generateMany(count)
    const rows = ids.map((id) => ({ id, name: '' }))
    await service.db.insertInto('teams').values(rows).execute()
    expect(idsOf((await service.get('/teams')).json)).toEqual(ids)
    const page = await service.get('/teams?limit=300')
    expect(page.json).toHaveLength(Math.min(count, 300))
    expect(page.headers.has('link')).toBe(count > 300)
  },
)

function listOf(
  after: typeof TeamId | typeof SessionId,
  pages: Page<{ id: TeamId | SessionId }>[] = [],
) {
  const item = z.object({ id: idSchema(after) })
  const declaration = { id: 'list', tag: 'x', summary: 'List', item, after }
  const end = { items: [], hasMore: false }
  return new Hono().get(
    '/x',
    list(declaration, async () => pages.shift() ?? end),
  )
}

test('the document states the order of a list', () => {
  for (const [type, description] of [
    [TeamId, 'The items, oldest first'],
    [SessionId, 'The items, in the order of their ids'],
  ] as const) {
    const declaration = { success: { description } }
    expect(declaredRoutes(listOf(type).routes)).toMatchObject([{ declaration }])
  }
})

test('a page without items must be the last one', async () => {
  const app = listOf(TeamId, [{ items: [], hasMore: true }])
  app.onError(({ message }, c) => c.text(message, 500))
  const head = await app.request('/x', { method: 'HEAD' })
  expect(head.status, 'HEAD reads no page').toBe(200)
  expect(await (await app.request('/x')).text()).toBe(
    'expected the page to have an item, or to be the last',
  )
})

test.for(['/x', '/x?limit=2'])(
  'when all further items are deleted after the first page, %s ends with it',
  async (path) => {
    const items = [{ id: TeamId.example }]
    const app = listOf(TeamId, [{ items, hasMore: true }])
    const response = await app.request(path)
    expect(await response.json()).toEqual(items)
    expect(response.headers.has('link')).toBe(false)
  },
)
