import * as a from '#generated/redocly/profile-a.ts'
import * as b from '#generated/redocly/profile-b.ts'
import * as short from '#generated/redocly/short-ids.ts'
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
  const { member_ids } = await b.getTeam({ path: { team_id: TEAM } })
  // @ts-expect-error: a member of a team is not a team
  return b.getTeam({ path: { team_id: member_ids[0] ?? TEAM } })
}
// @ts-expect-error: a short team id is not a short user id
export const other = () => short.lookUpUser({ path: { id: SHORT_TEAM } })
// @ts-expect-error: a standard id is not a short id
export const standard = () => short.lookUpUser({ path: { id: USER } })
