import { MikroORM as MariaDb } from '@mikro-orm/mariadb'
import { MikroORM as Postgres, raw } from '@mikro-orm/postgresql'
import { MikroORM as Sqlite } from '@mikro-orm/sqlite'
import { type IdStorage, idCodec } from 'typed-id/codec'
import type { Server } from '../../databases/engines.ts'
import type { Store, User } from '../cases.ts'
import { UserId } from '../ids.ts'
import { defineEntities } from './entities.ts'

function connect({ engine, socket }: Server, entities: ReturnType<typeof defineEntities>) {
  const options = { entities: [entities.Team, entities.User] }
  if (engine === 'sqlite') return Sqlite.init({ ...options, dbName: socket })
  if (engine === 'postgres')
    return Postgres.init({ ...options, dbName: 'postgres', host: socket, user: 'postgres' })
  return MariaDb.init({ ...options, dbName: 'matrix', user: 'root', driverOptions: { socketPath: socket } })
}

export async function open(server: Server, storage: IdStorage): Promise<Store> {
  const entities = defineEntities(storage)
  const { Team, User: Users } = entities
  const orm = await connect(server, entities)
  const { toDatabase } = idCodec(UserId, storage, 'users.id')
  // A new identity map for each operation, so that every read comes from the database.
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
