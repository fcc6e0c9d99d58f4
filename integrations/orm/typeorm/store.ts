import { type IdStorage, idCodec } from 'typed-id/codec'
import {
  Column,
  type ColumnType,
  DataSource,
  type DataSourceOptions,
  Entity,
  In,
  IsNull,
  JoinColumn,
  LessThanOrEqual,
  ManyToOne,
} from 'typeorm'
import type { Engine, Server } from '../../databases.ts'
import type { Orm, Store } from '../cases.ts'
import { TeamId, UserId } from '../ids.ts'
import { rejectIds } from '../raw-ids.ts'
import { IdColumn } from './recipe.ts'

const TYPES: Record<Engine, Record<IdStorage, ColumnType>> = {
  postgres: { text: 'text', uuid: 'uuid', bytes: 'bytea' },
  sqlite: { text: 'text', uuid: 'text', bytes: 'blob' },
  mysql: { text: 'varchar', uuid: 'uuid', bytes: 'binary' },
}

function defineEntities(engine: Engine, storage: IdStorage) {
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

const CONNECTIONS: Record<Engine, (socket: string) => DataSourceOptions> = {
  postgres: (host) => ({ type: 'postgres', host, username: 'postgres', database: 'postgres' }),
  sqlite: (database) => ({ type: 'better-sqlite3', database }),
  mysql: (socketPath) => ({ type: 'mariadb', socketPath, username: 'root', database: 'matrix' }),
}

export const cannot: Orm['cannot'] = (engine, storage) => {
  if (engine === 'sqlite') return { returning: 'the driver of SQLite has no RETURNING' }
  return storage === 'text' ? {} : { returning: 'rows of RETURNING are not converted: read the row again' }
}

export async function connect({ engine, socket }: Server, storage: IdStorage) {
  const { Team, User } = defineEntities(engine, storage)
  const source = await new DataSource({ ...CONNECTIONS[engine](socket), entities: [Team, User] }).initialize()
  const check = rejectIds(storage === 'text' ? [] : [UserId, TeamId])
  source.subscribers.push({ beforeQuery: ({ query, parameters }) => check(query, parameters) })
  return { source, Team, User }
}

export async function open(server: Server, storage: IdStorage): Promise<Store> {
  const { source, Team, User } = await connect(server, storage)
  const [teams, users] = [source.getRepository(Team), source.getRepository(User)]
  const { toDatabase } = idCodec(UserId, storage, 'users.id')
  const order = { id: 'ASC' } as const

  return {
    insertTeam: (team) => teams.insert(team),
    insert: async (user) => users.insert(user),
    select: () => users.find({ order }),
    where: async (id) => users.findOneBy({ id }),
    whereUpTo: (id) => users.find({ where: { id: LessThanOrEqual(id) }, order }),
    inList: (ids) => users.find({ where: { id: In(ids) }, order }),
    async join() {
      const rows = await users.createQueryBuilder('u').innerJoinAndSelect('u.team', 't').getMany()
      return rows.flatMap(({ id, team }) => (team ? [{ member: id, group: team.id }] : []))
    },
    async returning(user) {
      const result = await users.createQueryBuilder().insert().values(user).returning('*').execute()
      return result.generatedMaps[0] as typeof user
    },
    whereNull: () => users.findBy({ teamId: IsNull() }),
    update: (id, teamId) => users.update({ id }, { teamId }),
    upsert: (user) => users.upsert(user, ['id']),
    relation: (id) => users.findOne({ where: { id }, relations: { team: true } }),
    async raw(id) {
      const query = users.createQueryBuilder('u').where('u.id = :id', { id: toDatabase(id) })
      return (await query.getOne())?.name
    },
    close: () => source.destroy(),
  }
}

export async function wrongTypes(source: DataSource) {
  const users = source.getRepository(defineEntities('postgres', 'uuid').User)
  // @ts-expect-error: a team is not a user
  await users.findOneBy({ id: TeamId.example })
  const user = await users.findOneByOrFail({ id: UserId.example })
  // @ts-expect-error: a user is not a team
  user.teamId = user.id
  // @ts-expect-error: a string has to be parsed first
  user.teamId = 'team-1'
  // TypeORM's deep partial types accept any string, and its operators any value, so these calls compile, but throw.
  await users.insert({ id: UserId.example, name: 'Ada', teamId: UserId.example })
  await users.findBy({ id: In([TeamId.example]) })
}
