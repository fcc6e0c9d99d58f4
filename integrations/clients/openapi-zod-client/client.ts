import { createApiClient as createA } from '#generated/openapi-zod-client/profile-a.ts'
import { createApiClient as createB } from '#generated/openapi-zod-client/profile-b.ts'
import { createApiClient as createShort } from '#generated/openapi-zod-client/short-ids.ts'
import type { ProfileA, ProfileB, ShortIds } from '../cases.ts'

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
    deleteUser: (user_id) => api.deleteUser(undefined, { params: { user_id } }),
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
