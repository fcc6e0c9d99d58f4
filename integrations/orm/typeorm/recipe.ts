import { defineId, type IdOf, type IdType } from 'typed-id'
import { idCodec } from 'typed-id/codec'
import { Column, type ColumnOptions, DataSource, Entity } from 'typeorm'

export const UserId = defineId('user')
export type UserId = IdOf<typeof UserId>
export const TeamId = defineId('team')
export type TeamId = IdOf<typeof TeamId>

/** A column of the type `uuid`, whose values are typed ids. */
function IdColumn(
  type: IdType<string>,
  name: string,
  options?: ColumnOptions,
) {
  const { toDatabase, fromDatabase } = idCodec(type, 'uuid', name)
  const transformer = { to: toDatabase, from: fromDatabase }
  return Column('uuid', { ...options, transformer })
}

@Entity('users')
export class User {
  @IdColumn(UserId, 'users.id', { primary: true })
  id: UserId = UserId.generate()

  @Column('text')
  name!: string

  @IdColumn(TeamId, 'users.team_id', {
    name: 'team_id',
    nullable: true,
  })
  teamId!: TeamId | null
}

export const db = new DataSource({
  type: 'postgres',
  url: process.env.DATABASE_URL ?? '',
  entities: [User],
})
export const users = db.getRepository(User)

export const createUser = (name: string, teamId: TeamId | null) =>
  users.save(users.create({ name, teamId }))

export const findUser = (id: UserId) => users.findOneBy({ id })
