import createClient from 'openapi-fetch'
import type { paths as A } from '#generated/openapi-typescript/profile-a.ts'
import type { paths as B } from '#generated/openapi-typescript/profile-b.ts'
import type { paths as Short } from '#generated/openapi-typescript/short-ids.ts'
import { ADA, IDS, ORDER, type ProfileA, type ProfileB, type ShortIds } from '../cases.ts'

export function profileA(baseUrl: string): ProfileA {
  const api = createClient<A>({ baseUrl })
  return {
    createTeam: (body) => unwrap(api.POST('/teams', { body })),
    createRole: (body) => unwrap(api.POST('/roles', { body })),
    createUser: (body) => unwrap(api.POST('/users', { body })),
    assignRole: (user_id, role_id) =>
      unwrap(api.POST('/users/{user_id}/roles/{role_id}', { params: { path: { user_id, role_id } } })),
    getUser: (user_id) => unwrap(api.GET('/users/{user_id}', { params: { path: { user_id } } })),
    listUsers: (query) => unwrap(api.GET('/users', { params: { query } })),
    updateUser: (user_id, body) =>
      unwrap(api.PATCH('/users/{user_id}', { params: { path: { user_id } }, body })),
  }
}

export function profileB(baseUrl: string): ProfileB {
  const api = createClient<B>({ baseUrl })
  return {
    createTeam: (body) => unwrap(api.POST('/teams', { body })),
    getTeam: (team_id) => unwrap(api.GET('/teams/{team_id}', { params: { path: { team_id } } })),
    createUser: (body) => unwrap(api.POST('/users', { body })),
    createOrder: (body) => unwrap(api.POST('/orders', { body })),
  }
}

export function shortIds(baseUrl: string): ShortIds {
  const api = createClient<Short>({ baseUrl })
  return {
    lookUpUser: (id) => unwrap(api.GET('/users/lookup/{id}', { params: { path: { id } } })),
    listUsers: (query) => unwrap(api.GET('/users', { params: { query } })),
  }
}

async function unwrap<T>(response: Promise<{ data?: T; error?: unknown }>): Promise<T> {
  const { data, error } = await response
  if (data === undefined) throw new Error(JSON.stringify(error))
  return data
}

// Each line passes a wrong id, so it compiles only without the plugin.

const a = createClient<A>()
const b = createClient<B>()
const short = createClient<Short>()

// @ts-expect-error: a team is not a user, in a path
export const path = () => a.GET('/users/{user_id}', { params: { path: { user_id: IDS.team } } })
// @ts-expect-error: a user is not a team, in a query
export const query = () => a.GET('/users', { params: { query: { team_id: IDS.user } } })
// @ts-expect-error: a team is not a user, in a body
export const body = () => b.POST('/orders', { body: { ...ORDER, user_id: IDS.team } })
// @ts-expect-error: a user is not a team, in a body with a nullable id
export const nullable = () => b.POST('/users', { body: { ...ADA, team_id: IDS.user } })
export const response = async () => {
  const { data } = await b.GET('/teams/{team_id}', { params: { path: { team_id: IDS.team } } })
  // @ts-expect-error: a member of a team is not a team
  return b.GET('/teams/{team_id}', { params: { path: { team_id: data?.member_ids[0] ?? IDS.team } } })
}
// @ts-expect-error: a short team id is not a short user id
export const other = () => short.GET('/users/lookup/{id}', { params: { path: { id: IDS.shortTeam } } })
// @ts-expect-error: a standard id is not a short id
export const standard = () => short.GET('/users/lookup/{id}', { params: { path: { id: IDS.user } } })
// @ts-expect-error: a string is not an id, where both forms of an id are valid
export const any = () => short.GET('/ids/{id}', { params: { path: { id: `${IDS.user}` } } })
