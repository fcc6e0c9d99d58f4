import { defineEntity, type EntityManager, p } from '@mikro-orm/core'
import { MikroORM as MariaDb } from '@mikro-orm/mariadb'
import { MikroORM as Postgres, raw } from '@mikro-orm/postgresql'
import { MikroORM as Sqlite } from '@mikro-orm/sqlite'
import { type IdStorage, idCodec } from 'typed-id/codec'
import type { Server } from '../../databases.ts'
import type { Store, User } from '../cases.ts'
import { TeamId, UserId } from '../ids.ts'
import { rejectIds } from '../raw-ids.ts'
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
      users: () => p.oneToMany(User).mappedBy('team'),
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

export async function connect({ engine, socket }: Server, storage: IdStorage) {
  const { Team, User } = defineEntities(storage)
  const check = rejectIds(storage === 'text' ? [] : [UserId, TeamId])
  const onQuery = (query: string, parameters: readonly unknown[]) => {
    check(query, parameters)
    return query
  }
  const options = { entities: [Team, User], onQuery }
  const init = {
    sqlite: () => Sqlite.init({ ...options, dbName: socket }),
    postgres: () => Postgres.init({ ...options, dbName: 'postgres', host: socket, user: 'postgres' }),
    mysql: () =>
      MariaDb.init({ ...options, dbName: 'matrix', user: 'root', driverOptions: { socketPath: socket } }),
  }[engine]
  return { orm: await init(), Team, User }
}

export async function open(server: Server, storage: IdStorage): Promise<Store> {
  const { orm, Team, User: Users } = await connect(server, storage)
  const { toDatabase } = idCodec(UserId, storage, 'users.id')
  // Creates a new identity map for each operation, so that every read comes from the database.
  const em = () => orm.em.fork()
  const orderBy = { id: 'asc' } as const
  const toUser = ({
    id,
    name,
    team,
  }: {
    id: UserId
    name: string
    team?: { id: User['teamId'] } | null | undefined
  }): User => ({ id, name, teamId: team?.id ?? null })
  const find = async (where: object) => (await em().find(Users, where, { orderBy })).map(toUser)
  const toData = ({ teamId, ...user }: User) => ({ ...user, team: teamId })

  return {
    insertTeam: (team) => em().insert(Team, team),
    insert: async (user) => em().insert(Users, toData(user)),
    select: () => find({}),
    async where(id) {
      const user = await em().findOne(Users, { id })
      return user && toUser(user)
    },
    whereUpTo: (id) => find({ id: { $lte: id } }),
    inList: (ids) => find({ id: { $in: ids } }),
    async join() {
      const rows = await em().createQueryBuilder(Users, 'u').innerJoinAndSelect('u.team', 't').getResult()
      return rows.flatMap(({ id, team }) => (team ? [{ member: id, group: team.id }] : []))
    },
    async returning(data) {
      const manager = em()
      const user = manager.create(Users, toData(data))
      await manager.flush()
      return toUser(user)
    },
    whereNull: () => find({ team: null }),
    update: (id, team) => em().nativeUpdate(Users, { id }, { team }),
    upsert: (user) => em().upsert(Users, toData(user)),
    async relation(id) {
      const user = await em().findOne(Users, { id }, { populate: ['team'] })
      return user && { id: user.id, team: user.team ? { id: user.team.id, name: user.team.name } : null }
    },
    async raw(id) {
      const [user] = await em().find(Users, { [raw('id = ?', [toDatabase(id)])]: [] })
      return user?.name
    },
    close: () => orm.close(),
  }
}

export async function wrongTypes(em: EntityManager) {
  const { User } = defineEntities('uuid')
  // @ts-expect-error: a team is not a user
  await em.findOne(User, { id: TeamId.example })
  // @ts-expect-error: a user is not a team
  await em.insert(User, { id: UserId.example, name: 'Ada', team: UserId.example })
  // @ts-expect-error: a string has to be parsed first
  await em.nativeUpdate(User, { id: UserId.example }, { team: 'team-1' })
}
