import { Api as A } from '#generated/swagger-typescript-api/profile-a.ts'
import { Api as B } from '#generated/swagger-typescript-api/profile-b.ts'
import { Api as Short } from '#generated/swagger-typescript-api/short-ids.ts'
import { ADA, IDS, ORDER, type ProfileA, type ProfileB, type ShortIds } from '../cases.ts'

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

// Each line passes a wrong id, so it compiles only without the plugin.

const a = new A()
const b = new B()
const short = new Short()

// @ts-expect-error: a team is not a user, in a path
export const path = () => a.users.getUser(IDS.team)
// @ts-expect-error: a user is not a team, in a query
export const query = () => a.users.listUsers({ team_id: IDS.user })
// @ts-expect-error: a team is not a user, in a body
export const body = () => b.orders.createOrder({ ...ORDER, user_id: IDS.team })
// @ts-expect-error: a user is not a team, in a body with a nullable id
export const nullable = () => b.users.createUser({ ...ADA, team_id: IDS.user })
export const response = async () => {
  const { data } = await b.teams.getTeam(IDS.team)
  // @ts-expect-error: a member of a team is not a team
  return b.teams.getTeam(data.member_ids[0] ?? IDS.team)
}
// @ts-expect-error: a short team id is not a short user id
export const other = () => short.users.lookUpUser(IDS.shortTeam)
// @ts-expect-error: a standard id is not a short id
export const standard = () => short.users.lookUpUser(IDS.user)
// @ts-expect-error: a string is not an id, where both forms of an id are valid
export const any = () => short.ids.getIds(`${IDS.user}`)
