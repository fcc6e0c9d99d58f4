import { defineEntity, MikroORM, p, Type } from '@mikro-orm/postgresql'
import {
  defineId,
  type IdOf,
  type IdType,
  type TypedId,
} from 'typed-id'
import { idCodec } from 'typed-id/codec'

export const UserId = defineId('user')
export type UserId = IdOf<typeof UserId>
export const TeamId = defineId('team')
export type TeamId = IdOf<typeof TeamId>

/** A property of the type `uuid`, whose values are typed ids. */
const id = <P extends string>(type: IdType<P>, name: string) => {
  const { toDatabase, fromDatabase } = idCodec(type, 'uuid', name)
  class IdProperty extends Type<TypedId<P> | null, string | null> {
    override convertToDatabaseValue = toDatabase
    override convertToJSValue = fromDatabase
    override fromJSON = type.parse // converts the ids in a cursor
    override getColumnType = () => 'uuid'
  }
  return p.type(IdProperty).$type<TypedId<P>>()
}

export const User = defineEntity({
  name: 'User',
  tableName: 'users',
  properties: {
    id: id(UserId, 'users.id').primary(),
    name: p.string(),
    teamId: id(TeamId, 'users.team_id').nullable(),
  },
})

export const db = await MikroORM.init({
  entities: [User],
  clientUrl: process.env.DATABASE_URL ?? '',
})

export async function createUser(name: string, teamId: TeamId | null) {
  const em = db.em.fork()
  const user = em.create(User, { id: UserId.generate(), name, teamId })
  await em.flush()
  return user
}

export const findUser = (id: UserId) =>
  db.em.fork().findOne(User, { id })
