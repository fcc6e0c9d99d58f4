import * as a from '#generated/redocly/profile-a.ts'
import * as b from '#generated/redocly/profile-b.ts'
import * as short from '#generated/redocly/short-ids.ts'
import type { ProfileA, ProfileB, ShortIds } from '../cases.ts'

export function profileA(serverUrl: string): ProfileA {
  a.configure({ serverUrl })
  return {
    createTeam: (body) => a.createTeam({ body }),
    createRole: (body) => a.createRole({ body }),
    createUser: (body) => a.createUser({ body }),
    assignRole: (user_id, role_id) => a.assignRole({ path: { user_id, role_id } }),
    getUser: (user_id) => a.getUser({ path: { user_id } }),
    listUsers: (query) => a.listUsers({ query }),
    updateUser: (user_id, body) => a.updateUser({ path: { user_id }, body }),
    deleteUser: (user_id) => a.deleteUser({ path: { user_id } }),
  }
}

export function profileB(serverUrl: string): ProfileB {
  b.configure({ serverUrl })
  return {
    createTeam: (body) => b.createTeam({ body }),
    getTeam: (team_id) => b.getTeam({ path: { team_id } }),
    createUser: (body) => b.createUser({ body }),
    createOrder: (body) => b.createOrder({ body }),
  }
}

export function shortIds(serverUrl: string): ShortIds {
  short.configure({ serverUrl })
  return {
    lookUpUser: (id) => short.lookUpUser({ path: { id } }),
    listUsers: (query) => short.listUsers({ query }),
  }
}
