import { ADA, IDS, type Right } from '../cases.ts'
import * as a from '../generated/hey-api/profile-a/sdk.gen.ts'
import * as short from '../generated/hey-api/short-ids/sdk.gen.ts'
import type { Ids as Ids31 } from '../generated/hey-api/short-ids/types.gen.ts'
import type { Ids as Ids30 } from '../generated/hey-api/short-ids-30/types.gen.ts'

export const ids31: Right<Ids31> = true
export const ids30: Right<Ids30> = true

export async function accepted() {
  const query = { team_id: IDS.team, after: IDS.user }
  const { data: users } = await a.listUsers({ query })
  users?.[0]?.id satisfies typeof IDS.user | undefined
  const { data } = await a.createUser({ body: { ...ADA, team_id: IDS.team } })
  data?.team?.id satisfies typeof IDS.team | undefined
}

// The compiler must reject the id in each line below a `@ts-expect-error`.

// @ts-expect-error: a team is not a user, in a path
export const path = () => a.getUser({ path: { user_id: IDS.team } })
// @ts-expect-error: a user is not a team, in a query
export const query = () => a.listUsers({ query: { team_id: IDS.user } })
// @ts-expect-error: a user is not a team, in a body with a nullable id
export const body = () => a.createUser({ body: { ...ADA, team_id: IDS.user } })
export const response = async () => {
  const { data } = await a.getUser({ path: { user_id: IDS.user } })
  // @ts-expect-error: the team of a user is not a user
  return a.getUser({ path: { user_id: data?.team?.id ?? IDS.user } })
}
// @ts-expect-error: a short team id is not a short user id
export const other = () => short.lookUpUser({ path: { id: IDS.shortTeam } })
// @ts-expect-error: a standard id is not a short id
export const standard = () => short.lookUpUser({ path: { id: IDS.user } })
// @ts-expect-error: a string is not an id, where both forms of an id are valid
export const any = () => short.getIds({ path: { id: `${IDS.user}` } })
