import * as t from 'typeorm'
import type { Engine } from '../../databases.ts'
import { UserId } from '../ids.ts'
import {
  ADA,
  BOB,
  BOB_MOVED,
  bob,
  type Codec,
  EVE,
  EVE_ADDED,
  eve,
  idsOf,
  LOADED,
  moved,
  OTHER,
  type Position,
  positions,
  type Row,
  rawQueries,
  TEAM,
} from '../position.ts'

export interface TypeOrm extends Codec {
  engine: Engine
  source: t.DataSource
  users: t.Repository<t.ObjectLiteral>
}
type Users = TypeOrm['users']
type QueryBuilder = t.SelectQueryBuilder<t.ObjectLiteral>

const finds = (where: () => object, expected: unknown = [ADA]): Row<TypeOrm> => [
  ({ users }) => idsOf(users.findBy(where())),
  expected,
]
const builds = (build: (query: QueryBuilder) => QueryBuilder): Row<TypeOrm> => [
  ({ users }) => idsOf(build(users.createQueryBuilder('user')).getMany()),
  [ADA],
]
/** Writes, and then returns the users with their teams. */
const writes = (write: (users: Users) => unknown, expected?: unknown): Row<TypeOrm> => [
  async ({ users }) => {
    await write(users)
    return (await users.find({ order: { id: 'ASC' } })).map(({ id, teamId }) => [id, teamId])
  },
  expected,
]
const loads = (options: object, expected: unknown = LOADED): Row<TypeOrm> => [
  async ({ users }) => {
    const rows = await users.find({ relations: { team: true }, order: { id: 'ASC' }, ...options })
    return rows.map(({ id, team }) => [id, team?.id])
  },
  expected,
]
const inserts = (user: object) => (users: Users) => users.createQueryBuilder().insert().values(user)
const BOB_GONE = [[ADA, TEAM]]

export const TYPEORM: Position<TypeOrm>[] = [
  ...positions<TypeOrm>('right', {
    'find, an id': finds(() => ({ id: ADA })),
    'find, In': finds(() => ({ id: t.In([ADA]) })),
    'find, Not': finds(() => ({ id: t.Not(ADA) }), [BOB]),
    'find, Not(In)': finds(() => ({ id: t.Not(t.In([ADA])) }), [BOB]),
    'find, Or, Equal': finds(() => ({ id: t.Or(t.Equal(ADA), t.Equal(EVE)) })),
    'find, And, MoreThanOrEqual': finds(() => ({ id: t.And(t.MoreThanOrEqual(ADA), t.Not(BOB)) })),
    'find, LessThan': finds(() => ({ id: t.LessThan(BOB) })),
    'find, Between': finds(() => ({ id: t.Between(ADA, ADA) })),
    'find, where with a relation': finds(() => ({ team: { id: TEAM } })),
    'find, where with a relation and In': finds(() => ({ team: { id: t.In([TEAM]) } })),
    'relations by a join': loads({}),
    'skip and take with a join': loads({ skip: 1, take: 1 }, LOADED.slice(1)),
    count: [({ users }) => users.countBy({ id: ADA }), 1],
    'save, a new row': writes((users) => users.save({ ...eve, ...moved }), EVE_ADDED),
    'save, an existing row': writes((users) => users.save({ ...bob, ...moved }), BOB_MOVED),
    'save, a related entity': writes(
      (users) => users.save({ ...eve, team: { id: OTHER, name: 'Difference' } }),
      EVE_ADDED,
    ),
    insert: writes((users) => users.insert({ ...eve, ...moved }), EVE_ADDED),
    upsert: writes((users) => users.upsert({ ...bob, ...moved }, ['id']), BOB_MOVED),
    'update, where': writes((users) => users.update({ id: BOB }, moved), BOB_MOVED),
    'update, an id': writes((users) => users.update(BOB, moved), BOB_MOVED),
    'update, a relation': writes((users) => users.update(BOB, { team: { id: OTHER } }), BOB_MOVED),
    'delete, where': writes((users) => users.delete({ id: BOB }), BOB_GONE),
    'delete, ids': writes((users) => users.delete([BOB]), BOB_GONE),
    remove: writes(async (users) => users.remove(await users.findBy(bob)), BOB_GONE),
    'query builder, an object': builds((query) => query.where({ id: ADA })),
    'query builder, whereInIds': builds((query) => query.whereInIds([ADA])),
    'query builder, :id by toDatabase': [
      ({ users, toDatabase }) => {
        const query = users.createQueryBuilder('user').where('user.id = :id', { id: toDatabase(ADA) })
        return idsOf(query.getMany())
      },
      [ADA],
    ],
    'query builder, update': writes(
      (users) => users.createQueryBuilder().update().set(moved).where({ id: BOB }).execute(),
      BOB_MOVED,
    ),
    'query builder, loadOne of a relation': [
      async ({ users }) => (await users.createQueryBuilder().relation('team').of(ADA).loadOne())?.id,
      TEAM,
    ],
    'query builder, set of a relation': writes(
      (users) => users.createQueryBuilder().relation('team').of(BOB).set(OTHER),
      BOB_MOVED,
    ),
    'query builder, returning and updateEntity(false)': [
      async ({ users }) => {
        const user = { ...eve }
        await inserts(user)(users).returning('id').updateEntity(false).execute()
        return user.id
      },
      EVE,
    ],
  }),
  ...positions<TypeOrm>('parameter', {
    'find, Raw': finds(() => ({ id: t.Raw((column) => `${column} = :id`, { id: ADA }) })),
    'relations by queries': loads({ relationLoadStrategy: 'query' }),
    'query builder, :id': builds((query) => query.where('user.id = :id', { id: ADA })),
    'query builder, :...ids': builds((query) => query.where('user.id in (:...ids)', { ids: [ADA] })),
    'query builder, any(:ids)': builds((query) => query.where('user.id = any(:ids)', { ids: [ADA] })),
    'query builder, setParameter': builds((query) => query.where('user.id = :id').setParameter('id', ADA)),
    'query builder, :id of a join': builds((query) =>
      query.innerJoin('user.team', 'team', 'team.id = :id', { id: TEAM }),
    ),
    'query builder, delete with :id': writes(
      (users) => users.createQueryBuilder().delete().where('id = :id', { id: BOB }).execute(),
      BOB_GONE,
    ),
  }),
  ...positions<TypeOrm>('row', {
    'query builder, getRawMany': [
      ({ users }) => idsOf(users.createQueryBuilder('user').select('user.id', 'id').getRawMany()),
      [ADA, BOB],
    ],
    'query builder, returning': [
      async ({ users }) => {
        const { generatedMaps } = await inserts({ ...eve })(users)
          .returning('id')
          .execute()
        return generatedMaps.map(({ id }) => id)
      },
      [EVE],
    ],
    'query builder, returning, into the object': [
      async ({ users }) => {
        const user = { ...eve }
        await inserts(user)(users).returning('id').execute()
        return [user.id]
      },
      [EVE],
    ],
  }),
  ...positions<TypeOrm>('list', { 'find, Any': finds(() => ({ id: t.Any([ADA]) })) }),
  ...positions<TypeOrm>('reused', {
    /** TypeORM converts the values of an operator in place. */
    'find, an operator that is used twice': [
      async ({ users }) => {
        const id = t.In([ADA])
        await users.findBy({ id })
        return idsOf(users.findBy({ id }))
      },
      [ADA],
    ],
  }),
  ...rawQueries<TypeOrm>('query', ({ engine, source }, sql, parameters) =>
    source.query(engine === 'postgres' ? sql.replace('?', '$1') : sql, parameters),
  ),
  ...positions<TypeOrm>('untyped', {
    'another type in :id': builds((query) => query.where('user.id = :id', { id: TEAM })),
    'the short form in :id': builds((query) => query.where('user.id = :id', { id: UserId.toShort(ADA) })),
  }),
  ...positions<TypeOrm>('wrong', {
    'another type in find': finds(() => ({ id: TEAM })),
    'another type in In': finds(() => ({ id: t.In([ADA, TEAM]) })),
    'another type in a relation': finds(() => ({ team: { id: ADA } })),
    'another type in save': writes((users) => users.save({ ...eve, teamId: ADA })),
    'another type in update': writes((users) => users.update(BOB, { teamId: ADA })),
    'another type in whereInIds': builds((query) => query.whereInIds([TEAM])),
  }),
]

/** Positions that fail with SQLite's driver, and the errors. With bytes, `rejectIds` throws before `any` runs. */
export const LACKS: Record<string, RegExp> = {
  'query builder, any(:ids)': /no such function: any|cannot convert user-/,
  'query builder, returning': /RETURNING/,
  'query builder, returning, into the object': /RETURNING/,
  'query builder, returning and updateEntity(false)': /RETURNING/,
}
