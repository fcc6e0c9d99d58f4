import { type EntityManager, raw, type SqlEntityManager, sql } from '@mikro-orm/postgresql'
import type { IdStorage } from 'typed-id/codec'
import { idPlugin } from 'typed-id/kysely'
import { type TeamId, UserId } from '../ids.ts'
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
  OTHER,
  type Position,
  positions,
  type Row,
  rawQueries,
  TEAM,
} from '../position.ts'
import type { defineEntities } from './store.ts'

interface Mikro extends Codec {
  em: EntityManager & SqlEntityManager
  User: ReturnType<typeof defineEntities>['User']
  Team: ReturnType<typeof defineEntities>['Team']
  storage: IdStorage
}

const selects = (where: object, expected: unknown = [ADA]): Row<Mikro> => [
  ({ em, User }) => idsOf(em.find(User, where as never)),
  expected,
]
const populates = (strategy: 'joined' | 'select-in'): Row<Mikro> => [
  async ({ em, User }) => {
    const users = await em.find(User, {}, { populate: ['team'], strategy, orderBy: { id: 'asc' } })
    return users.map(({ id, team }) => [id, team?.id])
  },
  LOADED,
]
/** Selects by a fragment of SQL, which MikroORM permits in one query only. */
const raws = (fragment: () => symbol): Row<Mikro> => [
  ({ em, User }) => idsOf(em.find(User, { [fragment()]: [] })),
  [ADA],
]
/** Changes rows, and then returns the users with their teams. */
const changes = (change: (context: Mikro) => unknown, expected: unknown): Row<Mikro> => [
  async (context) => {
    await change(context)
    const users = await context.em.fork().find(context.User, {}, { orderBy: { id: 'asc' } })
    return users.map(({ id, team }) => [id, team?.id ?? null])
  },
  expected,
]
const inTeam = { team: OTHER } as never
const WRONG_TEAM = ADA as unknown as TeamId

export const MIKRO: Position<Mikro>[] = [
  ...positions<Mikro>('right', {
    'find, an object': selects({ id: ADA }),
    'find, an id': [async ({ em, User }) => (await em.findOne(User, ADA))?.id, ADA],
    'find, $in, $nin': selects({ id: { $in: [ADA], $nin: [BOB] } }),
    'find, $ne, $not': selects({ id: { $ne: ADA }, $not: { id: EVE } }, [BOB]),
    'find, $gte, $lt': selects({ id: { $gte: ADA, $lt: BOB } }),
    'find, $or, $and': selects({ $or: [{ $and: [{ id: ADA }] }, { id: EVE }] }),
    'find, where with a reference': selects({ team: TEAM }),
    'find, where with a relation': selects({ team: { id: { $in: [TEAM] } } }),
    'find, where with a collection': [({ em, Team }) => idsOf(em.find(Team, { users: { id: ADA } })), [TEAM]],
    'populate by a join': populates('joined'),
    'populate by queries': populates('select-in'),
    findByCursor: [
      async ({ em, User }) => {
        const page = { first: 1, orderBy: { id: 'asc' } } as const
        const { endCursor } = await em.findByCursor(User, page)
        const { items } = await em.findByCursor(User, { ...page, after: endCursor as string })
        return items.map(({ id }) => id)
      },
      [BOB],
    ],
    count: [({ em, User }) => em.count(User, { id: ADA }), 1],
    'flush, a new entity': changes(({ em, User }) => {
      em.create(User, { ...eve, team: OTHER })
      return em.flush()
    }, EVE_ADDED),
    'flush, changes': changes(
      async ({ em, User, Team }) => {
        for (const user of await em.find(User, {}))
          Object.assign(user, { team: em.getReference(Team, OTHER) })
        await em.flush()
      },
      [
        [ADA, OTHER],
        [BOB, OTHER],
      ],
    ),
    'flush, no changes': [
      async ({ em, User }) => {
        await em.find(User, {}, { populate: ['team'] })
        em.getUnitOfWork().computeChangeSets()
        return em.getUnitOfWork().getChangeSets()
      },
      [],
    ],
    insertMany: changes(({ em, User }) => em.insertMany(User, [{ ...eve, team: OTHER }]), EVE_ADDED),
    upsertMany: changes(({ em, User }) => em.upsertMany(User, [{ ...bob, team: OTHER }]), BOB_MOVED),
    nativeUpdate: changes(({ em, User }) => em.nativeUpdate(User, { id: BOB }, inTeam), BOB_MOVED),
    nativeDelete: changes(({ em, User }) => em.nativeDelete(User, { id: BOB }), [[ADA, TEAM]]),
    'query builder, an object': [
      ({ em, User }) => idsOf(em.createQueryBuilder(User).where({ id: ADA }).getResult()),
      [ADA],
    ],
    'query builder, condition of a join': [
      ({ em, User }) => {
        const query = em.createQueryBuilder(User, 'u').innerJoin('u.team', 't', { 't.id': TEAM } as never)
        return idsOf(query.getResult())
      },
      [ADA],
    ],
    'query builder, update': changes(
      ({ em, User }) => em.createQueryBuilder(User).update(inTeam).where({ id: BOB }).execute(),
      BOB_MOVED,
    ),
    'raw, ? by toDatabase': [
      ({ em, User, toDatabase }) => idsOf(em.find(User, { [raw('id = ?', [toDatabase(ADA)])]: [] })),
      [ADA],
    ],
    'getKysely with idPlugin': [
      ({ em, storage }) => {
        const db = kyselyOf(em).withPlugin(idPlugin(storage, { users: { id: UserId } }))
        return db.selectFrom('users').select('id').where('id', '=', ADA).execute()
      },
      [{ id: ADA }],
    ],
  }),
  ...positions<Mikro>('reused', {
    'find, where with $some': [
      ({ em, Team }) => idsOf(em.find(Team, { users: { $some: { id: ADA } } })),
      [TEAM],
    ],
  }),
  ...positions<Mikro>('parameter', {
    'query builder, ?': [
      ({ em, User }) => idsOf(em.createQueryBuilder(User, 'u').where('u.id = ?', [ADA]).getResult()),
      [ADA],
    ],
    'raw, ?': raws(() => raw('id = ?', [ADA])),
    'raw, :id': raws(() => raw('id = :id', { id: ADA })),
    'template of sql': raws(() => sql`id = ${ADA}`),
  }),
  ...positions<Mikro>('row', {
    'query builder, execute': [
      ({ em, User }) => idsOf(em.createQueryBuilder(User).orderBy({ id: 'asc' }).execute('all')),
      [ADA, BOB],
    ],
  }),
  ...rawQueries<Mikro>('execute', ({ em }, sql, parameters) => em.execute(sql, parameters)),
  ...positions<Mikro>('unchecked', {
    getKysely: [
      ({ em }) => kyselyOf(em).selectFrom('users').select('id').where('id', '=', ADA).execute(),
      [{ id: ADA }],
    ],
  }),
  ...positions<Mikro>('untyped', { 'another type in raw': raws(() => raw('id = ?', [TEAM])) }),
  ...positions<Mikro>('wrong', {
    'another type in find': selects({ id: TEAM }),
    'another type in $in': selects({ id: { $in: [ADA, TEAM] } }),
    'another type in a relation': selects({ team: { id: ADA } }),
    'another type in insert': [({ em, User }) => em.insert(User, { ...eve, team: WRONG_TEAM })],
    'another type in flush': [
      ({ em, User }) => {
        em.create(User, { ...eve, team: WRONG_TEAM })
        return em.flush()
      },
    ],
    'another type in nativeUpdate': [
      ({ em, User }) => em.nativeUpdate(User, { id: BOB }, { team: WRONG_TEAM as never }),
    ],
    'another type in the query builder': [
      ({ em, User }) => {
        const query = em.createQueryBuilder(User).where({ id: TEAM as never })
        return query.getResult()
      },
    ],
  }),
]

function kyselyOf(em: Mikro['em']) {
  return em.getKysely<{ users: { id: UserId } }>()
}
