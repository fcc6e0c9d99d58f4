import Sqlite from 'better-sqlite3'
import fc from 'fast-check'
import {
  type CompiledQuery,
  DummyDriver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  SqliteDialect,
  sql,
} from 'kysely'
import { jsonBuildObject } from 'kysely/helpers/postgres'
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

const UserId = defineId('user')
type UserId = IdOf<typeof UserId>
const TeamId = defineId('team')
type TeamId = IdOf<typeof TeamId>

interface Tables {
  teams: { id: IdColumn<typeof TeamId>; name: string }
  users: { id: IdColumn<typeof UserId>; name: string; team_id: TeamId | null }
  notes: { id: number; text: string }
}

const COLUMNS = {
  users: { id: UserId, team_id: TeamId },
  teams: { id: TeamId },
  notes: { text: null },
}
const [ada, bob] = UserId.generateMany(2) as [UserId, UserId]
const engine = TeamId.generate()
const ADA = { id: ada, name: 'Ada', team_id: engine }
const BOB = { id: bob, name: 'Bob', team_id: null }

let database: Sqlite.Database
let db: Kysely<Tables>

/**
 * The columns store 16 bytes, so that an id that is not converted causes an
 * error.
 */
beforeEach(async () => {
  database = new Sqlite(':memory:')
  database.exec(
    'create table teams (id blob primary key check (length(id) = 16), name text)',
  )
  database.exec(
    'create table users (id blob primary key check (length(id) = 16), name text, team_id blob)',
  )
  database.exec('create table notes (id integer primary key, text text)')
  const dialect = new SqliteDialect({ database })
  db = new Kysely<Tables>({ dialect, plugins: [idPlugin('bytes', COLUMNS)] })
  await db.insertInto('teams').values({ id: engine, name: 'Engine' }).execute()
  await db.insertInto('users').values([ADA, BOB]).execute()
  return () => db.destroy()
})

/*
 * kysely-positions.test.ts tests the positions of ids in queries. These tests
 * cover the other branches of the plugin.
 */

describe('results', () => {
  test('in JSON keep the digits of numbers, and throw for a string that is not JSON', async () => {
    const text = new Kysely<Tables>({
      dialect: new SqliteDialect({ database }),
      plugins: [idPlugin('text', COLUMNS)],
    })
    const rows = text
      .selectFrom('users')
      .select((eb) => eb.fn.jsonAgg('users').as('x'))
    const compiled = rows.compile()
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
    for (const json of [
      'junk',
      '{}',
      '5',
      '[5]',
      row('1').replace('user-', 'team-'),
    ])
      await expect(read(json), json).rejects.toThrow(/users\.id/)
  })

  test('of a registry are ids of any of its types', async () => {
    const ids = idRegistry([UserId, TeamId])
    const plugin = (storage: 'text' | 'uuid') =>
      idPlugin(storage, { notes: { text: ids } })
    const text = new Kysely<Tables>({
      dialect: new SqliteDialect({ database }),
      plugins: [plugin('text')],
    })
    const rows = [ada, engine].map((id, i) => ({ id: i, text: id }))
    await text.insertInto('notes').values(rows).execute()
    const all = text.selectFrom('notes').selectAll()
    expect(await all.where('text', 'in', [ada, engine]).execute()).toEqual(rows)
    await expect(
      text.insertInto('notes').values({ id: 3, text: 'role-x' }).execute(),
    ).rejects.toThrow('column notes.text')
    expect(() => plugin('uuid')).toThrow('expected the storage text')
  })

  test('of three queries of one builder are converted, the third of which has no new column', async () => {
    const all = db.selectFrom('users').orderBy('name')
    const queries = [all.select('id'), all.select('name'), all.select('name')]
    const compiled = queries.map((query) => query.compile())
    const rows = compiled.map((query) => db.executeQuery<unknown>(query))
    expect((await Promise.all(rows)).map((result) => result.rows[0])).toEqual([
      { id: ada },
      { name: 'Ada' },
      { name: 'Ada' },
    ])
  })

  test('converts the rows of a stream', async () => {
    const rows = []
    const query = db.selectFrom('users').select('id').orderBy('id')
    for await (const row of query.stream()) rows.push(row.id)
    expect(rows).toEqual([ada, bob])
  })

  test('throws when the result lacks a column of the list', async () => {
    const wrong = new Kysely<Tables>({
      dialect: new SqliteDialect({ database }),
      plugins: [idPlugin('bytes', { users: { user_id: UserId } })],
    })
    const query = wrong.selectFrom('users').selectAll()
    for (const _ of ['first time', 'second time'])
      await expect(query.execute()).rejects.toThrow(
        'the result has no column users.user_id',
      )
  })

  test('names the column of a stored value that is not an id', async () => {
    database.exec("update users set team_id = 'junk'")
    await expect(
      db.selectFrom('users').select('users.team_id as x').execute(),
    ).rejects.toThrow(
      'invalid bytes: expected Uint8Array(16) in column users.team_id, received "junk"',
    )
  })
})

const pg = new Kysely<Tables & { 'auth.users': Tables['users'] }>({
  dialect: {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: (kysely) => new PostgresIntrospector(kysely),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  },
  plugins: [idPlugin('uuid', { ...COLUMNS, 'auth.users': { id: UserId } })],
})
const [adaUuid, engineUuid] = [UserId.toUuid(ada), TeamId.toUuid(engine)]

// biome-ignore format: one query a line
test.each<[string, { compile(): CompiledQuery }, unknown[]]>([
  ['a column that is listed with null', pg.insertInto('notes').values({ id: 1, text: ada }), [1, ada]],
  ['a column of `excluded`', pg.insertInto('users').values(ADA).onConflict((oc) => oc.column('id').doUpdateSet({ name: 'Eve' }).where('excluded.team_id', '=', engine)), [adaUuid, 'Ada', engineUuid, 'Eve', engineUuid]],
  ['a column of the outer query', pg.selectFrom('users').select('name').where((eb) => eb.exists(eb.selectFrom('teams').select('teams.name').where('users.id', '=', ada))), [adaUuid]],
  ['UPDATE … FROM', pg.updateTable('users').from('teams').set({ team_id: engine }).where('teams.id', '=', engine), [engineUuid, engineUuid]],
  ['DELETE … USING', pg.deleteFrom('users').using('teams').where('teams.id', '=', engine), [engineUuid]],
  ['a table in a schema', pg.selectFrom('auth.users').select('auth.users.id').where('id', '=', ada), [adaUuid]],
  ['a parenthesis', pg.selectFrom('users').select('id').where((eb) => eb('id', '=', eb.parens(eb.val(ada)))), [adaUuid]],
  ['a list of expressions', pg.selectFrom('users').select('id').where((eb) => eb('id', 'in', [eb.val(ada)] as never)), [adaUuid]],
  ['INSERT … DEFAULT VALUES', pg.insertInto('users').defaultValues().returning('id'), []],
  ['an id compared with a function', pg.selectFrom('users').select('id').where((eb) => eb('id', '=', eb.fn<UserId>('f', [eb.val('x')]))), ['x']],
  ['two tables with one name', pg.selectFrom(['users', 'auth.users']).select('name').where('auth.users.team_id' as never, '=', 5 as never).where('users.team_id', '=', engine), [5, engineUuid]],
  ['an UPDATE of two tables', pg.updateTable(['users', 'teams']).set('users.team_id', engine).where('teams.id', '=', engine), [engineUuid, engineUuid]],
  ['a parenthesis, selected', pg.selectFrom('users').select((eb) => eb.parens(eb.ref('id')).as('x')), []],
  ['a subquery without ids in an expression', pg.selectFrom('users').select((eb) => eb.fn('f', [eb.selectFrom('users').select('name')]).as('x')), []],
  ['all columns of an unlisted table in a subquery', pg.selectFrom((eb) => eb.selectFrom('other' as never).selectAll().as('o')).selectAll(), []],
  ['an expression without a name', pg.selectFrom('users').select(sql`1` as never), []],
  ['a common table expression without ids', pg.with('o', (qb) => qb.selectFrom('other' as never).selectAll()).selectFrom('o').selectAll(), []],
  ['a subquery with the name of a table of the outer query', pg.selectFrom('users').select('name').where((eb) => eb.exists(eb.selectFrom(eb.selectFrom('other' as never).selectAll().as('users')).select('users.id' as never).where('users.id' as never, '=', 5 as never))), [5]],
  ['a UNION without ids', pg.selectFrom('other' as never).selectAll().union(pg.selectFrom('more' as never).selectAll()), []],
  ['all columns of a table that is not in the query', pg.selectFrom('users').selectAll('other' as never), []],
  ['all columns of two listed tables', pg.selectFrom('users').innerJoin('teams', 'teams.id', 'team_id').selectAll(), []],
  ['RETURNING * of two unlisted tables', pg.updateTable('other' as never).from('more' as never).set({ x: 1 } as never).returningAll(), [1]],
  ['a subquery in a row', pg.insertInto('users').values((eb) => ({ id: ada, name: 'Ada', team_id: eb.selectFrom('teams').select('teams.id').where('teams.id', '=', engine) })), [adaUuid, 'Ada', engineUuid]],
  ['like on another column', pg.selectFrom('users').select('id').where('name', 'like', 'A%').where('name', 'in', ['A']), ['A%', 'A']],
  ['a reference in a sql fragment, selected', pg.selectFrom('users').select(sql.ref('users.id').as('x')), []],
  ['a column with null in an expression', pg.selectFrom('notes').innerJoin('users', (join) => join.onTrue()).select(['notes.text as x', 'notes.text']).where((eb) => eb('notes.text', '=', eb.parens(eb.val(ada)))), [ada]],
  ['a common table expression of a sql fragment without a listed table', pg.with('o', () => sql`(select 1 as id)`).selectFrom(['o', 'users']).select(['users.id', 'o.id as x' as never]), []],
  ['a function in FROM', pg.selectFrom('users').innerJoin((eb) => eb.fn('f', [eb.val(1)]).as('g'), (join) => join.onTrue()).select(['users.id', 'g.x' as never]), [1]],
  ['a column of a sql fragment whose alias is listed', pg.selectFrom(sql<Tables['teams']>`(select id from users)`.as('teams')).select('teams.id').where('teams.id', '=', engine), [engineUuid]],
  ['a UNION of sql fragments and columns without ids', pg.selectFrom('other' as never).select('x' as never).union(pg.selectFrom('more' as never).select('y' as never)).union((eb) => eb.parens(eb.selectFrom('more' as never).select('z' as never)) as never).union(() => sql`select 1` as never), []],
  ['JSON without ids', pg.selectFrom('users').select((eb) => [jsonBuildObject({ n: eb.ref('users.name') }).as('x'), eb.fn.toJson('notes' as never).as('y')]), []],
  ['INSERT … SELECT of an unlisted table', pg.insertInto('other' as never).expression(pg.selectFrom('more' as never).selectAll()), []],
  ['a comparison with a subquery of two columns', pg.selectFrom('users').select((eb) => eb.exists(eb.selectFrom('users').select(['id', 'team_id'])).as('x')), []],
  ['case of an id', pg.selectFrom('users').select((eb) => eb.case('id').when(ada).then(1).else(2).end().as('x')), [adaUuid]],
  ['MERGE after another plugin', pg.withSchema('public').mergeInto('users').using('teams', 'teams.id', 'users.team_id').whenMatched().thenUpdateSet({ team_id: engine }), [engineUuid]],
])('%s', (_, query, parameters) => {
  expect(query.compile().parameters).toEqual(parameters)
})

// biome-ignore format: one query a line
test.each<[string, () => { compile(): unknown }, string]>([
  ['a sql alias', () => db.selectFrom('users').select((eb) => eb.ref('id').as(sql`x`)), 'the selected expression with users.id'],
  ['a sql fragment with a reference', () => db.selectFrom('users').select(sql`lower(${sql.ref('users.id')})`.as('x')), 'the selected expression with users.id'],
  ['coalesce of two types', () => db.selectFrom('users').select(({ fn }) => fn.coalesce('users.team_id', 'users.id').as('x')), 'the selected expression with users.team_id'],
  ['min of two types', () => db.selectFrom('users').select(({ fn }) => fn('min', ['users.team_id', 'users.id']).as('x')), 'the selected expression with users.team_id'],
  ['a subquery of two columns', () => db.selectFrom('users').select((eb) => eb.selectFrom('users').select(['id', 'team_id']).as('x')), 'the selected expression with users.id'],
  ['a UNION with a sql fragment', () => db.selectFrom('users').select('name').union(() => sql`select id from users` as never), 'a UNION with sql'],
  ['a table in a sql fragment in FROM', () => db.selectFrom(sql`(select * from ${sql.table('users')})`.as('o')).select('o.id' as never), 'a FROM or JOIN that is not a table'],
  ['an expression without a name in a subquery', () => db.selectFrom((eb) => eb.selectFrom('users').select((eb) => eb.fn.coalesce('id', 'id') as never).as('o')).select('o.coalesce' as never), 'users.id'],
  ['INSERT … SELECT *', () => db.insertInto('users').expression(db.selectFrom('users').selectAll()), 'INSERT … SELECT'],
  ['JSON of an unlisted column after an id', () => db.selectFrom(['users', 'other' as 'notes']).select('users.id').selectAll('other' as 'notes'), 'select * with unlisted other'],
  ['all columns of a subquery of an unlisted table after an id', () => db.selectFrom(['users', (eb) => eb.selectFrom('other' as 'notes').selectAll().as('o')]).select('users.id').selectAll('o'), 'select * with unlisted o'],
  ['OUTPUT of SQL Server', () => db.deleteFrom('users').outputAll('deleted'), 'OUTPUT'],
  ['an operator that starts like a comparison', () => db.selectFrom('users').select('name').where('id', '<->' as never, ada), 'users.id for the operator <->'],
  ['an operator that ends like a comparison', () => db.selectFrom('users').select('name').where('id', '!<' as never, ada), 'users.id for the operator !<'],
  ['a column of an enclosing query in an expression', () => db.selectFrom('users').select((eb) => eb.selectFrom('notes').select((eb) => eb.fn('f', ['users.id' as never]).as('x')).as('x')), 'the selected expression with users.id'],
  ['a function that is not count', () => db.selectFrom('users').select((eb) => eb.fn('recount', ['id']).as('x')), 'the selected expression with users.id'],
  ['a value in an operator of a sql fragment', () => db.selectFrom('notes').where((eb) => eb('text', sql`@@` as never, ada)).selectAll(), `${ada} in text  …`],
  ['a value in a list', () => db.selectFrom('users').select('name').where('name', 'in', [ada]), `${ada} in name in …`],
  ['a value in a limit', () => db.selectFrom('users').select('name').limit(ada as never), `${ada} in the query`],
  ['a short id in a sql fragment', () => db.selectFrom('users').select('name').where(sql<boolean>`id = ${UserId.toShort(ada)}`), `${UserId.toShort(ada)} in a sql fragment`],
  ['an INSERT into a table that is not listed', () => db.insertInto('other' as never).values({ x: ada, y: sql`1` } as never), `${ada} in column x`],
  ['a sql fragment in JOIN', () => db.selectFrom('users').innerJoin(sql<Tables['notes']>`notes`.as('n'), (join) => join.onTrue()).select('name'), 'a FROM or JOIN that is not a table'],
  ['a UNION with an unlisted table', () => db.selectFrom('users').select(['name', 'id']).union(db.selectFrom('other' as never).selectAll() as never), 'a UNION of users.id'],
  ['two names of one CamelCasePlugin in two queries of one builder', () => { const of = db.selectFrom('users'); of.selectAll().compile(); return of.select('id as teamId') }, 'teamId of two queries of one builder'],
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
    const condition = idCheck(source, 'id', 'sqlite').compile(pg).sql
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
  expect(idCheck(UserId, 'id', 'mysql').compile(pg).sql).toBe(
    `"id" regexp '(?-i)${UserId.pattern}' and length("id") = 41`,
  )
})

test('idCheck on PostgreSQL has the conditions of the domain that `typed-id sql` prints', () => {
  expect(idCheck(UserId, 'users.id', 'postgres').compile(pg).sql).toBe(
    postgresConditions(UserId)
      .map((condition) => `"users"."id" ${condition}`)
      .join(' and '),
  )
})
