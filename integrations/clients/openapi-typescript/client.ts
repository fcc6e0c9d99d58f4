import createClient from 'openapi-fetch'
import { ADA, IDS, type Right } from '../cases.ts'
import type { paths } from '../generated/openapi-typescript/profile-a.ts'
import type {
  components as Components31,
  paths as Short,
} from '../generated/openapi-typescript/short-ids.ts'
import type { components as Components30 } from '../generated/openapi-typescript/short-ids-30.ts'

export const ids31: Right<Components31['schemas']['Ids']> = true
export const ids30: Right<Components30['schemas']['Ids']> = true

const a = createClient<paths>()
const short = createClient<Short>()

export async function accepted() {
  const query = { team_id: IDS.team, after: IDS.user }
  const { data: users } = await a.GET('/users', { params: { query } })
  users?.[0]?.id satisfies typeof IDS.user | undefined
  const body = { ...ADA, team_id: IDS.team }
  const { data } = await a.POST('/users', { body })
  data?.team?.id satisfies typeof IDS.team | undefined
}

// The compiler must reject the id in each line below a `@ts-expect-error`.

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
