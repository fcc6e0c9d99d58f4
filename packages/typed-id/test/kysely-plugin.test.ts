import Sqlite from 'better-sqlite3'
import {
  CamelCasePlugin,
  type CompiledQuery,
  DummyDriver,
  Kysely,
  type KyselyPlugin,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  SqliteDialect,
  sql,
} from 'kysely'
import { jsonObjectFrom } from 'kysely/helpers/sqlite'
import { beforeEach, describe, expect, test } from 'vitest'
import { idCodec } from '../src/codec.ts'
import { defineId, type IdOf } from '../src/index.ts'
import { type IdColumn, idPlugin } from '../src/kysely.ts'

const UserId = defineId('user')
type UserId = IdOf<typeof UserId>
const TeamId = defineId('team')
type TeamId = IdOf<typeof TeamId>

interface Tables {
  teams: { id: IdColumn<typeof TeamId>; name: string }
  users: { id: IdColumn<typeof UserId>; name: string; team_id: TeamId | null }
  notes: { id: number; text: string }
}

const COLUMNS = { users: { id: UserId, team_id: TeamId }, teams: { id: TeamId }, notes: { text: null } }
const [ada, bob] = UserId.generateMany(2) as [UserId, UserId]
const [engine, other] = TeamId.generateMany(2) as [TeamId, TeamId]
const ADA = { id: ada, name: 'Ada', team_id: engine }
const BOB = { id: bob, name: 'Bob', team_id: null }

let sqlite: Sqlite.Database
let db: Kysely<Tables>

/** Columns of 16 bytes: an id that is not converted would match nothing, and could not be read. */
beforeEach(async () => {
  sqlite = new Sqlite(':memory:')
  sqlite.exec('create table teams (id blob primary key check (length(id) = 16), name text)')
  sqlite.exec('create table users (id blob primary key check (length(id) = 16), name text, team_id blob)')
  sqlite.exec('create table notes (id integer primary key, text text)')
  const dialect = new SqliteDialect({ database: sqlite })
  db = new Kysely<Tables>({ dialect, plugins: [idPlugin('bytes', COLUMNS)] })
  await db
    .insertInto('teams')
    .values([
      { id: engine, name: 'Engine' },
      { id: other, name: 'Other' },
    ])
    .execute()
  await db.insertInto('users').values([ADA, BOB]).execute()
  return () => db.destroy()
})

describe('conditions', () => {
  test.each<[string, () => { execute(): Promise<unknown[]> }]>([
    ['a list', () => db.selectFrom('users').selectAll().where('id', 'in', [ada])],
    [
      'between',
      () =>
        db
          .selectFrom('users')
          .selectAll()
          .where((eb) => eb.between('id', ada, ada)),
    ],
    [
      'a value on the left',
      () =>
        db
          .selectFrom('users')
          .selectAll()
          .where((eb) => eb(eb.val(ada), '=', eb.ref('id'))),
    ],
    [
      'and, or and not',
      () =>
        db
          .selectFrom('users')
          .selectAll()
          .where((eb) => eb.not(eb.or([eb('id', '=', bob), eb.and({ team_id: other })]))),
    ],
    ['is distinct from', () => db.selectFrom('users').selectAll().where('id', 'is distinct from', bob)],
    [
      'a subquery with an alias',
      () =>
        db
          .selectFrom((eb) => eb.selectFrom('users').select(['id as member', 'name', 'team_id']).as('u'))
          .select(['member as id', 'name', 'team_id'])
          .where('u.member', '=', ada),
    ],
    [
      'a correlated subquery',
      () =>
        db
          .selectFrom('users as u')
          .selectAll()
          .where((eb) =>
            eb.exists(
              eb
                .selectFrom('teams as t')
                .select('t.name')
                .whereRef('t.id', '=', 'u.team_id')
                .where('u.id', '=', ada),
            ),
          ),
    ],
    [
      'a list from a subquery',
      () =>
        db
          .selectFrom('users')
          .selectAll()
          .where('team_id', 'in', (eb) =>
            eb.selectFrom('teams').select('teams.id').where('teams.id', '=', engine),
          ),
    ],
    [
      'a common table expression',
      () =>
        db
          .with('members(member, label)', (qb) =>
            qb.selectFrom('users').select(['id as member', 'name as label']),
          )
          .selectFrom('members')
          .innerJoin('users', 'users.id', 'member')
          .selectAll('users')
          .where('member', '=', ada),
    ],
    ['having', () => db.selectFrom('users').selectAll().groupBy('id').having('id', '=', ada)],
    [
      'a join',
      () =>
        db
          .selectFrom('users')
          .innerJoin('teams as t', (join) => join.onRef('t.id', '=', 'users.team_id').on('t.id', '=', engine))
          .selectAll('users'),
    ],
    [
      'a union',
      () =>
        db
          .selectFrom('users')
          .selectAll()
          .where('id', '=', ada)
          .union(db.selectFrom('users').selectAll().where('id', '=', ada)),
    ],
  ])('converts %s', async (_, query) => {
    expect(await query().execute()).toEqual([ADA])
  })

  test('leaves values for a column that is listed with null unchanged', async () => {
    await db.insertInto('notes').values({ id: 1, text: ada }).execute()
    expect(await db.selectFrom('notes').selectAll().where('text', '=', ada).execute()).toEqual([
      { id: 1, text: ada },
    ])
  })
})

describe('results', () => {
  test('converts aliases, scalar subqueries, min, max and coalesce', async () => {
    const row = await db
      .selectFrom('users')
      .select((eb) => [
        'users.id as member',
        eb.selectFrom('teams').select('teams.id').whereRef('teams.id', '=', 'users.team_id').as('team'),
        eb.fn.max('users.id').as('latest'),
        eb.fn.coalesce('team_id', 'team_id').as('first'),
      ])
      .where('users.id', '=', ada)
      .executeTakeFirst()
    expect(row).toEqual({ member: ada, team: engine, latest: ada, first: engine })
  })

  test('converts all columns of one of two joined tables', async () => {
    const query = db.selectFrom('users').innerJoin('teams', 'teams.id', 'users.team_id')
    expect(await query.selectAll('teams').execute()).toEqual([{ id: engine, name: 'Engine' }])
  })

  test('converts the rows of a stream', async () => {
    const rows = []
    for await (const row of db.selectFrom('users').select('id').orderBy('id').stream()) rows.push(row.id)
    expect(rows).toEqual([ada, bob])
  })

  test('works below a CamelCasePlugin', async () => {
    const plugins = [new CamelCasePlugin(), idPlugin('bytes', COLUMNS)]
    const camel = new Kysely<{ users: { id: UserId; teamId: TeamId | null } }>({
      dialect: new SqliteDialect({ database: sqlite }),
      plugins,
    })
    const rows = await camel
      .selectFrom('users')
      .select(['id', 'teamId'])
      .where('teamId', '=', engine)
      .execute()
    expect(rows).toEqual([{ id: ada, teamId: engine }])
  })

  test('throws when the result lacks a column of the list', async () => {
    const wrong = new Kysely<Tables>({
      dialect: new SqliteDialect({ database: sqlite }),
      plugins: [idPlugin('bytes', { users: { user_id: UserId } })],
    })
    await expect(wrong.selectFrom('users').selectAll().execute()).rejects.toThrow(
      'the result has no column user_id',
    )
  })

  test('leaves the results of queries unchanged that were compiled without the plugin', async () => {
    const plain = new Kysely<Tables>({ dialect: new SqliteDialect({ database: sqlite }) })
    const { rows } = await db.executeQuery(
      plain.selectFrom('users').select('id').orderBy('id').limit(1).compile(),
    )
    expect(rows).toEqual([{ id: Buffer.from(UserId.toBytes(ada)) }])
  })

  test('names the column of a stored value that is not an id', async () => {
    sqlite.exec("update users set team_id = 'junk'")
    await expect(db.selectFrom('users').select('users.team_id as x').execute()).rejects.toThrow(
      'invalid bytes: expected Uint8Array(16) in column users.team_id, received "junk"',
    )
  })
})

describe('writes', () => {
  test('converts assignments, RETURNING, and the rows of several inserts', async () => {
    const query = db.updateTable('users').set({ team_id: other }).where('id', '=', bob).returningAll()
    expect(await query.execute()).toEqual([{ ...BOB, team_id: other }])
    expect(
      await db.deleteFrom('users').where('team_id', '=', other).returning('id as gone').execute(),
    ).toEqual([{ gone: bob }])
  })

  test('converts the assignments and the condition of an upsert', async () => {
    const upsert = (id: UserId) =>
      db
        .insertInto('users')
        .values([
          { ...BOB, team_id: engine },
          { id, name: 'Eve', team_id: sql<TeamId>`null` },
        ])
        .onConflict((conflict) =>
          conflict
            .column('id')
            .doUpdateSet((eb) => ({ team_id: eb.ref('excluded.team_id') }))
            .where('excluded.team_id', '=', engine),
        )
        .returningAll()
    const eve = UserId.generate()
    expect(await upsert(eve).execute()).toEqual([
      { ...BOB, team_id: engine },
      { id: eve, name: 'Eve', team_id: null },
    ])
  })

  test('rejects an id of another type before the query runs', () => {
    expect(() =>
      db
        .insertInto('users')
        .values({ ...BOB, id: engine as never })
        .compile(),
    ).toThrow('wrong type: expected user in column users.id, received team in')
  })
})

describe('queries of other engines', () => {
  const compiler = (plugins: KyselyPlugin[]) =>
    new Kysely<Tables & { 'auth.users': Tables['users'] }>({
      dialect: {
        createAdapter: () => new PostgresAdapter(),
        createDriver: () => new DummyDriver(),
        createIntrospector: (kysely) => new PostgresIntrospector(kysely),
        createQueryCompiler: () => new PostgresQueryCompiler(),
      },
      plugins,
    })
  const pg = compiler([idPlugin('uuid', { ...COLUMNS, 'auth.users': { id: UserId } })])
  const [adaUuid, engineUuid] = [UserId.toUuid(ada), TeamId.toUuid(engine)]

  test.each<[string, { compile(): CompiledQuery }, unknown[]]>([
    [
      'UPDATE … FROM',
      pg.updateTable('users').from('teams').set({ team_id: engine }).where('teams.id', '=', engine),
      [engineUuid, engineUuid],
    ],
    ['DELETE … USING', pg.deleteFrom('users').using('teams').where('teams.id', '=', engine), [engineUuid]],
    [
      'a table in a schema',
      pg.selectFrom('auth.users').select('auth.users.id').where('id', '=', ada),
      [adaUuid],
    ],
    ['a table without ids', pg.selectFrom('notes').selectAll('notes').where('notes.id', '=', 5), [5]],
    [
      'a parenthesis',
      pg
        .selectFrom('users')
        .select('id')
        .where((eb) => eb('id', '=', eb.parens(eb.val(ada)))),
      [adaUuid],
    ],
    [
      'a list of expressions',
      pg
        .selectFrom('users')
        .select('id')
        .where((eb) => eb('id', 'in', [eb.val(ada)] as never)),
      [adaUuid],
    ],
    [
      'INSERT … SELECT',
      pg
        .insertInto('users')
        .columns(['id', 'name'])
        .expression((eb) => eb.selectFrom('users').select(['id', 'name']).where('id', '=', ada)),
      [adaUuid],
    ],
    ['INSERT … DEFAULT VALUES', pg.insertInto('users').defaultValues().returning('id'), []],
    [
      'functions',
      pg
        .selectFrom('users')
        .select((eb) => [eb.fn.count('id').as('n'), eb.fn('lower', ['name']).as('l'), eb.fn('now').as('t')]),
      [],
    ],
    ['an unknown reference', pg.selectFrom('users').select('id').where(sql.ref('x.id'), '=', 1), [1]],
    [
      'a part of another query',
      pg
        .with('u', () => pg.selectFrom('users').selectAll().where('id', '=', ada))
        .selectFrom('u')
        .selectAll(),
      [adaUuid],
    ],
  ])('%s', (_, query, parameters) => {
    expect(query.compile().parameters).toEqual(parameters)
  })
})

describe('queries that the plugin does not understand', () => {
  const failing = (query: { compile(): unknown }) => () => query.compile()
  const value = (id: unknown) => sql<boolean>`${id}`

  test.each<[string, () => { compile(): unknown }, string]>([
    [
      'a column of a sql fragment',
      () => db.selectFrom(sql<Tables['users']>`users`.as('u')).select('u.id'),
      'the selected expression with id',
    ],
    [
      'a column of a sql fragment without its alias',
      () => db.selectFrom(sql<Tables['users']>`users`.as<'u'>(sql`u`)).select('id'),
      'the selected expression with id',
    ],
    [
      'a sql alias',
      () => db.selectFrom('users').select((eb) => eb.ref('id').as(sql`x`)),
      'the selected expression with users.id',
    ],
    [
      'select * with a sql fragment',
      () => db.selectFrom(['users', sql<Tables['notes']>`notes`.as('n')]).selectAll(),
      'select * with n, whose columns are not listed',
    ],
    [
      'mixed types',
      () => db.selectFrom('users').select((eb) => eb.fn.coalesce('team_id', 'id' as never).as('x')),
      'an expression that mixes users.team_id and users.id',
    ],
    [
      'a union with another value',
      () =>
        db
          .selectFrom('users')
          .select('id')
          .union(db.selectFrom('notes').select('id') as never),
      'a UNION of users.id and another value',
    ],
    [
      'a union of another value',
      () =>
        db
          .selectFrom('notes')
          .select('id')
          .union(db.selectFrom('users').select('id') as never),
      'a UNION of another value and users.id',
    ],
    [
      'a function of a table',
      () => db.selectFrom('users').select((eb) => eb.fn('f', [eb.table('users') as never]).as('x')),
      'the selected expression with users.id',
    ],
    [
      'an aggregate',
      () => db.selectFrom('users').select((eb) => eb.fn.agg('string_agg', ['id']).as('x')),
      'the selected expression with users.id',
    ],
    [
      'a subquery in an expression',
      () =>
        db
          .selectFrom('notes')
          .select((eb) => eb.fn('f', [eb.selectFrom('users').select('id').limit(1)]).as('x')),
      'the selected expression with users.id',
    ],
    [
      'a value in an operator of a sql fragment',
      () =>
        db
          .selectFrom('notes')
          .where((eb) => eb('text', sql`@@` as never, ada))
          .selectAll(),
      `${ada} in text  …`,
    ],
    [
      'a value in a list',
      () => db.selectFrom('users').select('name').where('name', 'in', [ada]),
      `${ada} in name in …`,
    ],
    [
      'a value in a limit',
      () =>
        db
          .selectFrom('users')
          .select('name')
          .limit(ada as never),
      `${ada} in the query`,
    ],
    [
      'an array in a sql fragment',
      () =>
        db
          .selectFrom('users')
          .select('name')
          .where(value([ada])),
      `${ada} in a sql fragment`,
    ],
    [
      'INSERT … VALUES without columns',
      () => db.insertInto('other' as never).values({ x: ada, y: sql`1` } as never),
      `${ada} in column x`,
    ],
  ])('throws for %s', (_, query, place) => {
    expect(failing({ compile: () => query().compile() })).toThrow(
      `idPlugin: cannot convert ${place}: list the column, or use idCodec`,
    )
  })
})

describe('what the plugin does not see, and idCodec for it', () => {
  const { toDatabase, fromDatabase } = idCodec(UserId, 'bytes', 'users.id')

  test('sql fragments', async () => {
    const count = async (value: unknown) =>
      db.selectFrom('users').select('id').where(sql<boolean>`id = ${value}`).execute()
    await expect(count(ada)).rejects.toThrow(`idPlugin: cannot convert ${ada} in a sql fragment`)
    expect(await count(toDatabase(ada))).toEqual([{ id: ada }])
    const { rows } = await sql<{ id: Uint8Array }>`select id from users order by id`.execute(db)
    expect(rows.map(({ id }) => fromDatabase(id))).toEqual([ada, bob])
  })

  test('JSON: a query inside reads and compares ids, but its result contains what is stored', async () => {
    const query = db
      .selectFrom('users')
      .select((eb) =>
        jsonObjectFrom(
          eb.selectFrom('teams').select(sql<string>`hex(id)`.as('hex')).where('teams.id', '=', engine),
        ).as('team'),
      )
    const [row] = await query.execute()
    expect(JSON.parse(row?.team as never)).toEqual({
      hex: TeamId.toUuid(engine).replaceAll('-', '').toUpperCase(),
    })
  })
})
