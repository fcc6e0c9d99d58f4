import * as a from '#generated/orval/profile-a.ts'
import * as b from '#generated/orval/profile-b.ts'
import * as short from '#generated/orval/short-ids.ts'
import { ADA, IDS, ORDER, type ProfileA, type ProfileB, type ShortIds } from '../cases.ts'

/** Wraps a client, because the generated functions read the URL from the environment. */
const at =
  <T>(client: T) =>
  (baseUrl: string): T => {
    process.env.API_URL = baseUrl
    return client
  }

export const profileA: (baseUrl: string) => ProfileA = at(a)
export const profileB: (baseUrl: string) => ProfileB = at(b)
export const shortIds: (baseUrl: string) => ShortIds = at(short)

// Each line passes a wrong id, so it compiles only without the plugin.

// @ts-expect-error: a team is not a user, in a path
export const path = () => a.getUser(IDS.team)
// @ts-expect-error: a user is not a team, in a query
export const query = () => a.listUsers({ team_id: IDS.user })
// @ts-expect-error: a team is not a user, in a body
export const body = () => b.createOrder({ ...ORDER, user_id: IDS.team })
// @ts-expect-error: a user is not a team, in a body with a nullable id
export const nullable = () => b.createUser({ ...ADA, team_id: IDS.user })
export const response = async () => {
  const { member_ids } = await b.getTeam(IDS.team)
  // @ts-expect-error: a member of a team is not a team
  return b.getTeam(member_ids[0] ?? IDS.team)
}
// @ts-expect-error: a short team id is not a short user id
export const other = () => short.lookUpUser(IDS.shortTeam)
// @ts-expect-error: a standard id is not a short id
export const standard = () => short.lookUpUser(IDS.user)
// @ts-expect-error: a string is not an id, where both forms of an id are valid
export const any = () => short.getIds(`${IDS.user}`)
