import { inspect } from 'node:util'
import Sqlite from 'better-sqlite3'
import * as kit from 'drizzle-kit/api'
import * as d from 'drizzle-orm'
import { drizzle as drizzleSqlite } from 'drizzle-orm/better-sqlite3'
import * as my from 'drizzle-orm/mysql-core'
import { drizzle as drizzleMysql } from 'drizzle-orm/mysql2'
import { drizzle as drizzlePg, type NodePgDatabase } from 'drizzle-orm/node-postgres'
import * as pg from 'drizzle-orm/pg-core'
import * as lite from 'drizzle-orm/sqlite-core'
import { createInsertSchema } from 'drizzle-zod'
import mysql from 'mysql2/promise'
import { Pool } from 'pg'
import { formatTable } from 'testkit/tables.ts'
import type { IdStorage } from 'typed-id/codec'
import { idCheck, idColumn, idPlaceholder } from 'typed-id/drizzle'
import { idSchema } from 'typed-id/zod'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type Engine, SERVERS, type Server } from '../../databases.ts'
import { report } from '../../report.ts'
import { TeamId, UserId } from '../ids.ts'
import { rejectIds } from '../raw-ids.ts'

const { and, asc, eq, inArray, max, sql } = d
const [ADA, BOB] = [UserId.generate(), UserId.generate()]
const TEAM = TeamId.generate()
const TEAM_AS_USER = TEAM as unknown as UserId

/** What declares a table of each engine. Those of SQLite and MySQL pass as those of PostgreSQL. */
const DECLARE = {
  postgres: { ...pg, table: pg.pgTable },
  sqlite: { ...lite, table: lite.sqliteTable },
  mysql: { ...my, table: my.mysqlTable },
} as unknown as Record<Engine, typeof pg & { table: typeof pg.pgTable }>

function defineTables(engine: Engine, storage: IdStorage) {
  const { check, customType, table, text } = DECLARE[engine]
  const userId = idColumn(customType, UserId, storage)
  const teamId = idColumn(customType, TeamId, storage)
  const teams = table('teams', { id: teamId().primaryKey(), name: text() })
  const users = table(
    'users',
    {
      id: userId().primaryKey().$defaultFn(UserId.generate),
      teamId: teamId('team_id').references(() => teams.id),
      ownTeam: teamId('own_team').default(TEAM),
      sqlTeam: teamId('sql_team').default(sql.raw(literal(engine, storage))),
    },
    (users) =>
      storage === 'text' || engine === 'sqlite' ? [check('users_id', idCheck(UserId, users.id))] : [],
  )
  const userRelations = d.relations(users, ({ one }) => ({
    team: one(teams, { fields: [users.teamId], references: [teams.id] }),
  }))
  const teamRelations = d.relations(teams, ({ many }) => ({ users: many(users) }))
  return { teams, users, userRelations, teamRelations }
}

type Tables = ReturnType<typeof defineTables>

/** The stored form of the team in SQL. */
function literal(engine: Engine, storage: IdStorage): string {
  const uuid = TeamId.toUuid(TEAM)
  const digits = uuid.replaceAll('-', '')
  return {
    text: `'${TEAM}'`,
    uuid: `'${uuid}'`,
    bytes: engine === 'postgres' ? `'\\x${digits}'` : `x'${digits}'`,
  }[storage]
}

interface Context {
  readonly db: NodePgDatabase<Tables>
  readonly tables: Tables
  readonly engine: Engine
  close(): unknown
}

/** Opens the database with tables that drizzle-kit creates. */
async function open(server: Server, storage: IdStorage): Promise<Context & { again(): Promise<string[]> }> {
  const { engine, socket } = server
  const tables = defineTables(engine, storage)
  const logger = { logQuery: rejectIds(storage === 'text' ? [] : [UserId, TeamId]) }
  const migrate = {
    async postgres(from: object, to: object) {
      const snapshot = (schema: object) => kit.generateDrizzleJson(schema as never) as never
      return kit.generateMigration(snapshot(from), snapshot(to))
    },
    async sqlite(from: object, to: object) {
      const snapshot = async (schema: object) =>
        (await kit.generateSQLiteDrizzleJson(schema as never)) as never
      return kit.generateSQLiteMigration(await snapshot(from), await snapshot(to))
    },
    async mysql(from: object, to: object) {
      const snapshot = async (schema: object) =>
        (await kit.generateMySQLDrizzleJson(schema as never)) as never
      return kit.generateMySQLMigration(await snapshot(from), await snapshot(to))
    },
  }[engine]
  await server.run('drop table if exists users', 'drop table if exists teams')
  await server.run(...(await migrate({}, tables)))
  const again = () => migrate(tables, defineTables(engine, storage))
  if (engine === 'sqlite') {
    const client = new Sqlite(socket)
    const db = drizzleSqlite(client, { schema: tables as never, logger }) as unknown as Context['db']
    return { db, tables, engine, again, close: () => client.close() }
  }
  if (engine === 'mysql') {
    const pool = mysql.createPool({ socketPath: socket, user: 'root', database: 'matrix' })
    const db = drizzleMysql(pool, {
      schema: tables as never,
      mode: 'default',
      logger,
    }) as unknown as Context['db']
    return { db, tables, engine, again, close: () => pool.end() }
  }
  const pool = new Pool({ host: socket, user: 'postgres' })
  return { db: drizzlePg(pool, { schema: tables, logger }), tables, engine, again, close: () => pool.end() }
}

/**
 * Each position reads or writes ids, and returns the ids that it finds. The tables have Ada in the team, and Bob. What Drizzle
 * does not convert is right as text, and `rejectIds` throws for the other storages.
 */
const POSITIONS: Record<string, { run(context: Context): PromiseLike<unknown>; expected: unknown }> = {
  'eq, select': {
    run: ({ db, tables: { users } }) => db.select({ id: users.id }).from(users).where(eq(users.id, ADA)),
    expected: [{ id: ADA }],
  },
  inArray: {
    run: ({ db, tables: { users } }) =>
      db
        .select({ id: users.id })
        .from(users)
        .where(inArray(users.id, [ADA])),
    expected: [{ id: ADA }],
  },
  between: {
    run: ({ db, tables: { users } }) =>
      db
        .select({ id: users.id })
        .from(users)
        .where(d.between(users.id, ADA, ADA)),
    expected: [{ id: ADA }],
  },
  'a default of SQL, a default id': {
    run: ({ db, tables: { users } }) =>
      db.select({ own: users.ownTeam, sql: users.sqlTeam }).from(users).where(eq(users.id, ADA)),
    expected: [{ own: TEAM, sql: TEAM }],
  },
  'idPlaceholder in a prepared statement': {
    run: ({ db, tables: { users } }) =>
      db
        .select({ id: users.id })
        .from(users)
        .where(eq(users.id, idPlaceholder(users.id, 'id')))
        .prepare('find')
        .execute({ id: ADA }),
    expected: [{ id: ADA }],
  },
  'sql.placeholder in values': {
    async run({ db, tables: { teams } }) {
      const id = sql.placeholder('id')
      await db.insert(teams).values({ id }).prepare('insert').execute({ id: TeamId.example })
      return db.select({ id: teams.id }).from(teams).where(eq(teams.id, TeamId.example))
    },
    expected: [{ id: TeamId.example }],
  },
  'sql.param in sql': {
    run: ({ db, tables: { users } }) =>
      db
        .select({ id: users.id })
        .from(users)
        .where(sql`${users.id} = ${sql.param(ADA, users.id)}`),
    expected: [{ id: ADA }],
  },
  'a plain sql.placeholder in eq': {
    run: ({ db, tables: { users } }) =>
      db
        .select({ id: users.id })
        .from(users)
        .where(eq(users.id, sql.placeholder('id')))
        .prepare('plain')
        .execute({ id: ADA }),
    expected: 'unconverted',
  },
  'a value in sql': {
    run: ({ db, tables: { users } }) =>
      db.select({ id: users.id }).from(users).where(sql`${users.id} = ${ADA}`),
    expected: 'unconverted',
  },
  'max of a column': {
    run: ({ db, tables: { users } }) => db.select({ id: max(users.teamId) }).from(users),
    expected: [{ id: TEAM }],
  },
  'a subquery': {
    run({ db, tables: { users } }) {
      const found = db.select({ id: users.id }).from(users).where(eq(users.id, ADA)).as('found')
      return db.select({ id: found.id }).from(found).where(eq(found.id, ADA))
    },
    expected: [{ id: ADA }],
  },
  'a common table expression': {
    run({ db, tables: { users } }) {
      const found = db.$with('found').as(db.select({ id: users.id }).from(users))
      return db.with(found).select().from(found).where(eq(found.id, ADA))
    },
    expected: [{ id: ADA }],
  },
  union: {
    run({ db, tables: { users } }) {
      const one = (id: UserId) => db.select({ id: users.id }).from(users).where(eq(users.id, id))
      return one(ADA).union(one(ADA))
    },
    expected: [{ id: ADA }],
  },
  'a left join': {
    run: ({ db, tables: { teams, users } }) =>
      db
        .select({ id: users.id, team: teams.id })
        .from(users)
        .leftJoin(teams, eq(teams.id, users.teamId))
        .orderBy(asc(users.id)),
    expected: [
      { id: ADA, team: TEAM },
      { id: BOB, team: null },
    ],
  },
  'an alias of a table': {
    run({ db, tables: { users }, engine }) {
      const other = DECLARE[engine].alias(users, 'other')
      return db.select({ id: other.id }).from(other).where(eq(other.id, ADA))
    },
    expected: [{ id: ADA }],
  },
  'an update and a delete': {
    async run({ db, tables: { users } }) {
      await db.update(users).set({ teamId: TEAM }).where(eq(users.id, BOB))
      await db.delete(users).where(and(eq(users.teamId, TEAM), eq(users.id, ADA)))
      return db.select({ id: users.id, team: users.teamId }).from(users)
    },
    expected: [{ id: BOB, team: TEAM }],
  },
  $defaultFn: {
    async run({ db, tables: { users } }) {
      await db.insert(users).values({ teamId: null })
      return (await db.select({ id: users.id }).from(users)).map(({ id }) => UserId.is(id))
    },
    expected: [true, true, true],
  },
  'a relation to one': {
    run: ({ db }) =>
      db.query.users.findFirst({
        columns: { id: true },
        where: (user: Tables['users']) => eq(user.id, ADA),
        with: { team: { columns: { id: true } } },
      } as object),
    expected: { id: ADA, team: { id: TEAM } },
  },
  'a relation to many': {
    run: ({ db }) =>
      db.query.teams.findFirst({
        columns: { id: true },
        with: { users: { columns: { id: true } } },
      } as object),
    expected: { id: TEAM, users: [{ id: ADA }] },
  },
  'an id of another type in eq': {
    run: ({ db, tables: { users } }) => db.select().from(users).where(eq(users.id, TEAM_AS_USER)),
    expected: 'throws',
  },
  'an id of another type in inArray': {
    run: ({ db, tables: { users } }) =>
      db
        .select()
        .from(users)
        .where(inArray(users.id, [ADA, TEAM_AS_USER])),
    expected: 'throws',
  },
  'an id of another type in values': {
    run: ({ db, tables: { users } }) => db.insert(users).values({ id: TEAM_AS_USER }),
    expected: 'throws',
  },
  'an id of another type in set': {
    run: ({ db, tables: { users } }) => db.update(users).set({ id: TEAM_AS_USER }),
    expected: 'throws',
  },
  'an id of another type in idPlaceholder': {
    run: ({ db, tables: { users } }) =>
      db
        .select()
        .from(users)
        .where(eq(users.id, idPlaceholder(users.id, 'id')))
        .prepare('wrong')
        .execute({ id: TEAM }),
    expected: 'throws',
  },
  'undefined in eq': {
    run: ({ db, tables: { users } }) =>
      db
        .select()
        .from(users)
        .where(eq(users.id, undefined as never)),
    expected: 'throws',
  },
}

/** Why Drizzle cannot do a position on an engine and a storage. It throws there. */
function cannot(position: string, engine: Engine, storage: IdStorage): string | undefined {
  if (position === 'max of a column' && engine === 'postgres' && storage === 'uuid')
    return 'PostgreSQL has no max(uuid)'
  if (!position.startsWith('a relation')) return undefined
  if (engine === 'mysql') return 'Drizzle uses LATERAL, which MariaDB lacks'
  return storage === 'bytes' ? 'JSON holds no bytes' : undefined
}

const STORAGES = ['text', 'uuid', 'bytes'] as const
const reasons = new Set<string>()
const cells: { position: string; column: string; result: string }[] = []

describe.each([
  ['PostgreSQL', SERVERS['PostgreSQL of npm']],
  ['SQLite', SERVERS.SQLite],
  ['MariaDB', SERVERS.MariaDB],
] as const)('%s', (name, { engine, start }) => {
  let server: Server
  beforeAll(async () => {
    server = await start()
    return () => server.stop()
  })

  describe.each(STORAGES)('%s', (storage) => {
    let context: Awaited<ReturnType<typeof open>>
    beforeAll(async () => {
      context = await open(server, storage)
      return () => context.close()
    })
    beforeEach(async () => {
      const { db, tables } = context
      await db.delete(tables.users)
      await db.delete(tables.teams)
      await db.insert(tables.teams).values({ id: TEAM })
      await db.insert(tables.users).values([{ id: ADA, teamId: TEAM }, { id: BOB }])
    })

    test('drizzle-kit finds no difference after its migration', async () => {
      expect(await context.again()).toEqual([])
    })

    test('the database rejects what is not stored like an id', async () => {
      const stored = { text: TEAM, uuid: TEAM, bytes: 'x' }[storage]
      // PostgreSQL and MariaDB have no length of bytes to check: bytea, and binary(16), which fills up with zeros.
      if (engine !== 'sqlite' && storage === 'bytes') return
      for (const text of [stored, ADA.toUpperCase(), `${ADA}0`])
        await expect(server.run(`insert into users (id) values ('${text}')`), text).rejects.toThrow()
    })

    test.each(Object.entries(POSITIONS))('%s', async (position, { run, expected }) => {
      const reason = cannot(position, engine, storage)
      const found = await Promise.resolve(context)
        .then(run)
        .catch((error) => ({ error: inspect(error, { depth: 9 }) }))
      if (expected === 'throws') {
        const received = position.startsWith('undefined') ? '"undefined"' : 'team'
        expect(found).toMatchObject({
          error: expect.stringMatching(
            new RegExp(`expected user.* in column users\\.id, received ${received}`),
          ),
        })
      } else if (expected === 'unconverted' && storage !== 'text')
        expect(found).toMatchObject({ error: expect.stringContaining(`cannot convert ${ADA}`) })
      else if (reason) expect(found, `works now: ${reason}`).toHaveProperty('error')
      else expect(found).toEqual(expected === 'unconverted' ? [{ id: ADA }] : expected)
      const throws = expected === 'throws' || (expected === 'unconverted' && storage !== 'text') || reason
      cells.push({ position, column: `${name}, ${storage}`, result: throws ? 'throws' : 'right' })
      if (reason) reasons.add(`- ${position}: ${reason} (${name})`)
    })
  })
})

test('the columns of a schema of drizzle-zod accept any value, until idSchema takes their place', () => {
  const { users } = defineTables('postgres', 'uuid')
  const body = { id: TEAM, teamId: TEAM }
  expect(createInsertSchema(users).safeParse(body).success).toBe(true)
  const schema = createInsertSchema(users, { id: idSchema(UserId), teamId: idSchema(TeamId).nullish() })
  expect(schema.safeParse(body).error?.issues).toMatchObject([
    { path: ['id'], message: 'wrong type: expected user, received team' },
  ])
  expect(schema.parse({ id: ADA, teamId: TEAM })).toEqual({ id: ADA, teamId: TEAM })
})

afterAll(() => {
  const columns = [...new Set(cells.map(({ column }) => column))]
  const rows = [...new Set(cells.map(({ position }) => position))].map((position) => [
    position,
    ...columns.map(
      (column) =>
        cells.find((cell) => cell.position === position && cell.column === column)?.result ?? 'failed',
    ),
  ])
  const list = `These throw because of Drizzle or of the database:\n\n${[...reasons].join('\n')}`
  report('drizzle', formatTable({ columns: ['', ...columns], rows }), list)
})
