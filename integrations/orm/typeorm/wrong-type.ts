import { type DataSource, In } from 'typeorm'
import { TeamId, UserId } from '../ids.ts'
import { defineEntities } from './entities.ts'

export async function wrongTypes(source: DataSource) {
  const users = source.getRepository(defineEntities('postgres', 'uuid').User)
  // @ts-expect-error: a team is not a user
  await users.findOneBy({ id: TeamId.example })
  const user = await users.findOneByOrFail({ id: UserId.example })
  // @ts-expect-error: a user is not a team
  user.teamId = user.id
  // @ts-expect-error: a string has to be parsed first
  user.teamId = 'team-1'
  // TypeORM's deep partial types accept any string, and its operators any value. These compile, and throw at run time.
  await users.insert({ id: UserId.example, name: 'Ada', teamId: UserId.example })
  await users.findBy({ id: In([TeamId.example]) })
}
