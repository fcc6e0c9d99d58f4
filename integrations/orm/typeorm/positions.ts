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

const finds =
  (where: () => object) =>
  ({ users }: TypeOrm) =>
    idsOf(users.findBy(where()))
/** Uses an operator twice, because TypeORM converts the values of an operator in place. */
const findsTwice = async (context: TypeOrm) => {
  const id = t.In([ADA])
  await finds(() => ({ id }))(context)
  return finds(() => ({ id }))(context)
}
const builds =
  (build: (query: QueryBuilder) => QueryBuilder) =>
  ({ users }: TypeOrm) =>
    idsOf(build(users.createQueryBuilder('user')).getMany())
/** Returns a position that writes, and then returns the users with their teams. */
const writes =
  (write: (users: Users) => unknown) =>
  async ({ users }: TypeOrm) => {
    await write(users)
    return (await users.find({ order: { id: 'ASC' } })).map(({ id, teamId }) => [id, teamId])
  }
const loads =
  (options: object) =>
  async ({ users }: TypeOrm) => {
    const rows = await users.find({ relations: { team: true }, order: { id: 'ASC' }, ...options })
    return rows.map(({ id, team }) => [id, team?.id])
  }
export const TYPEORM: Position<TypeOrm>[] = [
  ['find, an id', 'right', finds(() => ({ id: ADA })), [ADA]],
  ['find, In', 'right', finds(() => ({ id: t.In([ADA]) })), [ADA]],
  ['find, Not', 'right', finds(() => ({ id: t.Not(ADA) })), [BOB]],
  ['find, Not(In)', 'right', finds(() => ({ id: t.Not(t.In([ADA])) })), [BOB]],
  ['find, Or, Equal', 'right', finds(() => ({ id: t.Or(t.Equal(ADA), t.Equal(EVE)) })), [ADA]],
  [
    'find, And, MoreThanOrEqual',
    'right',
    finds(() => ({ id: t.And(t.MoreThanOrEqual(ADA), t.Not(BOB)) })),
    [ADA],
  ],
  ['find, LessThan', 'right', finds(() => ({ id: t.LessThan(BOB) })), [ADA]],
  ['find, Between', 'right', finds(() => ({ id: t.Between(ADA, ADA) })), [ADA]],
  ['find, Any', 'list', finds(() => ({ id: t.Any([ADA]) }))],
  ['find, an operator that is used twice', 'reused', findsTwice, [ADA]],
  ['find, Raw', 'parameter', finds(() => ({ id: t.Raw((column) => `${column} = :id`, { id: ADA }) })), [ADA]],
  ['find, where with a relation', 'right', finds(() => ({ team: { id: TEAM } })), [ADA]],
  ['find, where with a relation and In', 'right', finds(() => ({ team: { id: t.In([TEAM]) } })), [ADA]],
  ['relations by a join', 'right', loads({}), LOADED],
  ['relations by queries', 'parameter', loads({ relationLoadStrategy: 'query' }), LOADED],
  ['skip and take with a join', 'right', loads({ skip: 1, take: 1 }), LOADED.slice(1)],
  ['count', 'right', ({ users }) => users.countBy({ id: ADA }), 1],
  ['save, a new row', 'right', writes((users) => users.save({ ...eve, ...moved })), EVE_ADDED],
  ['save, an existing row', 'right', writes((users) => users.save({ ...bob, ...moved })), BOB_MOVED],
  [
    'save, a related entity',
    'right',
    writes((users) => users.save({ ...eve, team: { id: OTHER, name: 'Difference' } })),
    EVE_ADDED,
  ],
  ['insert', 'right', writes((users) => users.insert({ ...eve, ...moved })), EVE_ADDED],
  ['upsert', 'right', writes((users) => users.upsert({ ...bob, ...moved }, ['id'])), BOB_MOVED],
  ['update, where', 'right', writes((users) => users.update({ id: BOB }, moved)), BOB_MOVED],
  ['update, an id', 'right', writes((users) => users.update(BOB, moved)), BOB_MOVED],
  ['update, a relation', 'right', writes((users) => users.update(BOB, { team: { id: OTHER } })), BOB_MOVED],
  ['delete, where', 'right', writes((users) => users.delete({ id: BOB })), [[ADA, TEAM]]],
  ['delete, ids', 'right', writes((users) => users.delete([BOB])), [[ADA, TEAM]]],
  ['remove', 'right', writes(async (users) => users.remove(await users.findBy(bob))), [[ADA, TEAM]]],
  ['query builder, an object', 'right', builds((query) => query.where({ id: ADA })), [ADA]],
  ['query builder, whereInIds', 'right', builds((query) => query.whereInIds([ADA])), [ADA]],
  ['query builder, :id', 'parameter', builds((query) => query.where('user.id = :id', { id: ADA })), [ADA]],
  [
    'query builder, :...ids',
    'parameter',
    builds((query) => query.where('user.id in (:...ids)', { ids: [ADA] })),
    [ADA],
  ],
  [
    'query builder, any(:ids)',
    'parameter',
    builds((query) => query.where('user.id = any(:ids)', { ids: [ADA] })),
    [ADA],
  ],
  [
    'query builder, setParameter',
    'parameter',
    builds((query) => query.where('user.id = :id').setParameter('id', ADA)),
    [ADA],
  ],
  [
    'query builder, :id of a join',
    'parameter',
    builds((query) => query.innerJoin('user.team', 'team', 'team.id = :id', { id: TEAM })),
    [ADA],
  ],
  [
    'query builder, :id by toDatabase',
    'right',
    ({ toDatabase, ...context }) =>
      builds((query) => query.where('user.id = :id', { id: toDatabase(ADA) }))({ toDatabase, ...context }),
    [ADA],
  ],
  [
    'query builder, update',
    'right',
    writes((users) => users.createQueryBuilder().update().set(moved).where({ id: BOB }).execute()),
    BOB_MOVED,
  ],
  [
    'query builder, delete with :id',
    'parameter',
    writes((users) => users.createQueryBuilder().delete().where('id = :id', { id: BOB }).execute()),
    [[ADA, TEAM]],
  ],
  [
    'query builder, loadOne of a relation',
    'right',
    async ({ users }) => (await users.createQueryBuilder().relation('team').of(ADA).loadOne())?.id,
    TEAM,
  ],
  [
    'query builder, set of a relation',
    'right',
    writes((users) => users.createQueryBuilder().relation('team').of(BOB).set(OTHER)),
    BOB_MOVED,
  ],
  [
    'query builder, getRawMany',
    'row',
    ({ users }) => idsOf(users.createQueryBuilder('user').select('user.id', 'id').getRawMany()),
    [ADA, BOB],
  ],
  [
    'query builder, returning',
    'row',
    async ({ users }) =>
      (
        await users
          .createQueryBuilder()
          .insert()
          .values({ ...eve })
          .returning('id')
          .execute()
      ).generatedMaps.map(({ id }) => id),
    [EVE],
  ],
  [
    'query builder, returning, into the object',
    'row',
    async ({ users }) => {
      const user = { ...eve }
      await users.createQueryBuilder().insert().values(user).returning('id').execute()
      return [user.id]
    },
    [EVE],
  ],
  [
    'query builder, returning and updateEntity(false)',
    'right',
    async ({ users }) => {
      const user = { ...eve }
      const query = users.createQueryBuilder().insert().values(user).returning('id')
      await query.updateEntity(false).execute()
      return user.id
    },
    EVE,
  ],
  ...rawQueries<TypeOrm>('query', ({ engine, source }, sql, parameters) =>
    source.query(engine === 'postgres' ? sql.replace('?', '$1') : sql, parameters),
  ),
  ['another type in :id', 'untyped', builds((query) => query.where('user.id = :id', { id: TEAM }))],
  [
    'the short form in :id',
    'untyped',
    builds((query) => query.where('user.id = :id', { id: UserId.toShort(ADA) })),
  ],
  ['another type in find', 'wrong', finds(() => ({ id: TEAM }))],
  ['another type in In', 'wrong', finds(() => ({ id: t.In([ADA, TEAM]) }))],
  ['another type in a relation', 'wrong', finds(() => ({ team: { id: ADA } }))],
  ['another type in save', 'wrong', writes((users) => users.save({ ...eve, teamId: ADA }))],
  ['another type in update', 'wrong', writes((users) => users.update(BOB, { teamId: ADA }))],
  ['another type in whereInIds', 'wrong', builds((query) => query.whereInIds([TEAM]))],
]

/** Positions that fail with SQLite's driver, and the errors. With bytes, `rejectIds` throws before `any` runs. */
export const LACKS: Record<string, RegExp> = {
  'query builder, any(:ids)': /no such function: any|cannot convert user-/,
  'query builder, returning': /RETURNING/,
  'query builder, returning, into the object': /RETURNING/,
  'query builder, returning and updateEntity(false)': /RETURNING/,
}
