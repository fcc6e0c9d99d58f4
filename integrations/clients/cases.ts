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

/** The interface of each generated client. A client without typed ids does not compile as a ProfileA. */
export interface ProfileA {
  createTeam(body: { name: string }): Promise<{ id: TeamId }>
  createRole(body: { name: string }): Promise<{ id: RoleId }>
  createUser(body: { name: string; email: string; password: string; team_id: TeamId }): Promise<UserA>
  assignRole(user_id: UserId, role_id: RoleId): Promise<UserA>
  getUser(user_id: UserId): Promise<UserA>
  listUsers(query: { team_id: TeamId; after?: UserId }): Promise<UserA[]>
  updateUser(user_id: UserId, body: { team_id: TeamId }): Promise<UserA>
}

export interface ProfileB {
  createTeam(body: { name: string }): Promise<{ id: TeamId }>
  getTeam(team_id: TeamId): Promise<{ member_ids: UserId[] }>
  createUser(body: {
    name: string
    email: string
    team_id: TeamId | null
  }): Promise<{ id: UserId; team_id: TeamId | null }>
  createOrder(body: {
    user_id: UserId
    product_id: TypedId<'product'>
    quantity: number
  }): Promise<{ order_id: TypedId<'order'>; user_id: UserId }>
}

export interface ShortIds {
  lookUpUser(id: ShortId<'user'>): Promise<{ id: UserId }>
  listUsers(query: { team_id: ShortId<'team'> }): Promise<{ id: UserId }[]>
}

/** The type that the component `Ids` of the document with short ids must have in a client. */
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
}

/** `true` if two types are the same. */
export type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false

/** A module `<folder>/client.ts`, which exports the generated clients behind interfaces. */
export interface ClientModule {
  profileA(baseUrl: string): ProfileA
  profileB(baseUrl: string): ProfileB
  shortIds(baseUrl: string): ShortIds
}

const UserId = defineId('user')
const TeamId = defineId('team')
const RoleId = defineId('role')
const ProductId = defineId('product')
const OrderId = defineId('order')

/** Ids for the type tests, which pass an id where an id of another type belongs. */
export const IDS = {
  user: UserId.example,
  team: TeamId.example,
  shortTeam: TeamId.toShort(TeamId.example),
}

/** The other fields of a new order, and of a new user in Profile B. */
export const ORDER = { product_id: ProductId.example, quantity: 1 }
export const ADA = { name: 'Ada', email: 'ada@example.com' }

let count = 0

/** Adds a number that no other call adds, because all clients use one service, in which names of roles are unique. */
const unique = (name: string) => `${name}${++count}`
const newEmail = () => `${unique('user')}@example.com`

/** Uses ids in every place: path, query, body, and a response with nested ids. */
export async function useProfileA(api: ProfileA): Promise<void> {
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
  expect((await api.listUsers({ team_id: team.id })).map(({ id }) => id)).toEqual([ada.id, bob.id])
  expect((await api.listUsers({ team_id: team.id, after: ada.id })).map(({ id }) => id)).toEqual([bob.id])
  expect((await api.updateUser(bob.id, { team_id: other.id })).team?.id).toBe(other.id)
}

export async function useProfileB(api: ProfileB): Promise<void> {
  const team = await api.createTeam({ name: 'Engine' })
  const user = await api.createUser({ name: 'Ada', email: newEmail(), team_id: team.id })
  const single = await api.createUser({ name: 'Bob', email: newEmail(), team_id: null })
  expect([user.team_id, single.team_id]).toEqual([team.id, null])
  expect((await api.getTeam(team.id)).member_ids).toEqual([user.id])
  const order = await api.createOrder({ user_id: user.id, product_id: ProductId.generate(), quantity: 1 })
  expect([OrderId.is(order.order_id), order.user_id]).toEqual([true, user.id])
}

/** Profile B creates the records, and the client of the document with short ids reads them. */
export async function useShortIds(api: ShortIds, profileB: ProfileB): Promise<void> {
  const team = await profileB.createTeam({ name: 'Short' })
  const { id } = await profileB.createUser({ name: 'Ada', email: newEmail(), team_id: team.id })
  expect((await api.lookUpUser(UserId.toShort(id))).id).toBe(id)
  const listed = await api.listUsers({ team_id: TeamId.toShort(team.id) })
  expect(listed.map((user) => user.id)).toContain(id)
}
