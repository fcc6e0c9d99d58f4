import type { EntityManager } from '@mikro-orm/core'
import { TeamId, UserId } from '../ids.ts'
import { defineEntities } from './entities.ts'

export async function wrongTypes(em: EntityManager) {
  const { User } = defineEntities('uuid')
  // @ts-expect-error: a team is not a user
  await em.findOne(User, { id: TeamId.example })
  // @ts-expect-error: a user is not a team
  await em.insert(User, { id: UserId.example, name: 'Ada', team: UserId.example })
  // @ts-expect-error: a string has to be parsed first
  await em.nativeUpdate(User, { id: UserId.example }, { team: 'team-1' })
}
