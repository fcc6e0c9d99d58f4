import { createClient } from '#generated/hey-api/profile-a/client/index.ts'
import * as a from '#generated/hey-api/profile-a/sdk.gen.ts'
import * as b from '#generated/hey-api/profile-b/sdk.gen.ts'
import * as short from '#generated/hey-api/short-ids/sdk.gen.ts'
import { ADA, IDS, ORDER, type ProfileA, type ProfileB, type ShortIds } from '../cases.ts'

export function profileA(baseUrl: string): ProfileA {
  const client = createClient({ baseUrl, throwOnError: true })
  return {
    createTeam: (body) => data(a.createTeam({ client, body, throwOnError: true })),
    createRole: (body) => data(a.createRole({ client, body, throwOnError: true })),
    createUser: (body) => data(a.createUser({ client, body, throwOnError: true })),
    assignRole: (user_id, role_id) =>
      data(a.assignRole({ client, path: { user_id, role_id }, throwOnError: true })),
    getUser: (user_id) => data(a.getUser({ client, path: { user_id }, throwOnError: true })),
    listUsers: (query) => data(a.listUsers({ client, query, throwOnError: true })),
    updateUser: (user_id, body) =>
      data(a.updateUser({ client, path: { user_id }, body, throwOnError: true })),
  }
}

export function profileB(baseUrl: string): ProfileB {
  const client = createClient({ baseUrl })
  return {
    createTeam: (body) => data(b.createTeam({ client, body, throwOnError: true })),
    getTeam: (team_id) => data(b.getTeam({ client, path: { team_id }, throwOnError: true })),
    createUser: (body) => data(b.createUser({ client, body, throwOnError: true })),
    createOrder: (body) => data(b.createOrder({ client, body, throwOnError: true })),
  }
}

export function shortIds(baseUrl: string): ShortIds {
  const client = createClient({ baseUrl })
  return {
    lookUpUser: (id) => data(short.lookUpUser({ client, path: { id }, throwOnError: true })),
    listUsers: (query) => data(short.listUsers({ client, query, throwOnError: true })),
  }
}

const data = async <T>(response: Promise<{ data: T }>) => (await response).data

// Each line passes a wrong id, so it compiles only without the plugin.

// @ts-expect-error: a team is not a user, in a path
export const path = () => a.getUser({ path: { user_id: IDS.team } })
// @ts-expect-error: a user is not a team, in a query
export const query = () => a.listUsers({ query: { team_id: IDS.user } })
// @ts-expect-error: a team is not a user, in a body
export const body = () => b.createOrder({ body: { ...ORDER, user_id: IDS.team } })
// @ts-expect-error: a user is not a team, in a body with a nullable id
export const nullable = () => b.createUser({ body: { ...ADA, team_id: IDS.user } })
export const response = async () => {
  const { data } = await b.getTeam({ path: { team_id: IDS.team } })
  // @ts-expect-error: a member of a team is not a team
  return b.getTeam({ path: { team_id: data?.member_ids[0] ?? IDS.team } })
}
// @ts-expect-error: a short team id is not a short user id
export const other = () => short.lookUpUser({ path: { id: IDS.shortTeam } })
// @ts-expect-error: a standard id is not a short id
export const standard = () => short.lookUpUser({ path: { id: IDS.user } })
// @ts-expect-error: a string is not an id, where both forms of an id are valid
export const any = () => short.getIds({ path: { id: `${IDS.user}` } })
