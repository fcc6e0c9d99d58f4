import type { hc as Hc } from 'hono/client'
import { expectTypeOf, test } from 'vitest'
import type { AppType } from '../../src/app.ts'
import { type RoleId, TeamId, UserId } from '../../src/ids.ts'

declare const client: ReturnType<typeof Hc<AppType>>

const team_id = TeamId.generate()
const user_id = UserId.generate()
const text: string = user_id

test('the body of a response narrows by its status, with ids of their types', async () => {
  const response = await client.users[':user_id'].$get({ param: { user_id } })
  if (response.status === 200) {
    const user = await response.json()
    expectTypeOf(user.id).toEqualTypeOf<UserId>()
    expectTypeOf(user.team).toEqualTypeOf<{ id: TeamId; name: string } | null>()
    expectTypeOf(user.roles).toEqualTypeOf<
      { id: RoleId; name: string; description: string | null }[]
    >()
  } else if (response.status === 404) {
    expectTypeOf(await response.json()).toEqualTypeOf<{
      detail: 'User not found'
    }>()
  } else if (response.status === 422) {
    const { detail } = await response.json()
    expectTypeOf(detail[0]?.loc).toEqualTypeOf<
      (string | number)[] | undefined
    >()
  }
  // @ts-expect-error no endpoint has this status
  if (response.status === 418) await response.json()
})

test('a param is an id of its type', async () => {
  await client.users[':user_id'].$get({
    // @ts-expect-error an id of another type
    param: { user_id: team_id },
  })
  await client.users[':user_id'].$get({
    // @ts-expect-error a plain string
    param: { user_id: text },
  })
  await client.users[':user_id'].roles[':role_id'].$post({
    // @ts-expect-error a param is missing
    param: { user_id },
  })
})

test('a body has its fields, with ids of their types', async () => {
  const user = { email: 'a@example.com', name: 'Ada', password: 'x' }
  const created = await client.users.$post({ json: { ...user, team_id } })
  if (created.status === 201)
    expectTypeOf((await created.json()).id).toEqualTypeOf<UserId>()
  if (created.status === 400)
    expectTypeOf(await created.json()).toEqualTypeOf<{
      detail: 'Email already registered'
    }>()
  await client.users.$post({ json: user })
  await client.users.$post({ json: { ...user, team_id: null } })
  // @ts-expect-error a field is missing
  await client.users.$post({ json: { email: 'a@example.com', name: 'Ada' } })
  // @ts-expect-error an id of another type
  await client.users.$post({ json: { ...user, team_id: user_id } })
  // @ts-expect-error a plain string
  await client.users.$post({ json: { ...user, team_id: text } })
})

test('a query has ids of their types, and a list has items', async () => {
  const list = await client.users.$get({
    query: { team_id, limit: 10, after: user_id },
  })
  if (list.ok)
    expectTypeOf((await list.json())[0]?.id).toEqualTypeOf<UserId | undefined>()
  await client.users.$get({ query: {} })
  // @ts-expect-error an id of another type
  await client.users.$get({ query: { team_id: user_id } })
  // @ts-expect-error a plain string
  await client.users.$get({ query: { after: text } })
  // @ts-expect-error a limit that is not a number
  await client.users.$get({ query: { limit: 'ten' } })
})
