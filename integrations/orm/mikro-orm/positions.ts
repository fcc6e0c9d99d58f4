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

const selects =
  (where: object) =>
  ({ em, User }: Mikro) =>
    idsOf(em.find(User, where as never))
const populates =
  (strategy: 'joined' | 'select-in') =>
  async ({ em, User }: Mikro) =>
    (await em.find(User, {}, { populate: ['team'], strategy, orderBy: { id: 'asc' } })).map(
      ({ id, team }) => [id, team?.id],
    )
const changes =
  (change: (context: Mikro) => unknown) =>
  async ({ em, ...context }: Mikro) => {
    await change({ em, ...context })
    const users = await em.fork().find(context.User, {}, { orderBy: { id: 'asc' } })
    return users.map(({ id, team }) => [id, team?.id ?? null])
  }
const inTeam = { team: OTHER } as never

export const MIKRO: Position<Mikro>[] = [
  ['find, an object', 'right', selects({ id: ADA }), [ADA]],
  ['find, an id', 'right', async ({ em, User }) => (await em.findOne(User, ADA))?.id, ADA],
  ['find, $in, $nin', 'right', selects({ id: { $in: [ADA], $nin: [BOB] } }), [ADA]],
  ['find, $ne, $not', 'right', selects({ id: { $ne: ADA }, $not: { id: EVE } }), [BOB]],
  ['find, $gte, $lt', 'right', selects({ id: { $gte: ADA, $lt: BOB } }), [ADA]],
  ['find, $or, $and', 'right', selects({ $or: [{ $and: [{ id: ADA }] }, { id: EVE }] }), [ADA]],
  ['find, where with a reference', 'right', selects({ team: TEAM }), [ADA]],
  ['find, where with a relation', 'right', selects({ team: { id: { $in: [TEAM] } } }), [ADA]],
  [
    'find, where with a collection',
    'right',
    ({ em, Team }) => idsOf(em.find(Team, { users: { id: ADA } })),
    [TEAM],
  ],
  [
    'find, where with $some',
    'reused',
    ({ em, Team }) => idsOf(em.find(Team, { users: { $some: { id: ADA } } })),
    [TEAM],
  ],
  ['populate by a join', 'right', populates('joined'), LOADED],
  ['populate by queries', 'right', populates('select-in'), LOADED],
  [
    'findByCursor',
    'right',
    async ({ em, User }) => {
      const page = { first: 1, orderBy: { id: 'asc' } } as const
      const { endCursor } = await em.findByCursor(User, page)
      return (await em.findByCursor(User, { ...page, after: endCursor as string })).items.map(({ id }) => id)
    },
    [BOB],
  ],
  ['count', 'right', ({ em, User }) => em.count(User, { id: ADA }), 1],
  [
    'flush, a new entity',
    'right',
    changes(({ em, User }) => {
      em.create(User, { ...eve, team: OTHER })
      return em.flush()
    }),
    EVE_ADDED,
  ],
  [
    'flush, changes',
    'right',
    changes(async ({ em, User, Team }) => {
      for (const user of await em.find(User, {})) Object.assign(user, { team: em.getReference(Team, OTHER) })
      await em.flush()
    }),
    [
      [ADA, OTHER],
      [BOB, OTHER],
    ],
  ],
  [
    'flush, no changes',
    'right',
    async ({ em, User }) => {
      await em.find(User, {}, { populate: ['team'] })
      em.getUnitOfWork().computeChangeSets()
      return em.getUnitOfWork().getChangeSets()
    },
    [],
  ],
  [
    'insertMany',
    'right',
    changes(({ em, User }) => em.insertMany(User, [{ ...eve, team: OTHER }])),
    EVE_ADDED,
  ],
  [
    'upsertMany',
    'right',
    changes(({ em, User }) => em.upsertMany(User, [{ ...bob, team: OTHER }])),
    BOB_MOVED,
  ],
  ['nativeUpdate', 'right', changes(({ em, User }) => em.nativeUpdate(User, { id: BOB }, inTeam)), BOB_MOVED],
  ['nativeDelete', 'right', changes(({ em, User }) => em.nativeDelete(User, { id: BOB })), [[ADA, TEAM]]],
  [
    'query builder, an object',
    'right',
    ({ em, User }) => idsOf(em.createQueryBuilder(User).where({ id: ADA }).getResult()),
    [ADA],
  ],
  [
    'query builder, ?',
    'parameter',
    ({ em, User }) => idsOf(em.createQueryBuilder(User, 'u').where('u.id = ?', [ADA]).getResult()),
    [ADA],
  ],
  [
    'query builder, condition of a join',
    'right',
    ({ em, User }) => {
      const query = em.createQueryBuilder(User, 'u').innerJoin('u.team', 't', { 't.id': TEAM } as never)
      return idsOf(query.getResult())
    },
    [ADA],
  ],
  [
    'query builder, update',
    'right',
    changes(({ em, User }) => em.createQueryBuilder(User).update(inTeam).where({ id: BOB }).execute()),
    BOB_MOVED,
  ],
  [
    'query builder, execute',
    'row',
    ({ em, User }) => idsOf(em.createQueryBuilder(User).orderBy({ id: 'asc' }).execute('all')),
    [ADA, BOB],
  ],
  ['raw, ?', 'parameter', (context) => selects({ [raw('id = ?', [ADA])]: [] })(context), [ADA]],
  ['raw, :id', 'parameter', (context) => selects({ [raw('id = :id', { id: ADA })]: [] })(context), [ADA]],
  [
    'raw, ? by toDatabase',
    'right',
    (context) => selects({ [raw('id = ?', [context.toDatabase(ADA)])]: [] })(context),
    [ADA],
  ],
  ['template of sql', 'parameter', (context) => selects({ [sql`id = ${ADA}`]: [] })(context), [ADA]],
  ...rawQueries<Mikro>('execute', ({ em }, sql, parameters) => em.execute(sql, parameters)),
  [
    'getKysely',
    'unchecked',
    ({ em }) => kyselyOf(em).selectFrom('users').select('id').where('id', '=', ADA).execute(),
    [{ id: ADA }],
  ],
  [
    'getKysely with idPlugin',
    'right',
    ({ em, storage }) => {
      const db = kyselyOf(em).withPlugin(idPlugin(storage, { users: { id: UserId } }))
      return db.selectFrom('users').select('id').where('id', '=', ADA).execute()
    },
    [{ id: ADA }],
  ],
  ['another type in raw', 'untyped', (context) => selects({ [raw('id = ?', [TEAM])]: [] })(context)],
  ['another type in find', 'wrong', selects({ id: TEAM })],
  ['another type in $in', 'wrong', selects({ id: { $in: [ADA, TEAM] } })],
  ['another type in a relation', 'wrong', selects({ team: { id: ADA } })],
  [
    'another type in insert',
    'wrong',
    ({ em, User }) => em.insert(User, { ...eve, team: ADA as unknown as TeamId }),
  ],
  [
    'another type in flush',
    'wrong',
    ({ em, User }) => {
      em.create(User, { ...eve, team: ADA as unknown as TeamId })
      return em.flush()
    },
  ],
  [
    'another type in nativeUpdate',
    'wrong',
    ({ em, User }) => em.nativeUpdate(User, { id: BOB }, { team: ADA as never }),
  ],
  [
    'another type in the query builder',
    'wrong',
    ({ em, User }) =>
      em
        .createQueryBuilder(User)
        .where({ id: TEAM as never })
        .getResult(),
  ],
]

const kyselyOf = (em: Mikro['em']) => em.getKysely<{ users: { id: UserId } }>()
