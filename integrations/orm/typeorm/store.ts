import { type IdStorage, idCodec } from 'typed-id/codec'
import { DataSource, type DataSourceOptions, In, IsNull, LessThanOrEqual } from 'typeorm'
import type { Engine, Server } from '../../databases/engines.ts'
import type { Orm, Store } from '../cases.ts'
import { UserId } from '../ids.ts'
import { defineEntities } from './entities.ts'

const CONNECTIONS: Record<Engine, (socket: string) => DataSourceOptions> = {
  postgres: (host) => ({ type: 'postgres', host, username: 'postgres', database: 'postgres' }),
  sqlite: (database) => ({ type: 'better-sqlite3', database }),
  mysql: (socketPath) => ({ type: 'mariadb', socketPath, username: 'root', database: 'matrix' }),
}

export const cannot: Orm['cannot'] = (engine, storage) => {
  if (engine === 'sqlite') return { returning: 'the driver of SQLite has no RETURNING' }
  return storage === 'text' ? {} : { returning: 'rows of RETURNING are not converted: read the row again' }
}

export async function open({ engine, socket }: Server, storage: IdStorage): Promise<Store> {
  const { Team, User } = defineEntities(engine, storage)
  const source = await new DataSource({ ...CONNECTIONS[engine](socket), entities: [Team, User] }).initialize()
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
