import { defineId, type ShortId, type TypedId } from 'typed-id'

type UserId = TypedId<'user'>
type TeamId = TypedId<'team'>
type RoleId = TypedId<'role'>

/**
 * The types that each generator of API clients must write for the OpenAPI
 * component `Ids`.
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

type WrongProperties<T> = {
  [K in keyof Ids]-?: K extends keyof T
    ? Same<T[K], Ids[K]> extends true
      ? never
      : K
    : K
}[keyof Ids]

export type Right<T> = [WrongProperties<T>] extends [never]
  ? true
  : WrongProperties<T>

const UserId = defineId('user')
const TeamId = defineId('team')

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
