import { api as a, createApiClient as createA } from '#generated/openapi-zod-client/profile-a.ts'
import { api as b, createApiClient as createB } from '#generated/openapi-zod-client/profile-b.ts'
import { createApiClient as createShort, api as short } from '#generated/openapi-zod-client/short-ids.ts'
import { ADA, IDS, ORDER, type ProfileA, type ProfileB, type ShortIds } from '../cases.ts'

export function profileA(baseUrl: string): ProfileA {
  const api = createA(baseUrl)
  return {
    createTeam: (body) => api.createTeam(body),
    createRole: (body) => api.createRole(body),
    createUser: (body) => api.createUser(body),
    assignRole: (user_id, role_id) => api.assignRole(undefined, { params: { user_id, role_id } }),
    getUser: (user_id) => api.getUser({ params: { user_id } }),
    listUsers: (queries) => api.listUsers({ queries }),
    updateUser: (user_id, body) => api.updateUser(body, { params: { user_id } }),
  }
}

export function profileB(baseUrl: string): ProfileB {
  const api = createB(baseUrl)
  return {
    createTeam: (body) => api.createTeam(body),
    getTeam: (team_id) => api.getTeam({ params: { team_id } }),
    createUser: (body) => api.createUser(body),
    createOrder: (body) => api.createOrder(body),
  }
}

export function shortIds(baseUrl: string): ShortIds {
  const api = createShort(baseUrl)
  return {
    lookUpUser: (id) => api.lookUpUser({ params: { id } }),
    listUsers: (queries) => api.listUsers({ queries }),
  }
}

// Each line passes a wrong id, so it compiles only without the plugin.

// @ts-expect-error: a team is not a user, in a path
export const path = () => a.getUser({ params: { user_id: IDS.team } })
// @ts-expect-error: a user is not a team, in a query
export const query = () => a.listUsers({ queries: { team_id: IDS.user } })
// @ts-expect-error: a team is not a user, in a body
export const body = () => b.createOrder({ ...ORDER, user_id: IDS.team })
// @ts-expect-error: a user is not a team, in a body with a nullable id
export const nullable = () => b.createUser({ ...ADA, team_id: IDS.user })
export const response = async () => {
  const { member_ids } = await b.getTeam({ params: { team_id: IDS.team } })
  // @ts-expect-error: a member of a team is not a team
  return b.getTeam({ params: { team_id: member_ids[0] ?? IDS.team } })
}
// @ts-expect-error: a short team id is not a short user id
export const other = () => short.lookUpUser({ params: { id: IDS.shortTeam } })
// @ts-expect-error: a standard id is not a short id
export const standard = () => short.lookUpUser({ params: { id: IDS.user } })
// @ts-expect-error: a string is not an id, where both forms of an id are valid
export const any = () => short.getIds({ params: { id: `${IDS.user}` } })
