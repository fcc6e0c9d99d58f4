import { Api as A } from '#generated/swagger-typescript-api/profile-a.ts'
import { Api as B } from '#generated/swagger-typescript-api/profile-b.ts'
import { Api as Short } from '#generated/swagger-typescript-api/short-ids.ts'
import { ADA, PRODUCT, SHORT_TEAM, TEAM, USER } from '../ids.ts'

const a = new A()
const b = new B()
const short = new Short()

// @ts-expect-error: a team is not a user, in a path
export const path = () => a.users.getUser(TEAM)
// @ts-expect-error: a user is not a team, in a query
export const query = () => a.users.listUsers({ team_id: USER })
// @ts-expect-error: a team is not a user, in a body
export const body = () => b.orders.createOrder({ user_id: TEAM, product_id: PRODUCT, quantity: 1 })
// @ts-expect-error: a user is not a team, in a body with a nullable id
export const nullable = () => b.users.createUser({ ...ADA, team_id: USER })
export const response = async () => {
  const { data } = await b.teams.getTeam(TEAM)
  // @ts-expect-error: a member of a team is not a team
  return b.teams.getTeam(data.member_ids[0] ?? TEAM)
}
// @ts-expect-error: a short team id is not a short user id
export const other = () => short.users.lookUpUser(SHORT_TEAM)
// @ts-expect-error: a standard id is not a short id
export const standard = () => short.users.lookUpUser(USER)
