import * as a from '#generated/redocly/profile-a.ts'
import * as b from '#generated/redocly/profile-b.ts'
import * as short from '#generated/redocly/short-ids.ts'
import { ADA, IDS, ORDER, type ProfileA, type ProfileB, type ShortIds } from '../cases.ts'

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
  const { member_ids } = await b.getTeam({ path: { team_id: IDS.team } })
  // @ts-expect-error: a member of a team is not a team
  return b.getTeam({ path: { team_id: member_ids[0] ?? IDS.team } })
}
// @ts-expect-error: a short team id is not a short user id
export const other = () => short.lookUpUser({ path: { id: IDS.shortTeam } })
// @ts-expect-error: a standard id is not a short id
export const standard = () => short.lookUpUser({ path: { id: IDS.user } })
// @ts-expect-error: a string is not an id, where both forms of an id are valid
export const any = () => short.getIds({ path: { id: `${IDS.user}` } })
