import { ADA, type Client, IDS, type Right } from '../cases.ts'
import * as a from '../generated/orval/profile-a.ts'
import * as short from '../generated/orval/short-ids.ts'
import type { Ids as Ids30 } from '../generated/orval/short-ids-30.ts'

/** The generated functions read the URL from the environment. */
export function connect(baseUrl: string): Client {
  process.env.API_URL = baseUrl
  return a
}

export const ids31: Right<short.Ids> = true
export const ids30: Right<Ids30> = true

// Each line passes a wrong id, so it does not compile.

// @ts-expect-error: a team is not a user, in a path
export const path = () => a.getUser(IDS.team)
// @ts-expect-error: a user is not a team, in a query
export const query = () => a.listUsers({ team_id: IDS.user })
// @ts-expect-error: a user is not a team, in a body with a nullable id
export const body = () => a.createUser({ ...ADA, team_id: IDS.user })
export const response = async () => {
  const { team } = await a.getUser(IDS.user)
  // @ts-expect-error: the team of a user is not a user
  return a.getUser(team?.id ?? IDS.user)
}
// @ts-expect-error: a short team id is not a short user id
export const other = () => short.lookUpUser(IDS.shortTeam)
// @ts-expect-error: a standard id is not a short id
export const standard = () => short.lookUpUser(IDS.user)
// @ts-expect-error: a string is not an id, where both forms of an id are valid
export const any = () => short.getIds(`${IDS.user}`)
