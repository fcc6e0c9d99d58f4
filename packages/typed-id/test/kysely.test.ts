import Sqlite from 'better-sqlite3'
import fc from 'fast-check'
import {
  DummyDriver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  SqliteDialect,
  sql,
} from 'kysely'
import { jsonBuildObject } from 'kysely/helpers/postgres'
import { jsonObjectFrom } from 'kysely/helpers/sqlite'
import { beforeEach, describe, expect, test } from 'vitest'
import { postgresConditions } from '../src/column-check.ts'
import {
  defineId,
  type IdDefinition,
  type IdOf,
  type IdSource,
  idRegistry,
} from '../src/index.ts'
import { type IdColumn, idCheck, idPlugin } from '../src/kysely.ts'
import { defineTypeId } from '../src/typeid.ts'
import { near } from './fuzz/values.ts'

/*
 * Tests the plugin, except where in a query it converts ids: see
 * kysely-positions.test.ts.
 */

const UserId = defineId('user')
type UserId = IdOf<typeof UserId>
const TeamId = defineId('team')
type TeamId = IdOf<typeof TeamId>

interface Users {
  id: IdColumn<typeof UserId>
  name: string
  team_id: TeamId | null
}
interface Tables {
  users: Users
  'app_auth.users': Users
  teams: { id: IdColumn<typeof TeamId>; name: string }
  notes: { id: number; text: string }
  /** The tables `other` and `more` are not in the options of the plugin. */
  other: { x: string; id: string }
  more: { x: string }
}

const COLUMNS = {
  users: { id: UserId, team_id: TeamId },
  'app_auth.users': { id: UserId },
  teams: { id: TeamId },
  notes: { text: null },
}
const ada = UserId.generate()
const engine = TeamId.generate()
const ADA = { id: ada, name: 'Ada', team_id: engine }

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

  test('in JSON keep the digits of numbers, and throw for a string that is not JSON', async () => {
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
    const row = (n: string) =>
      `[{"id":"${ada}","team_id":null,"n":${n},"#":"#1"}]`
    for (const n of ['9007199254740993', '1.0', '-2e5', '"7"'])
      expect((await read(row(n))).rows).toEqual([{ x: row(n) }])
    const wrong = row('1').replace('user-', 'team-')
    for (const json of ['junk', '{}', '5', 'null', '[5]', wrong])
      await expect(read(json), json).rejects.toThrow(/users\.id/)
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
    const audit = text.selectFrom('notes').select('text as id')
    expect(() =>
      text.insertInto('users').columns(['id']).expression(audit).compile(),
    ).toThrow('INSERT … SELECT')
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
      all.select('name'),
    ]
    const compiled = queries.map((query) => query.compile())
    const rows = compiled.map((query) => db.executeQuery<unknown>(query))
    expect((await Promise.all(rows)).map((result) => result.rows[0])).toEqual([
      { id: ada, team_id: engine },
      { id: ada },
      { name: 'Ada' },
      { name: 'Ada' },
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

  test('that are not ids throw with the name of the column', async () => {
    database.exec("update users set team_id = 'junk'")
    const users = open('bytes', COLUMNS).selectFrom('users')
    await expect(users.select('users.team_id as x').execute()).rejects.toThrow(
      'invalid bytes: expected Uint8Array(16) in column users.team_id, received "junk"',
    )
  })
})

const db = new Kysely<Tables>({
  dialect: {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: (kysely) => new PostgresIntrospector(kysely),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  },
  plugins: [idPlugin('uuid', COLUMNS)],
})
const users = () => db.selectFrom('users')
const others = () => db.selectFrom('other').selectAll()
type Compilable = { compile(): { readonly parameters: readonly unknown[] } }
const [adaUuid, engineUuid] = [UserId.toUuid(ada), TeamId.toUuid(engine)]

const FUNCTIONS =
  'coalesce ifnull nullif greatest least min max first_value last_value lag lead'.split(
    ' ',
  )
const COMPARISONS =
  '=,==,!=,<>,<,<=,>,>=,<=>,not in,is,is distinct from,is not distinct from'.split(
    ',',
  ) as '='[]

// biome-ignore format: one query a line
test.each<[string, Compilable, unknown[]]>([
  ['a column that is listed with null', db.insertInto('notes').values({ id: 1, text: ada }), [1, ada]],
  ['a column with null in an expression', db.selectFrom(db.selectFrom('notes').select('text').as('n')).select('n.text').where((eb) => eb('n.text', '=', eb.parens(eb.val(ada)))), [ada]],
  ['a column of the outer query', users().select('name').where(({ eb, exists, selectFrom }) => exists(selectFrom('teams').select('teams.name').where(eb('users.id', '=', ada) as never))), [adaUuid]],
  ['an unlisted column that an UPDATE writes', db.updateTable('other').from('users').set({ id: 'x' }).where('users.id', '=', ada), ['x', adaUuid]],
  ['CASE of values that an UPDATE writes', db.updateTable('users').set((eb) => ({ team_id: eb.case().when('name', '=', 'Ada').then(engine).end() })), ['Ada', engineUuid]],
  ['coalesce of values that an UPDATE writes', db.updateTable('users').set((eb) => ({ team_id: eb.fn.coalesce(eb.val(null), eb.val(engine)) })), [null, engineUuid]],
  ['DELETE … USING', db.deleteFrom('users').using('teams').where('teams.id', '=', engine), [engineUuid]],
  ['a table in a schema', db.selectFrom('app_auth.users').select('app_auth.users.id').where('id', '=', ada), [adaUuid]],
  ['two tables with one name', db.selectFrom(['users', 'app_auth.users']).select('name').where('app_auth.users.team_id', '=', 'x' as never).where('users.team_id', '=', engine), ['x', engineUuid]],
  ['a parenthesis, a list of expressions, and a function without ids', users().select('id').where((eb) => eb.and([eb('id', '=', eb.parens(eb.val(ada))), eb('id', 'in', [eb.val(ada)]), eb('id', '=', eb.fn<UserId>('f', [eb.val('x')]))])), [adaUuid, adaUuid, 'x']],
  ['INSERT … DEFAULT VALUES', db.insertInto('users').defaultValues().returning('id'), []],
  ['a subquery with the name of a table of the outer query', users().select('name').where(({ exists }) => exists(db.selectFrom(others().as('users')).select('users.id').where('users.id', '=', 'x'))), ['x']],
  ['expressions without ids, or with an id that can be followed', users().select((eb) => [eb.parens(eb.ref('id')).as('a'), eb.fn('f', [eb.selectFrom('users').select('name')]).as('b'), jsonBuildObject({ n: eb.ref('users.name') }).as('c'), eb.fn.toJson('notes' as never).as('d'), eb.exists(eb.selectFrom('users').select(['id', 'team_id'])).as('e'), sql.ref('users.id').as('f'), eb.case('id').when(ada).then(1).else(2).end().as('g'), eb('id', '=', ada).as('h'), sql`1` as never]), [adaUuid, adaUuid]],
  ['functions that return one of their arguments', users().select((eb) => FUNCTIONS.map((name) => eb.fn(name, ['id', 'users.id']).as(name))), []],
  ['comparisons', users().select('name').where((eb) => eb.and([eb.betweenSymmetric('id', ada, ada), ...COMPARISONS.map((name) => eb('id', name, ada))])), Array(COMPARISONS.length + 2).fill(adaUuid)],
  ['all columns of a subquery, a common table expression and a function without ids', db.with('o', others).with('s', () => sql<{ id: number }>`(select 1 as id)`).selectFrom(['o', 's', others().as('p'), 'users']).innerJoin((eb) => eb.fn('f', [eb.val(1)]).as('g'), (join) => join.onTrue()).selectAll(['o', 'p']).select(['s.id as x', 'g.x' as never, 'users.id']), [1]],
  ['a column of a sql fragment whose alias is listed', db.selectFrom(sql<Tables['teams']>`(select id from users)`.as('teams')).select('teams.id').where('teams.id', '=', engine), [engineUuid]],
  ['UNION without ids', others().union(db.selectFrom('more').selectAll() as never).union(() => sql`select 1` as never), []],
  ['UNION in parentheses', users().select('id').union((eb) => eb.parens(eb.selectFrom('users').select('id').where('id', '=', ada)) as never), [adaUuid]],
  ['all columns of a table that is not in the query', users().selectAll('other' as never), []],
  ['RETURNING * of two tables without ids', db.updateTable('other').from('more').set({ id: 'x' }).returningAll(), ['x']],
])('converts %s', (_, query, parameters) => {
  expect(query.compile().parameters).toEqual(parameters)
})

// biome-ignore format: one query a line
test.each<[string, () => Compilable, string]>([
  ['a sql alias of a column', () => users().select((eb) => eb.ref('id').as(sql`x`)), 'an expression with users.id'],
  ['a sql alias of a table', () => db.selectFrom(sql<Users>`users`.as<'u'>(sql`u`)).selectAll('u'), 'a table with a sql alias'],
  ['a sql fragment with a reference', () => users().select(sql`lower(${sql.ref('users.id')})`.as('x')), 'an expression with users.id'],
  ['coalesce of two types', () => users().select(({ fn }) => fn.coalesce('users.team_id', 'users.id').as('x')), 'an expression with users.team_id'],
  ['CASE of an id and another column', () => users().select((eb) => eb.case().when('name', '=', 'Ada').then(eb.ref('id')).else(eb.ref('name')).end().as('x')), 'an expression with users.id'],
  ['an id beside * in a subquery', () => db.selectFrom(db.selectFrom(['other', 'users']).selectAll('other').select('users.id as y').as('o')).selectAll(), 'an expression with users.id'],
  ['two columns of a subquery with one name', () => db.selectFrom(users().selectAll().selectAll().as('o')).selectAll(), 'an expression with users.id'],
  ['JSON of two columns with one name', () => users().select((eb) => jsonObjectFrom(eb.selectFrom('teams').select(['teams.id', 'teams.name as id'])).as('x')), 'an expression with teams.id'],
  ['jsonBuildObject', () => users().select((eb) => jsonBuildObject({ key: eb.ref('id') }).as('x')), 'an expression with users.id'],
  ['a UNION with a sql fragment', () => users().select('name').union(() => sql`select id from users` as never), 'a UNION with sql'],
  ['a table in a sql fragment in FROM', () => db.selectFrom(sql<Users>`(select * from ${sql.table('users')})`.as('o')).select('o.id'), 'a FROM or JOIN that is not a table'],
  ['a sql fragment in JOIN', () => users().innerJoin(sql<Tables['notes']>`notes`.as('n'), (join) => join.onTrue()).select('name'), 'a FROM or JOIN that is not a table'],
  ['an expression without a name in a subquery', () => db.selectFrom((eb) => eb.selectFrom('users').select((eb) => eb.fn.coalesce('id', 'id') as never).as('o')).select('o.coalesce' as never), 'an expression with users.id'],
  ['INSERT … SELECT *', () => db.insertInto('users').columns(['name', 'id']).expression(db.selectFrom(['other', 'users']).selectAll('other').select('users.id') as never), 'INSERT … SELECT'],
  ['a recursive common table expression that reads a later one', () => db.withRecursive('o', () => db.selectFrom('more').selectAll()).withRecursive('more', () => users().select('id')).selectFrom('o').selectAll(), 'the recursive more'],
  ['all columns of a subquery of an unlisted table after an id', () => db.selectFrom(['users', others().as('o')]).select('users.id').selectAll('o'), 'select * of o after users.id'],
  ['OUTPUT of SQL Server', () => db.deleteFrom('users').outputAll('deleted'), 'OUTPUT'],
  ['a value in an operator of a sql fragment', () => db.selectFrom('notes').where((eb) => eb('text', sql`@@` as never, ada)).selectAll(), `${ada} in text  …`],
  ['a value in a list', () => users().select('name').where('name', 'in', [ada]), `${ada} in name in …`],
  ['a short id in a sql fragment', () => users().select('name').where(sql<boolean>`id = ${UserId.toShort(ada)}`), `${UserId.toShort(ada)} in a sql fragment`],
  ['a row with an expression of a table that is not listed', () => db.insertInto('other').values({ x: ada, id: sql`1` }), `${ada} in column x`],
  ['two names of one CamelCasePlugin in two queries of one builder', () => { const of = users(); of.selectAll().compile(); return of.select('id as teamId') }, 'teamId of two queries of one builder'],
])('throws for %s', (_, query, place) => {
  expect(() => query().compile()).toThrow(
    `idPlugin: cannot convert ${place}: list the column, or use idCodec`,
  )
})

const MemberId = defineTypeId('team_member')
test.each<[string, IdDefinition<string, string>, IdSource<string>?]>([
  ['a type', UserId],
  ['a type of TypeIDs', MemberId],
  ['a type of a registry', UserId, idRegistry([MemberId, UserId])],
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
