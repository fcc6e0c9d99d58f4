import Sqlite from 'better-sqlite3'
import {
  CamelCasePlugin,
  Kysely,
  ParseJSONResultsPlugin,
  PostgresDialect,
  type SelectQueryBuilder,
  SqliteDialect,
  sql,
} from 'kysely'
import * as postgresHelpers from 'kysely/helpers/postgres'
import * as sqliteHelpers from 'kysely/helpers/sqlite'
import pg from 'pg'
import { startPostgres } from 'testkit/postgres.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { IdStorage } from '../src/codec.ts'
import { idPlugin } from '../src/kysely.ts'
import {
  ADA,
  ada,
  COLUMNS,
  engine,
  type Tables,
  TeamId,
  UserId,
} from './kysely-tables.ts'

interface Camel {
  users: { id: UserId; teamId: TeamId | null }
  teams: Tables['teams']
}

const [bob, eve] = UserId.generateMany(2) as [UserId, UserId]
const other = TeamId.generate()
const ENGINE = { id: engine, name: 'Engine' }
const BOB = { id: bob, name: 'Bob', team_id: null }
const EVE = { id: eve, name: 'Eve', team_id: engine }

const ENGINES = {
  PostgreSQL: {
    types: { text: 'text', uuid: 'uuid', bytes: 'bytea' },
    schema: 'public',
    json: postgresHelpers,
    async start() {
      const server = await startPostgres()
      const pool = new pg.Pool({ connectionString: server.url })
      pool.on('error', () => {})
      const stop = () => pool.end().then(server.stop)
      return { dialect: new PostgresDialect({ pool }), stop }
    },
  },
  SQLite: {
    // Omits `bytes`: the tests select JSON, and SQLite's JSON has no BLOBs.
    types: { text: 'text', uuid: 'text' },
    schema: 'main',
    json: sqliteHelpers as never,
    async start() {
      const database = new Sqlite(':memory:')
      const stop = async () => database.close()
      return { dialect: new SqliteDialect({ database }), stop }
    },
  },
}

interface Context {
  readonly schema: string
  readonly json: typeof postgresHelpers
  readonly db: Kysely<Tables>
  readonly users: SelectQueryBuilder<Tables, 'users', object>
  readonly camel: readonly Kysely<Camel>[]
}

type Position = [
  name: string,
  run: (context: Context) => { execute(): Promise<unknown> } | Promise<unknown>,
  expected: unknown,
  errorUnlessText?: string | undefined,
  sqliteError?: string,
]

async function store(
  db: Kysely<Tables>,
  query: { execute(): Promise<unknown> },
) {
  await query.execute()
  const users = db.selectFrom('users').select(['id', 'team_id']).orderBy('id')
  return (await users.execute()).map((row) => [row.id, row.team_id])
}

const members = (db: Kysely<Tables>) =>
  db.selectFrom('users').innerJoin('teams', 'teams.id', 'users.team_id')

// biome-ignore format: one position a line
const POSITIONS: Position[] = [
  ['select *, comparisons', ({ users }) => users.selectAll().where((eb) => eb.and([eb('id', '=', ada), eb('id', 'in', [ada]), eb('team_id', 'is not', null), eb.between('id', ada, ada)])), [ADA]],
  ['id after table.*', ({ db }) => members(db).selectAll('teams').select('users.id as member'), [{ ...ENGINE, member: ada }]],
  ['select * of two tables, the second of which lists the id columns of the first', ({ db }) => db.selectFrom('teams').innerJoin('users', 'users.team_id', 'teams.id').selectAll(), [ADA]],
  ['select * of two tables, the second of which may have another team_id', ({ db }) => members(db).selectAll(), [{ ...ADA, ...ENGINE }], 'columns that may have one name, like users.team_id'],
  ['count, comparison, exists', ({ users }) => users.select((eb) => [eb.fn.count<string>('id').as('n'), eb(eb.fn.count('id'), '>', 1).as('x'), eb.exists(eb.selectFrom('teams').select(['id', 'name'])).as('e')]).execute().then(([row]) => [row?.n, row?.x, row?.e].map(Number)), [2, 1, 1]],
  ['scalar subquery, selected and compared', ({ users }) => users.select((eb) => eb.selectFrom('teams').select('teams.id').whereRef('teams.id', '=', 'users.team_id').as('x')).where((eb) => eb(eb.selectFrom('teams').select('teams.id').whereRef('teams.id', '=', 'users.team_id'), '=', engine)), [{ x: engine }]],
  ['join', ({ db }) => db.selectFrom('users as my_u').innerJoin('teams as t', (join) => join.onRef('t.id', '=', 'my_u.team_id').on('t.id', '=', engine)).select(['my_u.id', 't.id as team']), [{ id: ada, team: engine }]],
  ['lateral join', ({ users }) => users.innerJoinLateral((eb) => eb.selectFrom('teams').select('teams.id as t').whereRef('teams.id', '=', 'users.team_id').as('x'), (join) => join.onTrue()).select('x.t'), [{ t: engine }], undefined, 'near "select": syntax error'],
  ['common table expression in a UNION', ({ db }) => db.with('m', (qb) => qb.selectFrom('users').select(['id as member', 'name'])).selectFrom('m').selectAll().where('member', '=', ada).union((eb) => eb.selectFrom('m').selectAll().where('member', '=', ada)), [{ member: ada, name: 'Ada' }]],
  ['recursive common table expression', ({ db }) => db.withRecursive('m', (qb) => qb.selectFrom('users').select('users.id').where('id', '=', ada).unionAll(qb.selectFrom('users').innerJoin('m', 'm.id', 'users.id').select('m.id').where('m.id', '=', bob))).selectFrom('m').select('id'), [{ id: ada }]],
  ['union', ({ users }) => users.selectAll().where('id', '=', ada).union((eb) => eb.parens(users.selectAll().where('id', '=', ada)) as never), [ADA], undefined, 'near "(": syntax error'],
  ['all columns of a subquery, in parentheses', ({ db }) => db.selectFrom((eb) => eb.parens(eb.selectFrom('users').selectAll()).as('u')).selectAll().where('u.team_id', '=', engine), [ADA]],
  ['CamelCasePlugin, subquery of db', ({ camel }) => Promise.all(camel.map((db) => db.selectFrom('users').select(['id', 'teamId']).where('teamId', 'in', db.selectFrom('teams').select('id').where('id', '=', engine)).execute())), Array(2).fill([{ id: ada, teamId: engine }])],
  ['jsonArrayFrom in jsonObjectFrom', ({ json, users }) => users.select((eb) => json.jsonObjectFrom(eb.selectFrom('teams').whereRef('teams.id', '=', 'users.team_id').select((eb) => ['teams.id as key', 'teams.name', json.jsonArrayFrom(eb.selectFrom('users as u').whereRef('u.team_id', '=', 'teams.id').select('u.id')).as('all')])).as('team')).orderBy('id'), [{ team: { key: engine, name: 'Engine', all: [{ id: ada }] } }, { team: null }]],
  ['json_agg, to_json of a table, withSchema', ({ db, schema }) => db.withSchema(schema).selectFrom('teams').select((eb) => [eb.fn.jsonAgg('teams').as('x'), eb.fn.toJson('teams').as('y')]).where('id', '=', engine).groupBy('id'), [{ x: [ENGINE], y: ENGINE }], undefined, 'no such column: "teams"'],
  ['json_agg of columns', ({ db }) => members(db).select(({ fn }) => [fn.jsonAgg('users.id').as('x'), fn.jsonAgg('teams.name').as('y')]), [{ x: [ada], y: ['Engine'] }], undefined, 'no such function: json_agg'],
  ['array_agg', ({ users }) => users.select(({ fn }) => fn.agg<UserId[]>('array_agg', ['users.id']).filterWhere('users.id', '=', ada).as('x')), [{ x: [ada] }], undefined, 'no such function: array_agg'],
  ['insert', ({ db }) => store(db, db.insertInto('users').values((eb) => ({ ...EVE, team_id: eb.selectFrom('teams').select('teams.id').where('teams.id', '=', engine) }))), [[ada, engine], [bob, null], [eve, engine]]],
  ['insert … select', ({ db }) => db.insertInto('teams').columns(['name', 'id']).expression((eb) => eb.selectFrom('users').select(['users.name', 'team_id']).where('users.id', '=', ada) as never).onConflict((oc) => oc.column('id').doUpdateSet((eb) => ({ name: eb.ref('excluded.name') }))).returningAll(), [{ id: engine, name: 'Ada' }]],
  ['update, returning', ({ db }) => db.updateTable('users').set({ team_id: other }).where('users.id', '=', bob).returning((eb) => ['users.id', 'team_id', eb.fn<string>('lower', ['users.name']).as('x')]), [{ id: bob, team_id: other, x: 'bob' }]],
  ['on conflict, excluded', ({ db }) => db.insertInto('users').values({ ...EVE, id: bob }).onConflict((oc) => oc.column('id').doUpdateSet((eb) => ({ team_id: eb.ref('excluded.team_id') })).where('users.id', '=', bob).where('excluded.team_id', '=', engine)).returning('team_id'), [{ team_id: engine }]],
  ['merge, withSchema', ({ db, schema }) => store(db, db.withSchema(schema).mergeInto('users').using('teams', 'teams.id', 'users.team_id').whenMatchedAnd('users.id', '=', ada).thenUpdateSet({ team_id: other }).whenNotMatched().thenInsertValues(EVE)), [[ada, other], [bob, null], [eve, engine]], undefined, 'near "merge": syntax error'],
  ['explain', async ({ users }) => (await users.selectAll().explain()).length > 0, true],
  ['ids in coalesce and a window', ({ users }) => users.select((eb) => [eb.fn.coalesce('users.team_id', 'users.team_id').as('a'), eb.fn.agg('first_value', ['users.id']).over((ob) => ob.orderBy('users.id')).as('b')]).where((eb) => eb(eb.fn.coalesce('users.team_id', 'users.team_id'), '=', engine)), [{ a: engine, b: ada }]],
]

describe.each(Object.entries(ENGINES))(
  '%s',
  (engineName, { types, schema, json, start }) => {
    let running: Awaited<ReturnType<typeof start>>
    beforeAll(async () => {
      running = await start()
    }, 60_000)
    afterAll(() => running.stop(), 60_000)

    describe.each(Object.entries(types) as [IdStorage, string][])(
      '%s',
      (storage, type) => {
        let context: Context
        beforeEach(async () => {
          const [{ dialect }, ids] = [running, idPlugin(storage, COLUMNS)]
          const plain = new Kysely<Tables>({ dialect })
          const db = plain
            .withPlugin(ids)
            .withPlugin(new ParseJSONResultsPlugin())
          const camel = [
            [new CamelCasePlugin(), ids],
            [ids, new CamelCasePlugin()],
          ].map((plugins) => new Kysely<Camel>({ dialect, plugins }))
          const users = db.selectFrom('users')
          context = { json, schema, db, users, camel }

          const run = (statement: string) => sql.raw(statement).execute(plain)
          for (const table of ['users', 'teams'])
            await run(`drop table if exists ${table}`)
          await run(`create table teams (id ${type} primary key, name text)`)
          await run(
            `create table users (id ${type} primary key, name text, team_id ${type})`,
          )
          const teams = [ENGINE, { id: other, name: 'Other' }]
          await db.insertInto('teams').values(teams).execute()
          await db.insertInto('users').values([ADA, BOB]).execute()
        })

        test.each(POSITIONS)('%s', async (_, run, expected, error, sqlite) => {
          const onSqlite = engineName === 'SQLite' ? sqlite : undefined
          const onConverted = storage === 'text' ? undefined : error
          const message = onSqlite ?? onConverted
          const result = Promise.resolve().then(() => {
            const query = run(context)
            return 'execute' in query ? query.execute() : query
          })
          if (message === undefined) expect(await result).toEqual(expected)
          else await expect(result).rejects.toThrow(message)
        })
      },
    )
  },
)
