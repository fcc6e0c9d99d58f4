import createClient from 'openapi-fetch'
import type { paths as A } from '#generated/openapi-typescript/profile-a.ts'
import type { paths as B } from '#generated/openapi-typescript/profile-b.ts'
import type { paths as Short } from '#generated/openapi-typescript/short-ids.ts'
import { ADA, PRODUCT, SHORT_TEAM, TEAM, USER } from '../ids.ts'

const a = createClient<A>()
const b = createClient<B>()
const short = createClient<Short>()

// @ts-expect-error: a team is not a user, in a path
export const path = () => a.GET('/users/{user_id}', { params: { path: { user_id: TEAM } } })
// @ts-expect-error: a user is not a team, in a query
export const query = () => a.GET('/users', { params: { query: { team_id: USER } } })
// @ts-expect-error: a team is not a user, in a body
export const body = () => b.POST('/orders', { body: { user_id: TEAM, product_id: PRODUCT, quantity: 1 } })
// @ts-expect-error: a user is not a team, in a body with a nullable id
export const nullable = () => b.POST('/users', { body: { ...ADA, team_id: USER } })
export const response = async () => {
  const { data } = await b.GET('/teams/{team_id}', { params: { path: { team_id: TEAM } } })
  // @ts-expect-error: a member of a team is not a team
  return b.GET('/teams/{team_id}', { params: { path: { team_id: data?.member_ids[0] ?? TEAM } } })
}
// @ts-expect-error: a short team id is not a short user id
export const other = () => short.GET('/users/lookup/{id}', { params: { path: { id: SHORT_TEAM } } })
// @ts-expect-error: a standard id is not a short id
export const standard = () => short.GET('/users/lookup/{id}', { params: { path: { id: USER } } })
