import createClient from 'openapi-fetch'
import type { paths as A } from '#generated/openapi-typescript/profile-a.ts'
import type { paths as B } from '#generated/openapi-typescript/profile-b.ts'
import type { paths as Short } from '#generated/openapi-typescript/short-ids.ts'
import type { ProfileA, ProfileB, ShortIds } from '../cases.ts'

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
    deleteUser: (user_id) => api.DELETE('/users/{user_id}', { params: { path: { user_id } } }),
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
