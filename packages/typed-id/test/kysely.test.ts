import Sqlite from 'better-sqlite3'
import fc from 'fast-check'
import {
  Kysely,
  PostgresDialect,
  type SelectQueryBuilder,
  SqliteDialect,
  sql,
} from 'kysely'
import { jsonBuildObject } from 'kysely/helpers/postgres'
import { jsonObjectFrom } from 'kysely/helpers/sqlite'
import { beforeEach, describe, expect, test } from 'vitest'
import { postgresConditions } from '../src/column-check.ts'
import { type IdDefinition, type IdSource, idRegistry } from '../src/index.ts'
import { idCheck, idPlugin } from '../src/kysely.ts'
import { near } from './fuzz/values.ts'
import {
  ADA,
  ada,
  COLUMNS,
  engine,
  type Tables,
  TeamId,
  UserId,
} from './kysely-tables.ts'

describe('results', () => {
  let database: Sqlite.Database
  const open = (...options: Parameters<typeof idPlugin>) =>
    new Kysely<Tables>({
      dialect: new SqliteDialect({ database }),
      plugins: [idPlugin(...options)],
    })

  beforeEach(async () => {
    database = new Sqlite(':memory:')
    database.exec('create table users (id blob, name text, team_id blob)')
    database.exec('create table notes (id integer primary key, text text)')
    const db = open('bytes', COLUMNS)
    await db.insertInto('users').values(ADA).execute()
    return () => db.destroy()
  })

  test('in JSON are converted, and throw for numbers that lose digits, and for a string that is not JSON', async () => {
    const text = open('text', COLUMNS)
    const compiled = text
      .selectFrom('users')
      .select((eb) => eb.fn.jsonAgg('users').as('x'))
      .compile()
    const read = (json: string) =>
      text.executeQuery<{ x: unknown }>({
        ...compiled,
        sql: 'select ? as x',
        parameters: [json],
      })
    const row = (n: string) => `[{"id":"${ada}","team_id":null,"n":${n}}]`
    for (const n of ['9007199254740991', '-2.5', '"9007199254740993"'])
      expect((await read(row(n))).rows).toEqual([{ x: row(n) }])
    const long = row('9007199254740993')
    const wrong = row('1').replace('user-', 'team-')
    for (const json of [long, 'junk', '[{"id":1}]', wrong])
      await expect(read(json), json).rejects.toThrow(/users\.(id|team_id)/)
  })

  test('of a registry are ids of any of its types', async () => {
    const ids = idRegistry([UserId, TeamId])
    const text = open('text', { ...COLUMNS, notes: { text: ids } })
    const rows = [ada, engine].map((id, i) => ({ id: i, text: id }))
    await text.insertInto('notes').values(rows).execute()
    const all = text.selectFrom('notes').selectAll()
    expect(await all.where('text', 'in', [ada, engine]).execute()).toEqual(rows)
    await expect(
      text.insertInto('notes').values({ id: 3, text: 'role-x' }).execute(),
    ).rejects.toThrow('column notes.text')
    expect(() => open('uuid', { notes: { text: ids } })).toThrow(
      'expected the storage text',
    )
  })

  test('of queries of one builder are converted, also if they lack a column or add none', async () => {
    const db = open('bytes', COLUMNS)
    const all = db.selectFrom('users')
    const queries = [
      all.select(['id', 'team_id']),
      all.select('id'),
      all.select('name'),
      all.select(['name', 'id', 'team_id']),
    ]
    const compiled = queries.map((query) => query.compile())
    const rows = compiled.map((query) => db.executeQuery<unknown>(query))
    expect((await Promise.all(rows)).map((result) => result.rows[0])).toEqual([
      { id: ada, team_id: engine },
      { id: ada },
      { name: 'Ada' },
      ADA,
    ])
  })

  test('that lack a listed column throw', async () => {
    const wrong = open('bytes', { users: { user_id: UserId } })
    const query = wrong.selectFrom('users').selectAll()
    for (const _ of ['first time', 'second time'])
      await expect(query.execute()).rejects.toThrow(
        'the result has no column users.user_id',
      )
  })

  test('of a query that was compiled without the plugin throw', async () => {
    const plain = new Kysely<Tables>({
      dialect: new SqliteDialect({ database }),
    })
    const query = plain.selectFrom('users').select('id').compile()
    await expect(open('bytes', COLUMNS).executeQuery(query)).rejects.toThrow(
      'compile the query with this plugin',
    )
  })

  test('are unchanged in a column whose name differs from an id column in _', async () => {
    const text = open('text', COLUMNS)
    const compiled = text.selectFrom('users').select('team_id').compile()
    const query = { ...compiled, sql: `select 'x' as teamid, null as team_id` }
    const { rows } = await text.executeQuery<unknown>(query)
    expect(rows).toEqual([{ teamid: 'x', team_id: null }])
  })

  test('that are not ids throw with the name of the column', async () => {
    database.exec("update users set team_id = 'junk'")
    const users = open('bytes', COLUMNS).selectFrom('users')
    await expect(users.select('users.team_id as x').execute()).rejects.toThrow(
      'invalid bytes: expected Uint8Array(16) in column users.team_id, received "junk"',
    )
  })
})

const compiler = (...options: Parameters<typeof idPlugin>) =>
  new Kysely<Tables>({
    dialect: new PostgresDialect({ pool: {} as never }),
    plugins: [idPlugin(...options)],
  })
const db = compiler('uuid', COLUMNS)
const users = () => db.selectFrom('users')
type Compilable = { compile(): { readonly parameters: readonly unknown[] } }
type Rejected = (
  db: Kysely<Tables>,
  users: SelectQueryBuilder<Tables, 'users', object>,
) => Compilable
const [adaUuid, engineUuid] = [UserId.toUuid(ada), TeamId.toUuid(engine)]

const FUNCTIONS = ['coalesce', 'nullif', 'min', 'max', 'first_value', 'to_json']
const COMPARISONS =
  '=,==,!=,<>,<,<=,>,>=,<=>,not in,is,is distinct from,is not distinct from'.split(
    ',',
  ) as '='[]

// biome-ignore format: one query a line
test.each<[string, Compilable, unknown[]]>([
  ['a column that is listed with null', db.insertInto('notes').values({ id: 1, text: ada }), [1, ada]],
  ['a table with a schema, beside a common table expression of its name', db.with('users', (qb) => qb.selectFrom('other').selectAll()).selectFrom('public.users' as 'app_auth.users').select('name').where('id', '=', ada), [adaUuid]],
  ['a column of the outer query', users().select('name').where(({ eb, exists, selectFrom }) => exists(selectFrom('teams').select('teams.name').where(eb('users.id', '=', ada) as never))), [adaUuid]],
  ['an unlisted column that an UPDATE writes', db.updateTable('other').from('users').set({ id: 'x' }).where('users.id', '=', ada), ['x', adaUuid]],
  ['DELETE … USING', db.deleteFrom('users').using('teams').where('teams.id', '=', engine), [engineUuid]],
  ['two tables with one name', db.selectFrom(['users', 'app_auth.users']).select('name').where('app_auth.users.team_id', '=', 'x' as never).where('users.team_id', '=', engine), ['x', engineUuid]],
  ['a list of expressions, one of which is a function without ids', users().select('id').where((eb) => eb('id', 'in', [eb.fn<UserId>('f', [eb.val('x')]), eb.val(ada)])), ['x', adaUuid]],
  ['INSERT … DEFAULT VALUES', db.insertInto('users').defaultValues().returning('id'), []],
  ['a column without ids that has the name of an id column of the outer query', users().select((eb) => eb.selectFrom(db.selectFrom('notes').select('notes.id').as('o')).select('id').as('x')), []],
  ['a subquery with the name of a table of the outer query', users().select('name').where(({ exists }) => exists(db.selectFrom(db.selectFrom('other').selectAll().as('users')).select('users.id').where('users.id', '=', 'x'))), ['x']],
  ['expressions without ids', users().select((eb) => [eb.fn('f', [eb.selectFrom('users').select('name')]).as('b'), jsonBuildObject({ n: eb.ref('users.name') }).as('c'), jsonObjectFrom(eb.selectFrom('teams').select('teams.name')).as('d'), eb.case().when('id', '=', ada).then(1).else(2).end().as('g'), eb('id', '=', ada).as('h'), eb.fn.sum('id').as('i'), eb.fn.avg('id').as('j'), sql`1` as never]), [adaUuid, adaUuid]],
  ['functions that return one of their arguments', users().select((eb) => FUNCTIONS.map((name) => eb.fn(name, ['id', 'users.id']).as(name))), []],
  ['comparisons', users().select('name').where((eb) => eb.and([eb.betweenSymmetric('id', ada, ada), ...COMPARISONS.map((name) => eb('id', name, ada))])), Array(COMPARISONS.length + 2).fill(adaUuid)],
  ['all columns of a subquery and a common table expression without ids', db.with('o', () => db.selectFrom('other').selectAll()).selectFrom(['o', 'users']).selectAll('o').select('users.id'), []],
  ['a column of a sql fragment whose alias is listed', db.selectFrom(sql<Tables['teams']>`(select id from users)`.as('teams')).select('teams.id').where('teams.id', '=', engine), [engineUuid]],
  ['a sql fragment in FROM, if no id column is listed', compiler('uuid', { users: { id: null } }).selectFrom(sql<Tables['users']>`users`.as('o')).selectAll(), []],
  ['jsonAgg of columns', users().select(({ fn }) => [fn.jsonAgg('name').as('a'), fn.jsonAgg('users.id').as('b')]), []],
  ['UNION without ids', db.selectFrom('other').selectAll().union(db.selectFrom('more').selectAll() as never), []],
  ['RETURNING * of two tables without ids', db.updateTable('other').from('more').set({ id: 'x' }).returningAll(), ['x']],
])('converts %s', (_, query, parameters) => {
  expect(query.compile().parameters).toEqual(parameters)
})

// biome-ignore format: one query a line
test.each<[string, Rejected, string]>([
  ['a function of a part of an id', (_, users) => users.select((eb) => eb.fn('lower', ['id']).as('x')), 'an expression with users.id'],
  ['a function of an id in ORDER BY', (_, users) => users.select('name').orderBy((eb) => eb.fn.coalesce('id', 'name')), 'an expression with users.id'],
  ['CASE that returns an id', (_, users) => users.select((eb) => eb.case().when('name', '=', 'Ada').then(eb.ref('id')).end().as('x')), 'an expression with users.id'],
  ['a comparison of two types', (db) => db.selectFrom(['users', 'teams']).select('users.name').whereRef('users.id', '=', 'teams.id'), 'the operator = of users.id'],
  ['a comparison with a column that is not listed', (db) => db.selectFrom(['users', 'other']).select('name').whereRef('other.x', '=', 'users.id'), 'the operator = of users.id'],
  ['a comparison with a query of a column that is not listed', (db, users) => users.select('name').where('id', 'in', db.selectFrom('other').select('other.x').$castTo<never>()), 'the operator in of users.id'],
  ['between a value and a column that is not listed', (_, users) => users.select('name').where((eb) => eb.between('id', ada, eb.ref('name') as never)), 'the operator between of users.id'],
  ['UPDATE with a column that is not listed', (db) => db.updateTable('users').set((eb) => ({ team_id: eb.ref('users.name') as never })), 'in users.team_id an expression with users.team_id'],
  ['a comparison of JSON', (_, users) => users.select('name').where((eb) => eb(eb.fn.toJson('users'), '=', 'x' as never)), 'the operator = of users.id'],
  ['a sql alias of a column', (_, users) => users.select((eb) => eb.ref('id').as(sql`x`)), 'an expression with users.id'],
  ['a sql fragment with a reference', (_, users) => users.select(sql`lower(${sql.ref('users.id')})`.as('x')), 'an expression with users.id'],
  ['an id beside * in a subquery', (db) => db.selectFrom(db.selectFrom(['other', 'users']).selectAll('other').select('users.id as y').as('o')).select('o.x'), 'columns that may have one name, like users.id'],
  ['two columns of a subquery with one name', (db) => db.selectFrom(db.selectFrom('users').selectAll().selectAll().as('o')).selectAll(), 'columns that may have one name, like users.id'],
  ['two names that a CamelCasePlugin does not distinguish', (_, users) => users.select(['id as userId', 'name as user_id']), 'columns that may have one name, like users.id'],
  ['a UNION of * of two subqueries', (db, users) => db.selectFrom(users.select(['id', 'team_id as b']).as('o')).selectAll().union(db.selectFrom(db.selectFrom('users').select(['id', 'name as b']).as('o')).selectAll() as never), 'a UNION of users.id'],
  ['a UNION of * before an id', (db) => db.selectFrom(['other', 'users']).selectAll('other').select('users.id as y').union((eb) => eb.selectFrom(['other', 'users']).select(['x', 'users.id as y', 'other.id as z']) as never), 'a UNION of users.id'],
  ['a UNION with a sql fragment', (_, users) => users.select('name').union(() => sql`select id from users` as never), 'a UNION with sql'],
  ['a sql fragment in FROM', (db) => db.selectFrom(sql<Tables['users']>`(select * from users)`.as('o')).selectAll(), 'columns of o'],
  ['a column of an UPDATE before its change', (db) => db.updateTable('users').set({ name: 'x' }).returning('old.id' as never), 'columns of old'],
  ['a common table expression with names of columns', (db) => db.with('users(x)', (qb) => qb.selectFrom('app_auth.users').select('id as x')).selectFrom('users').select('x' as never), 'users with names of columns'],
  ['a recursive UNION of two types', (db) => db.withRecursive('m', (qb) => qb.selectFrom('users').select('id').union(qb.selectFrom('m').innerJoin('teams', 'm.id', 'm.id').select('teams.id') as never)).selectFrom('m').select('m.id'), 'a UNION of users.id'],
  ['several tables of a recursive WITH', (db) => db.withRecursive('m', (qb) => qb.selectFrom('o' as 'users').select('id')).with('o', (qb) => qb.selectFrom('users').select('id')).selectFrom('m').select('m.id'), 'a recursive WITH of several tables'],
  ['an unqualified column of an outer query', (_, users) => users.select((eb) => eb.selectFrom('notes').select('team_id' as never).as('x')), 'team_id, which may be users.team_id'],
  ['RETURNING * of several tables', (db) => db.updateTable('users').from('notes').set({ name: 'Ada' }).returningAll(), 'returning * of several tables with users.id'],
  ['OUTPUT of SQL Server', (db) => db.deleteFrom('users').outputAll('deleted'), 'OUTPUT with users.id'],
  ['INSERT … SELECT of another type', (db) => db.insertInto('users').columns(['name', 'id']).expression((eb) => eb.selectFrom('teams').select(['name', 'teams.id']) as never), 'INSERT … SELECT of teams.id'],
  ['UPDATE of another column', (db) => db.updateTable('users').set((eb) => ({ name: eb.ref('users.id') as never })), 'in column name an expression with users.id'],
  ['like', (_, users) => users.select('name').where('id', 'like', 'user-%' as never), 'the operator like of users.id'],
  ['a value in a list', (_, users) => users.select('name').where('name', 'in', [ada]), `${ada} in name in …`],
  ['a short id in a sql fragment', (_, users) => users.select('name').where(sql<boolean>`id = ${UserId.toShort(ada)}`), `${UserId.toShort(ada)} in a sql fragment`],
  ['= any(array)', (_, users) => users.select('id').where((eb) => eb('id', '=', eb.fn.any(eb.val([ada])))), `${ada} in the query`],
  ['a row with an expression of a table that is not listed', (db) => db.insertInto('other').values({ x: ada, id: sql`1` }), `${ada} in column x`],
])('throws for %s, unless the storage is text', (_, query, place) => {
  const text = compiler('text', COLUMNS)
  query(text, text.selectFrom('users')).compile()
  expect(() => query(db, users()).compile()).toThrow(
    `idPlugin: cannot convert ${place}: list its columns, rewrite it, or use idCodec`,
  )
  const next = db.selectFrom('other').select('x').where('id', '=', 'x')
  expect(next.compile().parameters).toEqual(['x'])
})

test.each(['text', 'uuid', 'bytes'] as const)(
  'throws for an array of ids in an id column, with the storage %s',
  (storage) => {
    const users = compiler(storage, COLUMNS).insertInto('users')
    const query = users.values({ ...ADA, id: [ada] as never })
    expect(() => query.compile()).toThrow('in column users.id')
  },
)

test.each(['text', 'uuid'] as const)(
  'throws for two types with one name in two queries of one builder, with the storage %s',
  (storage) => {
    const users = compiler(storage, COLUMNS).selectFrom('users')
    users.select('id as teamId').compile()
    expect(() => users.select('team_id').compile()).toThrow(
      'team_id of two queries of one builder',
    )
  },
)

test.each<[string, IdDefinition<string, string>, IdSource<string>?]>([
  ['a type', UserId],
  ['a type of TypeIDs', TeamId],
  ['a type of a registry', UserId, idRegistry([TeamId, UserId])],
])(
  'idCheck on SQLite accepts the strings of %s that `is` accepts, and in a STRICT table no BLOB',
  (_, type, source = type) => {
    const database = new Sqlite(':memory:')
    const condition = idCheck(source, 'id', 'sqlite').compile(db).sql
    database.exec(`create table checked (id text check (${condition})) strict`)
    const insert = database.prepare('insert into checked values (?)')
    const others = [
      `${type.example}\0junk`,
      `${type.example}0`,
      type.example.replace(/.$/, 'u'),
      UserId.toShort(ada),
      `user-${'*'.repeat(36)}`,
      1,
      Buffer.from(type.example),
    ]
    for (const value of [
      type.example,
      ada,
      ...fc.sample(near, 2000),
      ...others,
    ])
      if (type.is(value)) insert.run(value)
      else
        expect(() => insert.run(value), String(value)).toThrow(
          /constraint failed|cannot store/,
        )
  },
)

test('idCheck of a registry without types accepts no id', () => {
  expect(idCheck(idRegistry([]), 'id', 'sqlite').compile(db).sql).toBe('1 = 0')
})

test('idCheck on MySQL is the pattern of the type, in its case, and the length', () => {
  expect(idCheck(UserId, 'id', 'mysql').compile(db).sql).toBe(
    `"id" regexp '(?-i)${UserId.pattern}' and length("id") = 41`,
  )
})

test('idCheck on PostgreSQL has the conditions of the domain that `typed-id sql` prints', () => {
  expect(idCheck(UserId, 'users.id', 'postgres').compile(db).sql).toBe(
    postgresConditions(UserId)
      .map((condition) => `"users"."id" ${condition}`)
      .join(' and '),
  )
})
