import * as a from '#generated/orval/profile-a.ts'
import * as b from '#generated/orval/profile-b.ts'
import * as short from '#generated/orval/short-ids.ts'
import type { ProfileA, ProfileB, ShortIds } from '../cases.ts'

/** The generated functions read the URL from the environment. */
function setUrl(baseUrl: string): void {
  process.env.API_URL = baseUrl
}

export function profileA(baseUrl: string): ProfileA {
  setUrl(baseUrl)
  return {
    createTeam: (body) => a.createTeam(body),
    createRole: (body) => a.createRole(body),
    createUser: (body) => a.createUser(body),
    assignRole: (user_id, role_id) => a.assignRole(user_id, role_id),
    getUser: (user_id) => a.getUser(user_id),
    listUsers: (query) => a.listUsers(query),
    updateUser: (user_id, body) => a.updateUser(user_id, body),
    deleteUser: (user_id) => a.deleteUser(user_id),
  }
}

export function profileB(baseUrl: string): ProfileB {
  setUrl(baseUrl)
  return {
    createTeam: (body) => b.createTeam(body),
    getTeam: (team_id) => b.getTeam(team_id),
    createUser: (body) => b.createUser(body),
    createOrder: (body) => b.createOrder(body),
  }
}

export function shortIds(baseUrl: string): ShortIds {
  setUrl(baseUrl)
  return {
    lookUpUser: (id) => short.lookUpUser(id),
    listUsers: (query) => short.listUsers(query),
  }
}
