import { Api as A } from '#generated/swagger-typescript-api/profile-a.ts'
import { Api as B } from '#generated/swagger-typescript-api/profile-b.ts'
import { Api as Short } from '#generated/swagger-typescript-api/short-ids.ts'
import type { ProfileA, ProfileB, ShortIds } from '../cases.ts'

export function profileA(baseUrl: string): ProfileA {
  const api = new A({ baseUrl })
  return {
    createTeam: (body) => data(api.teams.createTeam(body)),
    createRole: (body) => data(api.roles.createRole(body)),
    createUser: (body) => data(api.users.createUser(body)),
    assignRole: (user_id, role_id) => data(api.users.assignRole(user_id, role_id)),
    getUser: (user_id) => data(api.users.getUser(user_id)),
    listUsers: (query) => data(api.users.listUsers(query)),
    updateUser: (user_id, body) => data(api.users.updateUser(user_id, body)),
    deleteUser: (user_id) => api.users.deleteUser(user_id),
  }
}

export function profileB(baseUrl: string): ProfileB {
  const api = new B({ baseUrl })
  return {
    createTeam: (body) => data(api.teams.createTeam(body)),
    getTeam: (team_id) => data(api.teams.getTeam(team_id)),
    createUser: (body) => data(api.users.createUser(body)),
    createOrder: (body) => data(api.orders.createOrder(body)),
  }
}

export function shortIds(baseUrl: string): ShortIds {
  const api = new Short({ baseUrl })
  return {
    lookUpUser: (id) => data(api.users.lookUpUser(id)),
    listUsers: (query) => data(api.users.listUsers(query)),
  }
}

const data = async <T>(response: Promise<{ data: T }>) => (await response).data
