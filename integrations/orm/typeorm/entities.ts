import type { IdStorage } from 'typed-id/codec'
import { Column, type ColumnType, Entity, JoinColumn, ManyToOne } from 'typeorm'
import type { Engine } from '../../databases/engines.ts'
import { TeamId, UserId } from '../ids.ts'
import { IdColumn } from './recipe.ts'

const TYPES: Record<Engine, Record<IdStorage, ColumnType>> = {
  postgres: { text: 'text', uuid: 'uuid', bytes: 'bytea' },
  sqlite: { text: 'text', uuid: 'text', bytes: 'blob' },
  mysql: { text: 'varchar', uuid: 'uuid', bytes: 'binary' },
}

export function defineEntities(engine: Engine, storage: IdStorage) {
  const type = TYPES[engine][storage]

  @Entity('teams')
  class Team {
    @IdColumn(TeamId, storage, 'teams.id', { type, primary: true })
    id!: TeamId
    @Column('text')
    name!: string
  }

  @Entity('users')
  class User {
    @IdColumn(UserId, storage, 'users.id', { type, primary: true })
    id!: UserId
    @Column('text')
    name!: string
    @IdColumn(TeamId, storage, 'users.team_id', { type, name: 'team_id', nullable: true })
    teamId!: TeamId | null
    @ManyToOne(() => Team)
    @JoinColumn({ name: 'team_id' })
    team!: Team | null
  }
  return { Team, User }
}
