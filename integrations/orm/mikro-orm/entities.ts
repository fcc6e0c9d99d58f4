import { defineEntity, p } from '@mikro-orm/core'
import type { IdStorage } from 'typed-id/codec'
import { TeamId, UserId } from '../ids.ts'
import { IdOfType } from './recipe.ts'

export function defineEntities(storage: IdStorage) {
  const Team = defineEntity({
    name: 'Team',
    tableName: 'teams',
    properties: {
      id: p
        .type(new IdOfType(TeamId, storage, 'teams.id'))
        .$type<TeamId>()
        .primary(),
      name: p.string(),
    },
  })
  const User = defineEntity({
    name: 'User',
    tableName: 'users',
    properties: {
      id: p
        .type(new IdOfType(UserId, storage, 'users.id'))
        .$type<UserId>()
        .primary(),
      name: p.string(),
      team: () => p.manyToOne(Team).nullable().joinColumn('team_id'),
    },
  })
  return { Team, User }
}
