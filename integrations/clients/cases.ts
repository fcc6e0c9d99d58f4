import { defineId, type ShortId, type TypedId } from 'typed-id'
import { expect } from 'vitest'

type UserId = TypedId<'user'>
type TeamId = TypedId<'team'>
type RoleId = TypedId<'role'>

interface UserA {
  id: UserId
  team: { id: TeamId } | null
  roles: { id: RoleId }[]
}

/**
 * The functions of each generated client. A client without typed ids does not
 * match this type.
 */
export interface Client {
  createTeam(body: { name: string }): Promise<{ id: TeamId }>
  createUser(body: {
    name: string
    email: string
    password: string
    team_id: TeamId
  }): Promise<UserA>
  getUser(user_id: UserId): Promise<UserA>
  listUsers(query: { team_id: TeamId; after?: UserId }): Promise<UserA[]>
}

/** The type that a client must have for the component `Ids`. */
export interface Ids {
  idSchema: UserId
  shortIdSchema: ShortId<'user'>
  'shortIdSchema, upper case': ShortId<'Invoice2'>
  eitherFormSchema: UserId | ShortId<'user'>
  uuidOrIdSchema: UserId
  opaqueIdSchema: UserId
  withJsonSchema: ShortId<'order_line'>
  'nullable eitherFormSchema': UserId | ShortId<'user'> | null
  'array of eitherFormSchema': (UserId | ShortId<'user'>)[]
  'named eitherFormSchema': TeamId | ShortId<'team'>
  'array, named': RoleId[]
  'optional, named'?: RoleId
}

type Same<A, B> =
  (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2
    ? true
    : false

/** The properties that have another type in a client than in `Ids`. */
type Wrong<T> = {
  [K in keyof Ids]-?: K extends keyof T
    ? Same<T[K], Ids[K]> extends true
      ? never
      : K
    : K
}[keyof Ids]

/** `true` if a client has the types of `Ids`, otherwise the wrong names. */
export type Right<T> = [Wrong<T>] extends [never] ? true : Wrong<T>

const UserId = defineId('user')
const TeamId = defineId('team')

/** Ids for the type tests, which pass them where another type is expected. */
export const IDS = {
  user: UserId.example,
  team: TeamId.example,
  shortTeam: TeamId.toShort(TeamId.example),
}

export const ADA = {
  name: 'Ada',
  email: 'ada@example.com',
  password: 'correct horse',
}

let count = 0

/** Returns an unused address, because all clients share one service. */
const newEmail = () => `user${++count}@example.com`

/**
 * Uses ids in every place of a request and a response: path, query, body, and
 * nested objects.
 */
export async function useClient(api: Client): Promise<void> {
  const team = await api.createTeam({ name: 'Engine' })
  expect(TeamId.is(team.id)).toBe(true)
  const body = { password: 'correct horse', team_id: team.id }
  const ada = await api.createUser({ ...body, name: 'Ada', email: newEmail() })
  const bob = await api.createUser({ ...body, name: 'Bob', email: newEmail() })
  expect(UserId.is(ada.id)).toBe(true)
  const { id, team: ofAda } = await api.getUser(ada.id)
  expect([id, ofAda?.id]).toEqual([ada.id, team.id])
  const idsOf = (users: UserA[]) => users.map(({ id }) => id)
  const query = { team_id: team.id }
  expect(idsOf(await api.listUsers(query))).toEqual([ada.id, bob.id])
  expect(idsOf(await api.listUsers({ ...query, after: ada.id }))).toEqual([
    bob.id,
  ])
}
