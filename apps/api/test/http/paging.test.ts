import { nextPage, readPages } from 'testkit/client.ts'
import { type Document, operationsOf, resolved, type Schema } from 'testkit/document.ts'
import { describe, expect } from 'vitest'
import { servedDocument } from '../../openapi/documents.ts'
import { RoleId, TeamId } from '../../src/ids.ts'
import type { OpenDatabase } from '../../src/open-database.ts'
import { bodyOf201, type Service, storedUser, test } from '../support/http-fixture.ts'

const document: Document = JSON.parse(await servedDocument('a'))
const operations = operationsOf(document)

/** Every list of all rows of a table: the operations that have a parameter `after`, and none in the path. */
const lists = operations.flatMap(({ path, parameters }) => {
  const after = parameters.find(({ name }) => name === 'after')
  return after && !path.includes('{') ? [{ path, prefix: after.schema['x-typed-id'].prefix as string }] : []
})
const ROWS = 5

/** Returns a row that is created by the POST of a list, from the example of its body: its texts differ from those before. */
async function createRow(service: Service, path: string, n: number): Promise<{ id: string }> {
  const post = operations.find((operation) => operation.method === 'POST' && operation.path === path)
  const { properties, example } = resolved(
    document,
    post?.requestBody?.content['application/json'].schema ?? {},
  )
  const body: Record<string, unknown> = {}
  for (const [name, schema] of Object.entries<Schema>(properties)) {
    const value = example[name]
    const parent = value && lists.find(({ prefix }) => prefix === schema['x-typed-id']?.prefix)
    if (parent) body[name] = (await createRow(service, parent.path, n)).id
    else body[name] = typeof value === 'string' && schema.format !== 'date-time' ? `${n}${value}` : value
  }
  return bodyOf201(service.post(path, body))
}

/** Rewrites a row in place: PostgreSQL moves it to the end of the table, so a list without ORDER BY returns it last. */
async function rewrite(database: OpenDatabase, table: string, shownId = '') {
  const id = shownId
  await database.db.updateTable(table).set({ id }).where('id', '=', id).execute()
}

/** Creates rows, rewrites the oldest of them, and returns the bodies of the responses in the order of creation. */
async function createRows(
  service: Service,
  database: OpenDatabase,
  { path, prefix }: (typeof lists)[number],
) {
  const rows: { id: string }[] = []
  for (let n = 0; n < ROWS; n += 1) rows.push(await createRow(service, path, n))
  const oldest = rows[0]?.id ?? ''
  const table = await tableOf(database, oldest)
  if (table === undefined) throw new Error(`no table has the ${prefix} ${oldest} in its column id`)
  await rewrite(database, table, oldest)
  return rows
}

async function tableOf({ db }: OpenDatabase, id: string): Promise<string | undefined> {
  for (const { name, columns } of await db.introspection.getTables())
    if (
      columns.some((column) => column.name === 'id') &&
      (await db.selectFrom(name).select('id').where('id', '=', id).executeTakeFirst())
    )
      return name
  return undefined
}

const idsOf = (items: { id: string }[]) => items.map(({ id }) => id)

test('the lists of the specification have a parameter after', () => {
  expect(lists.map(({ path }) => path)).toEqual(expect.arrayContaining(['/roles', '/teams', '/users']))
})

describe.each(lists)('the list $path', (list) => {
  const { path } = list

  test('is in the order of creation, whatever the order of the rows in the table', async ({
    service,
    database,
  }) => {
    expect(await service.get(path)).toMatchObject({ status: 200, json: [] })
    const rows = await createRows(service, database, list)
    expect((await service.get(path)).json).toEqual(rows)
    expect((await service.get(`${path}?limit=3`)).json).toEqual(rows.slice(0, 3))
    expect((await service.get(`${path}?after=${rows[0]?.id}`)).json).toEqual(rows.slice(1))
  })

  test('consists of its pages', async ({ service, database }) => {
    await createRows(service, database, list)
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
        Array.from({ length: Math.ceil(ROWS / limit) }, (_, n) => Math.min(limit, ROWS - n * limit)),
      )
    }
  })

  test('links to the next page only where there is one, and only with limit', async ({
    service,
    database,
  }) => {
    const ids = idsOf(await createRows(service, database, list))
    const linkOf = async (query: string) => nextPage((await service.get(`${path}${query}`)).headers, path)
    expect(await linkOf('')).toBeUndefined()
    expect(await linkOf('?limit=5')).toBeUndefined()
    expect(await linkOf(`?after=${ids[0]}`)).toBeUndefined()
    expect(await linkOf('?limit=3')).toBe(`${path}?limit=3&after=${ids[2]}`)
    expect(await linkOf(`?limit=3&after=${ids[1]}`)).toBeUndefined()
  })

  test('reports an invalid limit and an invalid after together', async ({ service }) => {
    expect(await service.get(`${path}?limit=0&after=x`)).toMatchObject({
      status: 422,
      json: { detail: [{ loc: ['query', 'limit'] }, { loc: ['query', 'after'] }] },
    })
  })
})

test('the members of a team are in the order of creation, and the link keeps the filter', async ({
  service,
  database,
}) => {
  const team = await bodyOf201(service.post('/teams', { name: 'Engineering' }))
  const members = []
  for (let n = 0; n < 3; n += 1) members.push((await storedUser(service, { team_id: team.id })).id)
  const [oldest] = members
  await rewrite(database, 'users', oldest)
  expect(idsOf((await service.get(`/users?team_id=${team.id}`)).json)).toEqual(members)

  const { headers } = await service.get(`/users?team_id=${team.id}&limit=1`)
  expect(nextPage(headers, '/users')).toBe(`/users?team_id=${team.id}&limit=1&after=${oldest}`)
})

test('the roles of a user are in the order of their creation, in a list, too', async ({
  service,
  database,
}) => {
  const user = await storedUser(service)
  const roles: { id: string }[] = []
  for (const name of ['c', 'a', 'b']) roles.push(await bodyOf201(service.post('/roles', { name })))
  for (const role of roles.toReversed()) await service.post(`/users/${user.id}/roles/${role.id}`)
  await rewrite(database, 'roles', roles[0]?.id)
  expect((await service.get(`/users/${user.id}`)).json.roles).toEqual(roles)
  expect((await service.get('/users')).json[0].roles).toEqual(roles)
})

test('a page of users has at most 1,000 rows, roles included, and the pages have every user with every role', async ({
  service,
}) => {
  const roles = RoleId.generateMany(600).map((id, n) => ({ id, name: `role ${n}`, description: null }))
  await service.db.insertInto('roles').values(roles).execute()
  const users = []
  for (const count of [600, 600, 400, 1, 0]) {
    const user = await storedUser(service)
    const assigned = roles.slice(0, count).map(({ id }) => ({ user_id: user.id, role_id: id }))
    if (count > 0) await service.db.insertInto('user_roles').values(assigned).execute()
    users.push({ ...user, roles: roles.slice(0, count) })
  }
  const sizes = []
  const items = []
  for await (const page of readPages(service, '/users?limit=100')) {
    sizes.push(page.length)
    items.push(...page)
  }
  expect(sizes).toEqual([1, 2, 2])
  expect(items).toEqual(users)
  expect((await service.get('/users')).json).toEqual(users)
})

// A streamed list is read in pages of 200.
test.for([199, 200, 201, 400])(
  'a list of %d items without `limit` is complete JSON',
  async (count, { service }) => {
    const ids = TeamId.generateMany(count)
    await service.db.transaction().execute(async (tx) => {
      await tx
        .insertInto('teams')
        .values(ids.map((id) => ({ id, name: '' })))
        .execute()
    })
    expect((await service.get('/teams')).json.map(({ id }: { id: string }) => id)).toEqual(ids)
  },
)
