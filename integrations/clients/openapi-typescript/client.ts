import createClient from 'openapi-fetch'
import { ADA, type Client, IDS, type Right } from '../cases.ts'
import type { paths } from '../generated/openapi-typescript/profile-a.ts'
import type {
  components as Components31,
  paths as Short,
} from '../generated/openapi-typescript/short-ids.ts'
import type { components as Components30 } from '../generated/openapi-typescript/short-ids-30.ts'

export function connect(baseUrl: string): Client {
  const api = createClient<paths>({ baseUrl })
  return {
    createTeam: (body) => unwrap(api.POST('/teams', { body })),
    createUser: (body) => unwrap(api.POST('/users', { body })),
    getUser: (user_id) =>
      unwrap(api.GET('/users/{user_id}', { params: { path: { user_id } } })),
    listUsers: (query) => unwrap(api.GET('/users', { params: { query } })),
  }
}

async function unwrap<T>(
  response: Promise<{ data?: T; error?: unknown }>,
): Promise<T> {
  const { data, error } = await response
  if (data === undefined) throw new Error(JSON.stringify(error))
  return data
}

export const ids31: Right<Components31['schemas']['Ids']> = true
export const ids30: Right<Components30['schemas']['Ids']> = true

// The compiler must reject the id in each line below a `@ts-expect-error`.

const a = createClient<paths>()
const short = createClient<Short>()

export const path = () =>
  // @ts-expect-error: a team is not a user, in a path
  a.GET('/users/{user_id}', { params: { path: { user_id: IDS.team } } })
export const query = () =>
  // @ts-expect-error: a user is not a team, in a query
  a.GET('/users', { params: { query: { team_id: IDS.user } } })
export const body = () =>
  // @ts-expect-error: a user is not a team, in a body with a nullable id
  a.POST('/users', { body: { ...ADA, team_id: IDS.user } })
export const response = async () => {
  const { data } = await a.GET('/users/{user_id}', {
    params: { path: { user_id: IDS.user } },
  })
  return a.GET('/users/{user_id}', {
    // @ts-expect-error: the team of a user is not a user
    params: { path: { user_id: data?.team?.id ?? IDS.user } },
  })
}
export const other = () =>
  // @ts-expect-error: a short team id is not a short user id
  short.GET('/users/lookup/{id}', { params: { path: { id: IDS.shortTeam } } })
export const standard = () =>
  // @ts-expect-error: a standard id is not a short id
  short.GET('/users/lookup/{id}', { params: { path: { id: IDS.user } } })
export const any = () =>
  // @ts-expect-error: a string is not an id, where both forms of an id are valid
  short.GET('/ids/{id}', { params: { path: { id: `${IDS.user}` } } })
