import type { hc as Hc } from 'hono/client'
import { idSchema } from 'typed-id/zod'
import { expectTypeOf, test } from 'vitest'
import { z } from 'zod'
import type { AppType } from '../../src/app.ts'
import { endpoint } from '../../src/http/endpoint.ts'
import { defineErrors, fail } from '../../src/http/failures.ts'
import { list } from '../../src/http/list.ts'
import { RoleId, TeamId, UserId } from '../../src/ids.ts'
import type { Page } from '../../src/page.ts'

const ERRORS = defineErrors({
  user_not_found: { status: 404, detail: 'User not found' },
  team_not_found: { status: 404, detail: 'Team not found' },
  gone: { status: 410, detail: 'User not found' },
})
const Role = z.object({ id: idSchema(RoleId), name: z.string() })
const User = z.object({
  id: idSchema(UserId),
  name: z.string(),
  team: z.object({ id: idSchema(TeamId) }).nullable(),
  roles: z.array(Role),
})
const declaration = {
  id: 'getUser',
  tag: 'users',
  summary: 'Read a user',
  param: z.object({ user_id: idSchema(UserId) }),
  success: { status: 200, description: 'The user', body: User },
  errors: [ERRORS.user_not_found],
} as const
const user = { id: UserId.generate(), name: '', team: null, roles: [] }
const roles = [{ id: RoleId.generate(), name: '', secret: '' }]

test('a handler receives what the declaration validates', () => {
  endpoint(declaration, async (c) => {
    expectTypeOf(c.req.valid('param')).toEqualTypeOf<{ user_id: UserId }>()
    // @ts-expect-error the endpoint declares no body
    c.req.valid('json')
    return c.json({ ...user, id: c.req.valid('param').user_id }, 200)
  })
})

test('a declared error compiles, another one does not', () => {
  endpoint(declaration, async (c) =>
    c.req.path ? fail(c, ERRORS.user_not_found) : c.json(user, 200),
  )
  // @ts-expect-error an undeclared detail
  endpoint(declaration, async (c) => fail(c, ERRORS.team_not_found))
  // @ts-expect-error an undeclared status
  endpoint(declaration, async (c) => fail(c, ERRORS.gone))
  const silent = { ...declaration, errors: undefined }
  // @ts-expect-error an endpoint without errors
  endpoint(silent, async (c) => fail(c, ERRORS.user_not_found))
})

test('another status or body does not compile', () => {
  // @ts-expect-error an undeclared status
  endpoint(declaration, async (c) => c.json(user, 201))
  // @ts-expect-error no status
  endpoint(declaration, async (c) => c.json(user))
  const { name: _, ...nameless } = user
  // @ts-expect-error a field is missing
  endpoint(declaration, async (c) => c.json(nameless, 200))
  const id = TeamId.generate()
  // @ts-expect-error an id of another type
  endpoint(declaration, async (c) => c.json({ ...user, id }, 200))
  // @ts-expect-error a response without a type
  endpoint(declaration, async () => new Response())
  const deleted = {
    ...declaration,
    success: { status: 204, description: 'Deleted' },
  } as const
  endpoint(deleted, async (c) => c.body(null, 204))
  // @ts-expect-error a body that is not declared
  endpoint(deleted, async (c) => c.json(user, 200))
})

test('a field that is not declared does not compile, at any depth', () => {
  const row = { ...user, password_hash: 'secret' }
  endpoint(declaration, async (c) =>
    // @ts-expect-error
    c.req.path ? c.json(row, 200) : fail(c, ERRORS.user_not_found),
  )
  const team = { id: TeamId.generate(), secret: '' }
  // @ts-expect-error
  endpoint(declaration, async (c) => c.json({ ...user, team }, 200))
  // @ts-expect-error
  endpoint(declaration, async (c) => c.json({ ...user, roles }, 200))
})

const listed = {
  id: 'listUsers',
  tag: 'users',
  summary: 'List users',
  query: z.object({ team_id: idSchema(TeamId).optional() }),
  item: User,
  after: UserId,
  errors: [ERRORS.team_not_found],
} as const

declare function pageOf<Item>(item: Item): Promise<Page<Item>>

test('a list has items of its schema, and only these', () => {
  list(listed, (c, { after, limit }) => {
    expectTypeOf(c.req.valid('query').team_id).toEqualTypeOf<
      TeamId | undefined
    >()
    expectTypeOf(after).toEqualTypeOf<UserId>()
    expectTypeOf(limit).toEqualTypeOf<number>()
    return pageOf(user)
  })
  const getPage = () => pageOf(user)
  list(listed, getPage, (c) => fail(c, ERRORS.team_not_found))
  // @ts-expect-error an undeclared error
  list(listed, getPage, (c) => fail(c, ERRORS.user_not_found))
  // @ts-expect-error a field is missing
  list(listed, () => pageOf({ id: user.id }))
  // @ts-expect-error a field that is not declared
  list(listed, () => pageOf({ ...user, password_hash: '' }))
})

declare const client: ReturnType<typeof Hc<AppType>>

test('the client narrows the body of a response by its status, with ids of their types', async () => {
  const param = { user_id: user.id }
  const response = await client.users[':user_id'].$get({ param })
  if (response.status === 200) {
    const { id, team, roles } = await response.json()
    expectTypeOf(id).toEqualTypeOf<UserId>()
    expectTypeOf(team?.id).toEqualTypeOf<TeamId | undefined>()
    expectTypeOf(roles[0]?.id).toEqualTypeOf<RoleId | undefined>()
  } else if (response.status === 404) {
    const { detail } = await response.json()
    expectTypeOf(detail).toEqualTypeOf<'User not found'>()
  } else if (response.status === 422) {
    const [issue] = (await response.json()).detail
    expectTypeOf(issue?.loc).toEqualTypeOf<(string | number)[] | undefined>()
  }
  const query = { team_id: TeamId.example, limit: 10, after: user.id }
  const list = await client.users.$get({ query })
  if (list.ok)
    expectTypeOf((await list.json())[0]?.id).toEqualTypeOf<UserId | undefined>()
})

test('the client sends the declared fields, with ids of their types', async () => {
  const param = { user_id: user.id }
  const json = { email: 'a@example.com', name: 'Ada', password: 'x' }
  await client.users.$post({ json: { ...json, team_id: null } })
  // @ts-expect-error a field is missing
  await client.users.$post({ json: { email: 'a@example.com', name: 'Ada' } })
  await client.users.$get({ query: {} })
  // @ts-expect-error an id of another type
  await client.users.$get({ query: { team_id: user.id } })
  // @ts-expect-error a limit that is not a number
  await client.users.$get({ query: { limit: 'ten' } })
  await client.users[':user_id'].$patch({ param, json: {} })
})
