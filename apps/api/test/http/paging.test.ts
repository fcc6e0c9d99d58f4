import { nextPage, readPages } from 'testkit/client.ts'
import { describe, expect } from 'vitest'
import type { OpenDatabase } from '../../src/database/open.ts'
import { RoleId, TeamId } from '../../src/ids.ts'
import {
  bodyOf201,
  newUser,
  type Service,
  storedUser,
  test,
} from '../support/http-fixture.ts'

const ROWS = 5

/**
 * The lists that return a whole table, each with a function that returns a new
 * body for POST.
 */
const LISTS: Readonly<Record<string, () => object>> = {
  '/teams': () => ({ name: 'Engineering' }),
  '/roles': () => ({ name: RoleId.generate() }),
  '/users': newUser,
}

/**
 * Updates a row with its own values: PostgreSQL moves it to the end of the
 * table, so a list without ORDER BY returns it last.
 */
async function rewrite(database: OpenDatabase, table: string, id = '') {
  await database.db
    .updateTable(table)
    .set({ id })
    .where('id', '=', id)
    .execute()
}

/**
 * Creates rows, rewrites the oldest of them, and returns the bodies of the
 * responses in the order of creation.
 */
async function createRows(
  service: Service,
  database: OpenDatabase,
  path: string,
) {
  const rows: { id: string }[] = []
  for (let n = 0; n < ROWS; n += 1)
    rows.push(await bodyOf201(service.post(path, LISTS[path]?.())))
  await rewrite(database, path.slice(1), rows[0]?.id)
  return rows
}

const idsOf = (items: { id: string }[]) => items.map(({ id }) => id)

describe.each(Object.keys(LISTS))('the list %s', (path) => {
  test('is in the order of creation, whatever the order of the rows in the table', async ({
    service,
    database,
  }) => {
    expect(await service.get(path)).toMatchObject({ status: 200, json: [] })
    const rows = await createRows(service, database, path)
    expect((await service.get(path)).json).toEqual(rows)
    expect((await service.get(`${path}?limit=3`)).json).toEqual(
      rows.slice(0, 3),
    )
    expect((await service.get(`${path}?after=${rows[0]?.id}`)).json).toEqual(
      rows.slice(1),
    )
  })

  test('consists of its pages', async ({ service, database }) => {
    await createRows(service, database, path)
    const all = (await service.get(path)).json
    for (const limit of [1, 2, 4, 5, 6, 1000]) {
      const sizes = []
      const items = []
      for await (const page of readPages(service, `${path}?limit=${limit}`)) {
        sizes.push(page.length)
        items.push(...page)
      }
      expect(items).toEqual(all)
      expect(sizes, `limit=${limit}`).toEqual(
        Array.from({ length: Math.ceil(ROWS / limit) }, (_, n) =>
          Math.min(limit, ROWS - n * limit),
        ),
      )
    }
  })

  test('links to the next page only where there is one, and only with limit', async ({
    service,
    database,
  }) => {
    const ids = idsOf(await createRows(service, database, path))
    const linkOf = async (query: string) => {
      const read = async (method: string) =>
        (await service.request(`${path}${query}`, { method })).headers
      const headers = await read('GET')
      expect((await read('HEAD')).get('link')).toBe(headers.get('link'))
      return nextPage(headers, path)
    }
    expect(await linkOf('')).toBeUndefined()
    expect(await linkOf('?limit=5')).toBeUndefined()
    expect(await linkOf(`?after=${ids[0]}`)).toBeUndefined()
    expect(await linkOf('?limit=3')).toBe(`${path}?limit=3&after=${ids[2]}`)
    expect(await linkOf(`?limit=3&after=${ids[1]}`)).toBeUndefined()
  })

  test('reports an invalid limit and an invalid after together', async ({
    service,
  }) => {
    expect(await service.get(`${path}?limit=0&after=x`)).toMatchObject({
      status: 422,
      json: {
        detail: [{ loc: ['query', 'limit'] }, { loc: ['query', 'after'] }],
      },
    })
  })
})

test('the members of a team are in the order of creation, and the link keeps the filter', async ({
  service,
  database,
}) => {
  const team = await bodyOf201(service.post('/teams', { name: 'Engineering' }))
  const members = []
  for (let n = 0; n < 3; n += 1)
    members.push((await storedUser(service, { team_id: team.id })).id)
  const [oldest] = members
  await rewrite(database, 'users', oldest)
  expect(idsOf((await service.get(`/users?team_id=${team.id}`)).json)).toEqual(
    members,
  )

  const { headers } = await service.get(`/users?team_id=${team.id}&limit=1`)
  expect(nextPage(headers, '/users')).toBe(
    `/users?team_id=${team.id}&limit=1&after=${oldest}`,
  )
})

test('the roles of a user are in the order of their creation, in a list, too', async ({
  service,
  database,
}) => {
  const user = await storedUser(service)
  const roles: { id: string }[] = []
  for (const name of ['c', 'a', 'b'])
    roles.push(await bodyOf201(service.post('/roles', { name })))
  for (const role of roles.toReversed())
    await service.post(`/users/${user.id}/roles/${role.id}`)
  await rewrite(database, 'roles', roles[0]?.id)
  expect((await service.get(`/users/${user.id}`)).json.roles).toEqual(roles)
  expect((await service.get('/users')).json[0].roles).toEqual(roles)
})

test('a page of users ends after half a million characters, and the pages have every user with every role', async ({
  service,
}) => {
  const roles = RoleId.generateMany(600).map((id, n) => ({
    id,
    name: `role ${n}`,
    description: '😀'.repeat(200),
  }))
  await service.db.insertInto('roles').values(roles).execute()
  const users = []
  for (const count of [600, 600, 1, 0, 400]) {
    const user = await storedUser(service)
    const assigned = roles
      .slice(0, count)
      .map(({ id }) => ({ user_id: user.id, role_id: id }))
    if (count > 0)
      await service.db.insertInto('user_roles').values(assigned).execute()
    users.push({ ...user, roles: roles.slice(0, count) })
  }
  const sizes = []
  const items = []
  for await (const page of readPages(service, '/users?limit=100')) {
    sizes.push(page.length)
    items.push(...page)
  }
  expect(sizes).toEqual([2, 3])
  expect(items).toEqual(users)
  expect((await service.get('/users')).json).toEqual(users)
})

// Sizes around the 200 items that a list reads at a time.
test.for([199, 200, 201, 400])(
  'a list of %d items is complete JSON, and its first page has at most `limit`',
  async (count, { service }) => {
    const ids = TeamId.generateMany(count)
    await service.db.transaction().execute(async (tx) => {
      await tx
        .insertInto('teams')
        .values(ids.map((id) => ({ id, name: '' })))
        .execute()
    })
    expect(
      (await service.get('/teams')).json.map(({ id }: { id: string }) => id),
    ).toEqual(ids)
    const page = await service.get('/teams?limit=300')
    expect(page.json).toHaveLength(Math.min(count, 300))
    expect(page.headers.has('link')).toBe(count > 300)
  },
)
