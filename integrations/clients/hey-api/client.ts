import { ADA, type Client, IDS, type Right } from '../cases.ts'
import { createClient } from '../generated/hey-api/profile-a/client/index.ts'
import * as a from '../generated/hey-api/profile-a/sdk.gen.ts'
import * as short from '../generated/hey-api/short-ids/sdk.gen.ts'
import type { Ids as Ids31 } from '../generated/hey-api/short-ids/types.gen.ts'
import type { Ids as Ids30 } from '../generated/hey-api/short-ids-30/types.gen.ts'

export function connect(baseUrl: string): Client {
  const client = createClient({ baseUrl, throwOnError: true })
  return {
    createTeam: (body) =>
      data(a.createTeam({ client, body, throwOnError: true })),
    createUser: (body) =>
      data(a.createUser({ client, body, throwOnError: true })),
    getUser: (user_id) =>
      data(a.getUser({ client, path: { user_id }, throwOnError: true })),
    listUsers: (query) =>
      data(a.listUsers({ client, query, throwOnError: true })),
  }
}

const data = async <T>(response: Promise<{ data: T }>) => (await response).data

export const ids31: Right<Ids31> = true
export const ids30: Right<Ids30> = true

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
