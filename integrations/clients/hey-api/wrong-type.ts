import * as a from '#generated/hey-api/profiles/a/sdk.gen.ts'
import * as b from '#generated/hey-api/profiles/b/sdk.gen.ts'
import * as short from '#generated/hey-api/short-ids/sdk.gen.ts'
import { ADA, PRODUCT, SHORT_TEAM, TEAM, USER } from '../ids.ts'

// @ts-expect-error: a team is not a user, in a path
export const path = () => a.getUser({ path: { user_id: TEAM } })
// @ts-expect-error: a user is not a team, in a query
export const query = () => a.listUsers({ query: { team_id: USER } })
// @ts-expect-error: a team is not a user, in a body
export const body = () => b.createOrder({ body: { user_id: TEAM, product_id: PRODUCT, quantity: 1 } })
// @ts-expect-error: a user is not a team, in a body with a nullable id
export const nullable = () => b.createUser({ body: { ...ADA, team_id: USER } })
export const response = async () => {
  const { data } = await b.getTeam({ path: { team_id: TEAM } })
  // @ts-expect-error: a member of a team is not a team
  return b.getTeam({ path: { team_id: data?.member_ids[0] ?? TEAM } })
}
// @ts-expect-error: a short team id is not a short user id
export const other = () => short.lookUpUser({ path: { id: SHORT_TEAM } })
// @ts-expect-error: a standard id is not a short id
export const standard = () => short.lookUpUser({ path: { id: USER } })
