import Sqlite from 'better-sqlite3'
import {
  CamelCasePlugin,
  type ExpressionBuilder,
  Kysely,
  ParseJSONResultsPlugin,
  PostgresDialect,
  SqliteDialect,
  sql,
} from 'kysely'
import * as postgresHelpers from 'kysely/helpers/postgres'
import * as sqliteHelpers from 'kysely/helpers/sqlite'
import pg from 'pg'
import { startPostgres } from 'testkit/postgres.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type IdStorage, idCodec } from '../src/codec.ts'
import { defineId, type IdOf } from '../src/index.ts'
import { type IdColumn, idPlugin } from '../src/kysely.ts'
import { defineTypeId } from '../src/typeid.ts'

/*
 * The positions in which a query can contain an id, on PostgreSQL and SQLite:
 * in each position, the plugin converts the id or throws.
 */

const UserId = defineId('user')
const TeamId = defineTypeId('work_team')
type UserId = IdOf<typeof UserId>
type TeamId = IdOf<typeof TeamId>

type Users = {
  id: IdColumn<typeof UserId>
  name: string
  team_id: TeamId | null
}
interface Tables {
  teams: { id: IdColumn<typeof TeamId>; name: string }
  users: Users
  notes: { id: number; text: string }
}
type Camel = {
  users: Omit<Users, 'team_id'> & { teamId: TeamId | null }
  teams: Tables['teams']
}

const COLUMNS = {
  users: { id: UserId, team_id: TeamId },
  teams: { id: TeamId },
}
const [ada, bob, eve] = UserId.generateMany(3) as [UserId, UserId, UserId]
const [engine, other] = TeamId.generateMany(2) as [TeamId, TeamId]

interface Engine {
  readonly types: Partial<Record<IdStorage, string>>
  readonly schema: string
  readonly json: typeof postgresHelpers
  start(): Promise<{
    dialect: PostgresDialect | SqliteDialect
    stop(): Promise<unknown>
  }>
}

const ENGINES: Record<string, Engine> = {
  PostgreSQL: {
    types: { text: 'text', uuid: 'uuid', bytes: 'bytea' },
    schema: 'public',
    json: postgresHelpers,
    async start() {
      const server = await startPostgres()
      const pool = new pg.Pool({ connectionString: server.url })
      pool.on('error', () => {})
      return {
        dialect: new PostgresDialect({ pool }),
        stop: () => pool.end().then(server.stop),
      }
    },
  },
  SQLite: {
    types: { text: 'text', bytes: 'blob' },
    schema: 'main',
    json: sqliteHelpers as never,
    async start() {
      const database = new Sqlite(':memory:')
      return {
        dialect: new SqliteDialect({ database }),
        stop: async () => database.close(),
      }
    },
  },
}

interface Context extends Pick<Engine, 'json' | 'schema'> {
  readonly storage: IdStorage
  readonly db: Kysely<Tables>
  readonly plain: Kysely<Tables>
  readonly camel: Kysely<Camel>
  readonly camelLast: Kysely<Camel>
  stored(): Promise<(UserId | TeamId | null)[][]>
}

type Throws = Partial<Record<IdStorage, string>>
/**
 * A position: its name, a function that runs a query, and the expected result.
 * For each storage that throws, a part of the message, and the same for SQLite
 * alone.
 */
type Position = [
  name: string,
  run: (context: Context) => Promise<unknown>,
  expected: unknown,
  throws?: Throws,
  onSqlite?: Throws,
]

const all = (message: string) => ({
  text: message,
  uuid: message,
  bytes: message,
})
const converted = (message: string) => ({ uuid: message, bytes: message })
const cannot = (place: string) => `idPlugin: cannot convert ${place}`
/** Returns the last elements of a position that throws with every storage. */
const rejected = (place: string) => [undefined, all(cannot(place))] as const

const NO_BLOB = 'JSON cannot hold BLOB values'
const insertEve = { id: eve, name: 'Eve', team_id: engine }
const ROWS = [
  [ada, engine],
  [bob, null],
]

// biome-ignore format: one position a line
const POSITIONS: Position[] = [
  ['column, selected', ({ db }) => db.selectFrom('users').select(['id', 'team_id']).orderBy('id').execute(), [{ id: ada, team_id: engine }, { id: bob, team_id: null }]],
  ['select *', ({ db }) => db.selectFrom('users').selectAll().where('id', '=', ada).execute(), [{ id: ada, name: 'Ada', team_id: engine }]],
  ['=, <=, in, is, is distinct from, between', ({ db }) => db.selectFrom('users').select('id').where((eb) => eb.and([eb('id', '=', ada), eb('id', '<=', ada), eb('id', 'in', [ada]), eb('team_id', 'is not', null), eb('id', 'is distinct from', bob), eb.between('id', ada, ada)])).execute(), [{ id: ada }]],
  ['table.*', ({ db }) => db.selectFrom('users').innerJoin('teams', 'teams.id', 'users.team_id').selectAll('teams').execute(), [{ id: engine, name: 'Engine' }]],
  ['= any(array)', ({ db }) => db.selectFrom('users').select('id').where((eb) => eb('id', '=', eb.fn.any(eb.val([ada])))).execute(), [{ id: ada }], converted(cannot(`${ada} in any(…)`)), { ...converted(cannot(`${ada} in any(…)`)), text: 'no such function: any' }],
  ['tuple', ({ db }) => db.selectFrom('users').select('id').where((eb) => eb(eb.refTuple('id', 'team_id'), '=', eb.tuple(ada, engine) as never)).execute(), [{ id: ada }], converted(cannot(`${ada} in … = …`))],
  ['case … then', ({ db }) => db.selectFrom('users').select((eb) => eb.case().when('id', '=', ada).then(eb.ref('id')).else(eve).end().as('x')).orderBy('id').execute(), [{ x: ada }, { x: eve }]],
  ['count, comparison, exists', ({ db }) => db.selectFrom('users').select((eb) => [eb.fn.count<string>('id').as('n'), eb(eb.fn.count('id'), '>', 1).as('x'), eb.exists(eb.selectFrom('teams').select('id')).as('e')]).execute().then(([row]) => [row?.n, row?.x, row?.e].map(Number)), [2, 1, 1]],
  ['scalar subquery', ({ db }) => db.selectFrom('users').select((eb) => eb.selectFrom('teams').select('teams.id').whereRef('teams.id', '=', 'users.team_id').as('x')).orderBy('id').execute(), [{ x: engine }, { x: null }]],
  ['subquery of db', ({ db }) => db.selectFrom('users').select('id').where('team_id', 'in', db.selectFrom('teams').select('id').where('id', '=', engine)).execute(), [{ id: ada }]],
  ['join', ({ db }) => db.selectFrom('users as u').innerJoin('teams as t', (join) => join.onRef('t.id', '=', 'u.team_id').on('t.id', '=', engine)).select(['u.id', 't.id as team']).execute(), [{ id: ada, team: engine }]],
  ['lateral join', ({ db }) => db.selectFrom('users').innerJoinLateral((eb) => eb.selectFrom('teams').select('teams.id as t').whereRef('teams.id', '=', 'users.team_id').as('x'), (join) => join.onTrue()).select('x.t').execute(), [{ t: engine }], {}, all('near "select": syntax error')],
  ['common table expression', ({ db }) => db.with('m(member)', (qb) => qb.selectFrom('users').select('id as member')).selectFrom('m').selectAll().where('member', '=', ada).execute(), [{ member: ada }]],
  ['column of a common table expression of a sql fragment', ({ db }) => db.with('m', () => sql<{ id: UserId }>`(select id from users)`).selectFrom('m').select('id').execute(), ...rejected('a FROM or JOIN that is not a table')],
  ['union', ({ db }) => db.selectFrom('users').select('id').where('id', '=', ada).union(db.selectFrom('users').select('id').where('id', '=', ada)).execute(), [{ id: ada }]],
  ['withSchema', ({ db, schema }) => db.withSchema(schema).selectFrom('users').select(['users.id', 'team_id']).where('users.id', '=', ada).execute(), [{ id: ada, team_id: engine }]],
  ['CamelCasePlugin before', ({ camel }) => camel.selectFrom('users').select(['id', 'teamId']).where('teamId', '=', engine).execute(), [{ id: ada, teamId: engine }]],
  ['CamelCasePlugin after', ({ camelLast }) => camelLast.selectFrom('users').select(['id', 'teamId']).where('teamId', '=', engine).execute(), [{ id: ada, teamId: engine }]],
  ['CamelCasePlugin, subquery of db', async ({ camel, camelLast }) => Promise.all([camel, camelLast].map((db) => db.selectFrom('users').select('id').where('teamId', 'in', db.selectFrom('teams').select('id').where('id', '=', engine)).execute())), [[{ id: ada }], [{ id: ada }]]],
  ['jsonObjectFrom', ({ db, json }) => db.selectFrom('users').select((eb) => json.jsonObjectFrom(eb.selectFrom('teams').select(['teams.id', 'teams.name']).whereRef('teams.id', '=', 'users.team_id')).as('team')).orderBy('id').execute(), [{ team: { id: engine, name: 'Engine' } }, { team: null }], {}, { bytes: NO_BLOB }],
  ['json_agg, to_json of a table', ({ db }) => db.selectFrom('teams').select((eb) => [eb.fn.jsonAgg('teams').as('x'), eb.fn.toJson('teams').as('y')]).where('id', '=', engine).groupBy('id').execute(), [{ x: [{ id: engine, name: 'Engine' }], y: { id: engine, name: 'Engine' } }], {}, all('no such column: "teams"')],
  ['to_json of a table, withSchema', ({ db, schema }) => db.withSchema(schema).selectFrom('teams').select(({ fn }) => fn.toJson('teams').as('x')).where('id', '=', engine).execute(), [{ x: { id: engine, name: 'Engine' } }], {}, all('no such column: "teams"')],
  ['insert', ({ db, stored }) => db.insertInto('users').values([insertEve]).execute().then(stored), [...ROWS, [eve, engine]]],
  ['insert of a row with an expression', ({ db, stored }) => db.insertInto('users').values([{ ...insertEve, team_id: sql<TeamId>`null` }]).execute().then(stored), [...ROWS, [eve, null]]],
  ['insert … select with a value', ({ db, stored }) => db.insertInto('users').columns(['id', 'name', 'team_id']).expression((eb) => eb.selectFrom('users').select((eb) => [eb.val(eve).as('id'), 'name', 'team_id']).where('id', '=', ada)).execute().then(stored), [...ROWS, [eve, engine]]],
  ['update, returning', async ({ db }) => await db.updateTable('users').set({ team_id: other }).where('id', '=', bob).returning(['id', 'team_id']).execute(), [{ id: bob, team_id: other }]],
  ['update with case', ({ db, stored }) => db.updateTable('users').set((eb) => ({ team_id: eb.case().when('id', '=', bob).then(other).else(eb.ref('team_id')).end() })).execute().then(stored), [[ada, engine], [bob, other]]],
  ['on conflict, excluded', async ({ db }) => await db.insertInto('users').values({ ...insertEve, id: bob }).onConflict((oc) => oc.column('id').doUpdateSet((eb) => ({ team_id: eb.ref('excluded.team_id') })).where('users.id', '=', bob)).returning('team_id').execute(), [{ team_id: engine }]],
  ['delete, returning', ({ db }) => db.deleteFrom('users').where('id', '=', ada).returningAll().execute(), [{ id: ada, name: 'Ada', team_id: engine }]],
  ['queries of one builder at the same time, with one name for two types', async ({ db }) => { const ofAda = db.selectFrom('users').where('name', '=', 'Ada'); return Promise.all([ofAda.select('id as x').execute(), ofAda.select('team_id as x').execute()]) }, ...rejected('x of two queries of one builder')],
  ['two names that a CamelCasePlugin does not distinguish', async ({ db }) => { const query = db.selectFrom('users').select(['id as userId', 'name as user_id']).where('id', '=', ada); return (await query.execute()) && query.execute() }, [{ userId: ada, user_id: 'Ada' }]],
  ['query compiled without the plugin', ({ db, plain }) => db.executeQuery(plain.selectFrom('users').select('id').compile()), undefined, all('idPlugin: compile the query with this plugin')],
  ['sql alias of a table', ({ db }) => db.selectFrom((eb: ExpressionBuilder<Tables, 'users'>) => eb.table('users').as<'u'>(sql`u`) as never).selectAll('u' as never).execute(), ...rejected('a FROM or JOIN that is not a table')],
  ['subquery in parentheses', ({ db }) => db.selectFrom((eb) => eb.parens(eb.selectFrom('users').select('id as x')).as('u')).select('u.x' as never).orderBy('u.x' as never).execute(), [{ x: ada }, { x: bob }]],
  ['update from, returning all', ({ db }) => db.updateTable('users').from('teams').set({ name: 'Ada' }).whereRef('teams.id', '=', 'team_id').returningAll().execute(), ...rejected('returning * of several tables')],
  ['view', async ({ db, plain }) => { await db.schema.createView('ada').as(db.selectFrom('users').select('name').where('id', '=', ada)).execute(); const rows = await plain.selectFrom('ada' as never).selectAll().execute(); await plain.schema.dropView('ada').execute(); return rows }, [{ name: 'Ada' }], { bytes: 'invalid immediate value' }],
  ['table of a query', async ({ db, plain }) => { await db.schema.createTable('ada').temporary().as(db.selectFrom('users').select('name').where('id', '=', ada)).execute(); const rows = await plain.selectFrom('ada' as never).selectAll().execute(); await plain.schema.dropTable('ada').execute(); return rows }, [{ name: 'Ada' }]],
  ['explain', async ({ db }) => (await db.selectFrom('users').selectAll().explain()).length > 0, true],
  ['id of another type', ({ db }) => db.selectFrom('users').select('id').where('id', '=', engine as never).execute(), undefined, all('in column users.id')],
  ['select * with a table that is not listed', ({ db }) => db.selectFrom('users').innerJoin('notes', (join) => join.onTrue()).selectAll().execute(), ...rejected('select * with unlisted notes')],
  ['value in a function', ({ db }) => db.selectFrom('users').select('name').where((eb) => eb(eb.fn('lower', [eb.val(ada)]), '=', 'x')).execute(), [], converted(cannot(`${ada} in lower(…)`))],
  ['value in another column', ({ db, plain }) => db.insertInto('notes').values({ id: 1, text: ada }).execute().then(() => plain.selectFrom('notes').select('text').execute()), [{ text: ada }], converted(cannot(`${ada} in column text`))],
  ['value in a sql fragment', ({ db }) => db.selectFrom('users').select('name').where(sql<boolean>`id = ${ada}`).execute(), [{ name: 'Ada' }], converted(cannot(`${ada} in a sql fragment`))],
  ['value in a sql fragment, by idCodec', ({ db, storage }) => db.selectFrom('users').select('name').where(sql<boolean>`id = ${idCodec(UserId, storage, 'users.id').toDatabase(ada)}`).execute(), [{ name: 'Ada' }]],
  ['like', ({ db }) => db.selectFrom('users').select('name').where('id', 'like', 'user-%' as never).execute(), [{ name: 'Ada' }, { name: 'Bob' }], converted(cannot('users.id for the operator like'))],
  ['merge, insert of another type', ({ db }) => db.mergeInto('users').using('teams', 'teams.id', 'users.team_id').whenNotMatched().thenInsertValues((eb) => ({ id: eb.ref('teams.id') as never, name: 'Eve' })).execute(), ...rejected('an expression in column id')],
  ['other columns in expressions', ({ db }) => db.selectFrom('users').innerJoin('teams', 'teams.id', 'users.team_id').select((eb) => [eb.fn.max('users.name').as('a'), eb.fn.coalesce('teams.name', eb.val('x')).as('b'), eb.cast('users.name', 'text').as('c'), eb('users.name', '||', eb.val('!')).as('d'), eb.fn.agg('lag', ['users.name']).over((ob) => ob.partitionBy('users.id').orderBy('users.id')).as('e'), eb.fn.sum(eb.lit(2)).as('f')]).groupBy(['users.id', 'users.name', 'teams.name']).execute().then(([row]) => ({ ...row, f: Number(row?.f) })), { a: 'Ada', b: 'Engine', c: 'Ada', d: 'Ada!', e: null, f: 2 }],
  ['returning an expression', async ({ db }) => await db.updateTable('users').set({ name: 'Eve' }).where('users.id', '=', ada).returning((eb) => [eb.fn<string>('lower', ['users.name']).as('a'), 'users.team_id']).execute(), [{ a: 'eve', team_id: engine }]],
  ['ids in coalesce and a window', ({ db }) => db.selectFrom('users').select((eb) => [eb.fn.coalesce('users.team_id', eb.val(other)).as('a'), eb.fn.agg('first_value', ['users.id']).over((ob) => ob.orderBy('users.id')).as('b')]).where((eb) => eb(eb.fn.coalesce('users.team_id', eb.val(other)), '=', other)).execute(), [{ a: other, b: bob }]],
  ['function of an id', ({ db }) => db.selectFrom('users').select(({ fn }) => fn('lower', ['users.id']).as('x')).execute(), ...rejected('the selected expression with users.id')],
  ['cast of an id', ({ db }) => db.selectFrom('users').select((eb) => eb.cast('users.id', 'text').as('x')).execute(), ...rejected('the selected expression with users.id')],
  ['jsonArrayFrom in jsonObjectFrom', ({ db, json }) => db.selectFrom('teams').select((eb) => json.jsonObjectFrom(eb.selectFrom('users as u').whereRef('u.team_id', '=', 'teams.id').select((eb) => ['u.id as key', json.jsonArrayFrom(eb.selectFrom('teams as t').whereRef('t.id', '=', 'u.team_id').select('t.id')).as('all')])).as('x')).where('id', '=', engine).execute(), [{ x: { key: ada, all: [{ id: engine }] } }], {}, { bytes: NO_BLOB }],
  ['JSON of a common table expression, jsonBuildObject', ({ db, json }) => db.with('m', (qb) => qb.selectFrom('users').select((eb) => json.jsonBuildObject({ key: eb.ref('users.id'), name: eb.ref('users.name') }).as('x')).where('users.id', '=', ada)).selectFrom('m').selectAll().execute(), [{ x: { key: ada, name: 'Ada' } }], {}, { bytes: NO_BLOB }],
  ['array_agg', ({ db }) => db.selectFrom('users').select(({ fn }) => fn.agg<UserId[]>('array_agg', ['users.id']).filterWhere('users.id', '=', ada).as('x')).execute(), [{ x: [ada] }], {}, all('no such function: array_agg')],
  ['JSON of a lost id', ({ db, json }) => db.selectFrom('users').select((eb) => json.jsonArrayFrom(eb.selectFrom('teams').select(({ fn }) => fn('lower', ['teams.id']).as('y'))).as('x')).execute(), ...rejected('the selected expression with teams.id')],
  ['recursive common table expression', ({ db }) => db.withRecursive('m(id)', (qb) => qb.selectFrom('users').select('users.id').where('id', '=', ada).unionAll(qb.selectFrom('users').innerJoin('m', 'm.id', 'users.id').select('m.id').where('m.id', '=', bob))).selectFrom('m').selectAll().where('m.id', '=', ada).execute(), [{ id: ada }]],
  ['names of columns for *', ({ db }) => db.with('m(a, b, c)', (qb) => qb.selectFrom('users').selectAll() as never).selectFrom('m' as never).select('m.a' as never).execute(), ...rejected('m(…) as select *')],
  ['all columns of a subquery', ({ db }) => db.selectFrom((eb) => eb.selectFrom('users').selectAll().as('u')).selectAll().where('u.team_id', '=', engine).execute(), [{ id: ada, name: 'Ada', team_id: engine }]],
  ['union of two types', ({ db }) => db.selectFrom('users').select('id').union(db.selectFrom('teams').select('id') as never).execute(), ...rejected('a UNION of users.id')],
  ['subquery compared with an id', ({ db }) => db.selectFrom('users').select('name').where((eb) => eb(eb.selectFrom('teams').select('teams.id').whereRef('teams.id', '=', 'users.team_id'), '=', engine)).execute(), [{ name: 'Ada' }]],
  ['unqualified column of an outer query', ({ db }) => db.selectFrom('users').select((eb) => eb.selectFrom('notes').select('team_id' as never).as('x')).execute(), ...rejected('the selected expression with users.team_id')],
  ['insert … select of another type', ({ db }) => db.insertInto('users').columns(['id', 'name']).expression((eb) => eb.selectFrom('teams').select(['teams.id as id', 'name']) as never).execute(), ...rejected('INSERT … SELECT')],
  ['update with an id of another type', ({ db }) => db.updateTable('users').set((eb) => ({ team_id: eb.ref('users.id') as never })).execute(), ...rejected('an expression in column team_id')],
  ['merge', ({ db, stored }) => db.mergeInto('users').using('teams', 'teams.id', 'users.team_id').whenMatchedAnd('users.id', '=', ada).thenUpdateSet({ team_id: other }).whenNotMatched().thenInsertValues({ ...insertEve }).execute().then(stored), [[ada, other], [bob, null], [eve, engine]], {}, all('near "merge": syntax error')],
]

describe.each(Object.entries(ENGINES))(
  '%s',
  (engineName, { types, schema, json, start }) => {
    let running: Awaited<ReturnType<Engine['start']>>
    beforeAll(async () => {
      running = await start()
    }, 60_000)
    afterAll(() => running.stop(), 60_000)

    describe.each(Object.entries(types) as [IdStorage, string][])(
      '%s',
      (storage, type) => {
        let context: Context
        beforeAll(() => {
          const [{ dialect }, ids] = [running, idPlugin(storage, COLUMNS)]
          const plain = new Kysely<Tables>({ dialect })
          context = {
            storage,
            json,
            schema,
            plain,
            db: plain.withPlugin(ids).withPlugin(new ParseJSONResultsPlugin()),
            camel: new Kysely({
              dialect,
              plugins: [new CamelCasePlugin(), ids],
            }),
            camelLast: new Kysely({
              dialect,
              plugins: [ids, new CamelCasePlugin()],
            }),
            async stored() {
              const rows = await plain
                .selectFrom('users')
                .select(['id', 'team_id'])
                .orderBy('id')
                .execute()
              const [user, team] = [
                idCodec(UserId, storage, 'id'),
                idCodec(TeamId, storage, 'team_id'),
              ]
              return rows.map((row) => [
                user.fromDatabase(row.id),
                team.fromDatabase(row.team_id),
              ])
            },
          }
        })
        beforeEach(async () => {
          const { db, plain } = context
          const run = (statement: string) => sql.raw(statement).execute(plain)
          for (const table of ['users', 'teams', 'notes'])
            await run(`drop table if exists ${table}`)
          await run(`create table teams (id ${type} primary key, name text)`)
          await run(
            `create table users (id ${type} primary key, name text, team_id ${type})`,
          )
          await run('create table notes (id int, text text)')
          const teams = [
            { id: engine, name: 'Engine' },
            { id: other, name: 'Other' },
          ]
          await db.insertInto('teams').values(teams).execute()
          const users = [
            { id: ada, name: 'Ada', team_id: engine },
            { id: bob, name: 'Bob', team_id: null },
          ]
          await db.insertInto('users').values(users).execute()
        })

        test.each(POSITIONS)(
          '%s',
          async (_, run, expected, throws, onSqlite = throws) => {
            const message = (engineName === 'SQLite' ? onSqlite : throws)?.[
              storage
            ]
            const result = Promise.resolve().then(() => run(context))
            if (message === undefined) expect(await result).toEqual(expected)
            else await expect(result).rejects.toThrow(message)
          },
        )
      },
    )
  },
)
