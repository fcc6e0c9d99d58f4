import { inspect } from 'node:util'
import { type EntityManager, raw, type SqlEntityManager, sql } from '@mikro-orm/postgresql'
import { formatTable } from 'testkit/tables.ts'
import { type IdStorage, idCodec } from 'typed-id/codec'
import { idPlugin } from 'typed-id/kysely'
import * as t from 'typeorm'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type Engine, SERVERS, type Server } from '../databases.ts'
import { report } from '../report.ts'
import { TeamId, UserId } from './ids.ts'
import * as mikroOrm from './mikro-orm/store.ts'
import { IdColumn } from './typeorm/recipe.ts'
import * as typeOrm from './typeorm/store.ts'

const [ADA, BOB, EVE] = [UserId.generate(), UserId.generate(), UserId.generate()]
const [TEAM, OTHER] = [TeamId.generate(), TeamId.generate()]

/**
 * What an ORM does with ids in a position:
 * - `right`: converts them.
 * - `parameter`: sends them unchanged, so `rejectIds` throws unless the storage is text.
 * - `row`: returns them as stored.
 * - `wrong`: throws, because they are of another type.
 * - `list`: throws, because it converts a list like an id.
 * - `reused`: throws unless the storage is text, because it converts them twice.
 * - `untyped`: sends one of another type or form unchanged, which finds nothing with text. Otherwise, `rejectIds` throws.
 * - `unchecked`: sends them unchanged, and does not run `rejectIds`.
 */
type Kind = 'right' | 'parameter' | 'row' | 'wrong' | 'list' | 'reused' | 'untyped' | 'unchecked'
type Position<Context> = [name: string, kind: Kind, run: (context: Context) => unknown, expected?: unknown]

type Rows = PromiseLike<{ id?: unknown }[]>
const idsOf = async (rows: Rows) => (await rows).map(({ id }) => id)

interface Codec {
  toDatabase(id: UserId): unknown
  fromDatabase(value: unknown): unknown
}

/** The positions of a function that runs SQL. */
const rawQueries = <Context extends Codec>(
  name: string,
  query: (context: Context, sql: string, parameters?: unknown[]) => Rows,
): Position<Context>[] => {
  const ids = (context: Context) => idsOf(query(context, 'select id from users order by id'))
  const names = (context: Context) => query(context, 'select name from users where id = ?', [ADA])
  return [
    [`${name}, a parameter`, 'parameter', names, [{ name: 'Ada' }]],
    [`${name}, rows`, 'row', ids, [ADA, BOB]],
    [
      `${name}, rows by fromDatabase`,
      'right',
      async (context) => (await ids(context)).map(context.fromDatabase),
      [ADA, BOB],
    ],
  ]
}

interface TypeOrm extends Codec {
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
/** TypeORM converts the values of an operator in place. */
const findsTwice = async (context: TypeOrm) => {
  const id = t.In([ADA])
  await finds(() => ({ id }))(context)
  return finds(() => ({ id }))(context)
}
const builds =
  (build: (query: QueryBuilder) => QueryBuilder) =>
  ({ users }: TypeOrm) =>
    idsOf(build(users.createQueryBuilder('user')).getMany())
/** Writes, and returns the users with their teams. */
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
const LOADED = [
  [ADA, TEAM],
  [BOB, undefined],
]
const BOB_MOVED = [
  [ADA, TEAM],
  [BOB, OTHER],
]
const EVE_ADDED = [
  [ADA, TEAM],
  [BOB, null],
  [EVE, OTHER],
]
const eve = { id: EVE, name: 'Eve' }
const bob = { id: BOB, name: 'Bob' }
const moved = { teamId: OTHER }

const TYPEORM: Position<TypeOrm>[] = [
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

/** What the driver of SQLite lacks, with what it throws. With bytes, `rejectIds` throws before it runs `any`. */
const LACKS: Record<string, RegExp> = {
  'query builder, any(:ids)': /no such function: any|cannot convert user-/,
  'query builder, returning': /RETURNING/,
  'query builder, returning, into the object': /RETURNING/,
  'query builder, returning and updateEntity(false)': /RETURNING/,
}

interface Mikro extends Codec {
  em: EntityManager & SqlEntityManager
  User: ReturnType<typeof mikroOrm.defineEntities>['User']
  Team: ReturnType<typeof mikroOrm.defineEntities>['Team']
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

const MIKRO: Position<Mikro>[] = [
  ['find, an object', 'right', selects({ id: ADA }), [ADA]],
  ['find, an id', 'right', async ({ em, User }) => (await em.findOne(User, ADA))?.id, ADA],
  ['find, $in, $nin', 'right', selects({ id: { $in: [ADA], $nin: [BOB] } }), [ADA]],
  ['find, $ne, $not', 'right', selects({ id: { $ne: ADA }, $not: { id: EVE } }), [BOB]],
  ['find, $gte, $lt', 'right', selects({ id: { $gte: ADA, $lt: BOB } }), [ADA]],
  ['find, $or, $and', 'right', selects({ $or: [{ $and: [{ id: ADA }] }, { id: EVE }] }), [ADA]],
  ['find, where with a reference', 'right', selects({ team: TEAM }), [ADA]],
  ['find, where with a relation', 'right', selects({ team: { id: { $in: [TEAM] } } }), [ADA]],
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

const STORED_AS = { text: 'text', uuid: 'uuid', bytes: 'bytea' } as const
const COLUMNS = [
  ['PostgreSQL', 'text', 'text'],
  ['PostgreSQL', 'uuid', 'uuid'],
  ['PostgreSQL', 'bytes', 'bytea'],
  ['SQLite', 'text', 'text'],
  ['SQLite', 'bytes', 'blob'],
] as const
const cells: { orm: string; position: string; column: string; outcome: string }[] = []

describe.each(COLUMNS)('%s, %s', (name, storage, type) => {
  const { engine, start } = SERVERS[name === 'SQLite' ? name : 'PostgreSQL of npm']
  let server: Server
  const codec = idCodec(UserId, storage, 'users.id')
  const { toDatabase: storeTeam } = idCodec(TeamId, storage, 'teams.id')
  let typeorm: Awaited<ReturnType<typeof typeOrm.connect>>
  let mikro: Awaited<ReturnType<typeof mikroOrm.connect>>
  beforeAll(async () => {
    server = await start()
    await server.run(
      `create table teams (id ${type} primary key, name text not null)`,
      `create table users (id ${type} primary key, name text not null, team_id ${type} references teams)`,
    )
    typeorm = await typeOrm.connect(server, storage)
    mikro = await mikroOrm.connect(server, storage)
    return async () => {
      await Promise.all([typeorm.source.destroy(), mikro.orm.close()])
      await server.stop()
    }
  })
  beforeEach(async () => {
    const literal = (value: string | Uint8Array) =>
      typeof value === 'string'
        ? `'${value}'`
        : `${engine === 'sqlite' ? `x'` : `'\\x`}${Buffer.from(value).toString('hex')}'`
    const [team, other, ada, bob] = [
      ...[TEAM, OTHER].map((id) => literal(storeTeam(id))),
      ...[ADA, BOB].map((id) => literal(codec.toDatabase(id))),
    ]
    await server.run(
      'delete from users',
      'delete from teams',
      `insert into teams values (${team}, 'Engine'), (${other}, 'Difference')`,
      `insert into users values (${ada}, 'Ada', ${team}), (${bob}, 'Bob', null)`,
    )
  })

  async function expectOutcome<C>(orm: string, [position, kind, run, expected]: Position<C>, context: C) {
    const found = await new Promise((resolve) => resolve(run(context))).then(
      (result) => ({ result }),
      (error) => ({ error: inspect(error, { depth: 9 }) }),
    )
    const throws = (message: RegExp) => expect(found).toEqual({ error: expect.stringMatching(message) })
    let outcome = 'right'
    const lacking = engine === 'sqlite' ? LACKS[position] : undefined
    if (lacking) {
      throws(lacking)
      outcome = 'throws: not in SQLite'
    } else if (kind === 'list') {
      throws(/not a string: expected user.* in column users\.id/)
      outcome = 'throws: not a string'
    } else if (kind === 'wrong') {
      throws(/expected (user|team) in column (users|teams)\.\w+, received (team|user) /)
      outcome = 'throws: wrong type'
    } else if (storage === 'text' && kind === 'untyped') {
      expect(found).toEqual({ result: [] })
      outcome = 'not offered: not checked'
    } else if (storage === 'text' || kind === 'right') expect(found).toEqual({ result: expected })
    else if (kind === 'parameter' || kind === 'untyped') {
      throws(/cannot convert (user|team)[-_].*: pass idCodec\(…\)\.toDatabase\(id\)/)
      outcome = 'throws: cannot convert user-…'
    } else if (kind === 'reused') {
      throws(/(malformed standard|not a string): expected user.* in column users\.id/)
      outcome = 'throws: expected user-…'
    } else if (kind === 'row') {
      expect(found).toEqual({ result: (expected as UserId[]).map(codec.toDatabase) })
      outcome = 'not offered: as stored'
    } else {
      // The characters of the id are compared with bytes.
      if (storage === 'bytes') expect(found).toEqual({ result: [] })
      else throws(/invalid input syntax for type uuid/)
      outcome = storage === 'bytes' ? 'not offered: not converted' : 'throws: invalid input syntax'
    }
    cells.push({ orm, position, column: `${name}, ${storage}`, outcome })
  }

  test.each(TYPEORM.map((position) => [position[0], position] as const))('TypeORM: %s', (_, position) => {
    const { source, User } = typeorm
    const users: Users = source.getRepository(User)
    return expectOutcome('TypeORM', position, { engine, source, users, ...(codec as object) } as TypeOrm)
  })

  test.each(MIKRO.map((position) => [position[0], position] as const))('MikroORM: %s', (_, position) => {
    const { orm, User, Team } = mikro
    return expectOutcome('MikroORM', position, { em: orm.em.fork(), User, Team, storage, ...codec } as never)
  })
})

test('IdColumn rejects a default, which insert and upsert of TypeORM return as stored', () => {
  const define = (storage: IdStorage) => () =>
    IdColumn(TeamId, storage, 'users.team_id', { type: STORED_AS[storage], default: () => 'new_id()' })
  expect(define('text')).not.toThrow()
  for (const storage of ['uuid', 'bytes'] as const)
    expect(define(storage)).toThrow('column users.team_id: expected no default')
})

afterAll(() => {
  for (const orm of ['TypeORM', 'MikroORM']) {
    const positions = Map.groupBy(
      cells.filter((cell) => cell.orm === orm),
      ({ position }) => position,
    )
    const columns = COLUMNS.map(([name, storage]) => `${name}, ${storage}`)
    const rows = [...positions].map(([position, own]) => [
      position,
      ...columns.map((column) => own.find((cell) => cell.column === column)?.outcome ?? 'failed'),
    ])
    report(`${orm.toLowerCase()}-positions`, formatTable({ columns: [orm, ...columns], rows }))
  }
})
