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
 * The interface of each generated client. A client without typed ids does not
 * compile as one.
 */
export interface Client {
  createTeam(body: { name: string }): Promise<{ id: TeamId }>
  createRole(body: { name: string }): Promise<{ id: RoleId }>
  createUser(body: {
    name: string
    email: string
    password: string
    team_id: TeamId
  }): Promise<UserA>
  assignRole(user_id: UserId, role_id: RoleId): Promise<UserA>
  getUser(user_id: UserId): Promise<UserA>
  listUsers(query: { team_id: TeamId; after?: UserId }): Promise<UserA[]>
  updateUser(user_id: UserId, body: { team_id: TeamId }): Promise<UserA>
}

/**
 * The type that the component `Ids` of the document with short ids must have in
 * a client.
 */
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

/**
 * The names of the schema functions for which a component of a client has
 * another type than `Ids`.
 */
type Wrong<T> = {
  [K in keyof Ids]-?: K extends keyof T
    ? Same<T[K], Ids[K]> extends true
      ? never
      : K
    : K
}[keyof Ids]
/** `true`, if a component of a client has the types of `Ids`. */
export type Right<T> = [Wrong<T>] extends [never] ? true : Wrong<T>

const UserId = defineId('user')
const TeamId = defineId('team')
const RoleId = defineId('role')

/**
 * Ids for the type tests, which pass an id where an id of another type belongs.
 */
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

/**
 * Adds a number that no other call adds, because all clients use one service,
 * in which names of roles are unique.
 */
const unique = (name: string) => `${name}${++count}`
const newEmail = () => `${unique('user')}@example.com`

/**
 * Uses ids in every place: path, query, body, and a response with nested ids.
 */
export async function useClient(api: Client): Promise<void> {
  const team = await api.createTeam({ name: 'Engine' })
  const other = await api.createTeam({ name: 'Difference' })
  const role = await api.createRole({ name: unique('reviewer') })
  expect([TeamId.is(team.id), RoleId.is(role.id)]).toEqual([true, true])
  const body = { password: 'correct horse', team_id: team.id }
  const ada = await api.createUser({ ...body, name: 'Ada', email: newEmail() })
  const bob = await api.createUser({ ...body, name: 'Bob', email: newEmail() })
  expect(UserId.is(ada.id)).toBe(true)
  await api.assignRole(ada.id, role.id)
  expect(await api.getUser(ada.id)).toMatchObject({
    id: ada.id,
    team: { id: team.id },
    roles: [{ id: role.id }],
  })
  expect(
    (await api.listUsers({ team_id: team.id })).map(({ id }) => id),
  ).toEqual([ada.id, bob.id])
  expect(
    (await api.listUsers({ team_id: team.id, after: ada.id })).map(
      ({ id }) => id,
    ),
  ).toEqual([bob.id])
  expect((await api.updateUser(bob.id, { team_id: other.id })).team?.id).toBe(
    other.id,
  )
}
