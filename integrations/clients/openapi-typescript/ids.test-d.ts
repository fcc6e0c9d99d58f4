import createClient from 'openapi-fetch'
import type { TypedId } from 'typed-id'
import { expectTypeOf, test } from 'vitest'
import type { paths as A } from '#generated/openapi-typescript/profile-a.ts'
import type { paths as B } from '#generated/openapi-typescript/profile-b.ts'

const a = createClient<A>()
const b = createClient<B>()

/** The body of a successful response. */
declare function unwrap<T>(result: { data?: T }): T

declare const user_id: TypedId<'user'>
declare const team_id: TypedId<'team'>
declare const role_id: TypedId<'role'>
declare const product_id: TypedId<'product'>

test('an id in a response has its type', async () => {
  const user = unwrap(await a.GET('/users/{user_id}', { params: { path: { user_id } } }))
  expectTypeOf(user.id).toEqualTypeOf<TypedId<'user'>>()
  expectTypeOf(user.team?.id).toEqualTypeOf<TypedId<'team'> | undefined>()
  expectTypeOf(user.roles[0]?.id).toEqualTypeOf<TypedId<'role'> | undefined>()

  const team = unwrap(await b.GET('/teams/{team_id}', { params: { path: { team_id } } }))
  expectTypeOf(team.member_ids).toEqualTypeOf<TypedId<'user'>[]>()
  const order = unwrap(await b.POST('/orders', { body: { user_id, product_id, quantity: 1 } }))
  expectTypeOf(order.order_id).toEqualTypeOf<TypedId<'order'>>()
})

test('a team id in place of a user id does not compile: in a path', () => {
  // @ts-expect-error
  a.GET('/users/{user_id}', { params: { path: { user_id: team_id } } })
  // @ts-expect-error
  a.POST('/users/{user_id}/roles/{role_id}', { params: { path: { user_id: role_id, role_id: user_id } } })
  // @ts-expect-error
  b.DELETE('/users/{user_id}', { params: { path: { user_id: team_id } } })
})

test('a team id in place of a user id does not compile: in a query', () => {
  a.GET('/users', { params: { query: { team_id, after: user_id } } })
  // @ts-expect-error
  a.GET('/users', { params: { query: { team_id: user_id } } })
  // @ts-expect-error
  b.GET('/users', { params: { query: { after: team_id } } })
})

test('a team id in place of a user id does not compile: in a body', () => {
  b.POST('/orders', { body: { user_id, product_id, quantity: 1 } })
  // @ts-expect-error
  b.POST('/orders', { body: { user_id: team_id, product_id, quantity: 1 } })
  // @ts-expect-error
  b.POST('/users', { body: { name: 'Ada', email: 'x', team_id: user_id } })
})

test('a plain string is not an id', () => {
  // @ts-expect-error
  a.GET('/users/{user_id}', { params: { path: { user_id: 'user-0190163d-8694-739b-aea5-966c26f8ad91' } } })
})
