import { inspect } from 'node:util'
import * as kit from 'drizzle-kit/api'
import * as d from 'drizzle-orm'
import type { NodePgDatabase } from 'drizzle-orm/node-postgres'
import { createInsertSchema } from 'drizzle-zod'
import type { IdStorage } from 'typed-id/codec'
import { idCheck, idColumn, idPlaceholder } from 'typed-id/drizzle'
import { defineTypeId } from 'typed-id/typeid'
import { idSchema } from 'typed-id/zod'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type Engine, SERVERS, type Server } from '../../databases.ts'
import { UserId } from '../../ids.ts'
import { rejectIds } from '../raw-ids.ts'
import { connect, DECLARE } from './connect.ts'

/** The ids of teams are TypeIDs. */
const TeamId = defineTypeId('team')

const { and, asc, eq, inArray, max, sql } = d
const [ADA, BOB] = [UserId.generate(), UserId.generate()]
const TEAM = TeamId.generate()
const TEAM_AS_USER = TEAM as unknown as UserId

function defineTables(engine: Engine, storage: IdStorage) {
  const { check, customType, table, text } = DECLARE[engine]
  const userId = idColumn(customType, UserId, storage)
  const teamId = idColumn(customType, TeamId, storage)
  const teams = table('teams', {
    id: teamId('id').primaryKey(),
    name: text('name'),
  })
  const users = table(
    'users',
    {
      id: userId('id').primaryKey().$defaultFn(UserId.generate),
      teamId: teamId('team_id').references(() => teams.id),
      ownTeam: teamId('own_team').default(
        storage === 'text' ? TEAM : sql.raw(literal(engine, storage)),
      ),
      sqlTeam: teamId('sql_team').default(sql.raw(literal(engine, storage))),
    },
    (users) =>
      storage === 'text' || engine === 'sqlite'
        ? [check('users_id', idCheck(UserId, users.id))]
        : [],
  )
  const userRelations = d.relations(users, ({ one }) => ({
    team: one(teams, { fields: [users.teamId], references: [teams.id] }),
  }))
  const teamRelations = d.relations(teams, ({ many }) => ({
    users: many(users),
  }))
  return { teams, users, userRelations, teamRelations }
}

type Tables = ReturnType<typeof defineTables>

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
}

/**
 * Functions of drizzle-kit that take a snapshot of a schema, and that write the
 * statements between two snapshots.
 */
const MIGRATIONS = {
  postgres: [kit.generateDrizzleJson, kit.generateMigration],
  sqlite: [kit.generateSQLiteDrizzleJson, kit.generateSQLiteMigration],
  mysql: [kit.generateMySQLDrizzleJson, kit.generateMySQLMigration],
} as unknown as Record<
  Engine,
  [
    (schema: object) => unknown,
    (from: unknown, to: unknown) => Promise<string[]>,
  ]
>

async function open(
  server: Server,
  storage: IdStorage,
): Promise<
  Context & { again(): Promise<string[]>; close(): Promise<unknown> }
> {
  const { engine } = server
  const tables = defineTables(engine, storage)
  const logger = {
    logQuery: rejectIds(storage === 'text' ? [] : [UserId, TeamId]),
  }
  const [toSnapshot, generate] = MIGRATIONS[engine]
  const migrate = async (from: object, to: object) =>
    generate(await toSnapshot(from), await toSnapshot(to))
  await server.run('drop table if exists users', 'drop table if exists teams')
  await server.run(...(await migrate({}, tables)))
  const again = () => migrate(tables, defineTables(engine, storage))
  return { ...connect(server, tables, logger), tables, engine, again }
}

type Users = Tables['users']
interface Position {
  run(context: Context): PromiseLike<unknown>
  expected: unknown
}

const find = (
  { db, tables: { users } }: Context,
  where: (users: Users) => d.SQL | undefined,
) => db.select({ id: users.id }).from(users).where(where(users))

const finds = (where: (users: Users) => d.SQL): Position => ({
  run: (context) => find(context, where),
  expected: [{ id: ADA }],
})
const prepares = (
  where: (users: Users) => d.SQL,
  id: string = ADA,
): Position => ({
  run: (context) => find(context, where).prepare('find').execute({ id }),
  expected: [{ id: ADA }],
})
const unconverted = (position: Position): Position => ({
  ...position,
  expected: 'unconverted',
})
const throws = (position: Position | Position['run']): Position => ({
  run: typeof position === 'function' ? position : position.run,
  expected: 'throws',
})

/**
 * Functions that read or write ids in one position of a query, and return the
 * ids that they find. The tables contain Ada, who is in the team, and Bob, who
 * is not. If Drizzle does not convert an id in a position, the id is right with
 * the storage `text`, and `rejectIds` throws with other storages.
 */
const POSITIONS: Record<string, Position> = {
  'eq, select': finds(({ id }) => eq(id, ADA)),
  inArray: finds(({ id }) => inArray(id, [ADA])),
  between: finds(({ id }) => d.between(id, ADA, ADA)),
  'a default of SQL, and a default id that is stored as text': {
    run: ({ db, tables: { users } }) =>
      db
        .select({ own: users.ownTeam, sql: users.sqlTeam })
        .from(users)
        .where(eq(users.id, ADA)),
    expected: [{ own: TEAM, sql: TEAM }],
  },
  'idPlaceholder in a prepared statement': prepares(({ id }) =>
    eq(id, idPlaceholder(id, 'id')),
  ),
  'sql.placeholder in values': {
    async run({ db, tables: { teams } }) {
      const id = sql.placeholder('id')
      await db
        .insert(teams)
        .values({ id })
        .prepare('insert')
        .execute({ id: TeamId.example })
      return db
        .select({ id: teams.id })
        .from(teams)
        .where(eq(teams.id, TeamId.example))
    },
    expected: [{ id: TeamId.example }],
  },
  'sql.param in sql': finds(({ id }) => sql`${id} = ${sql.param(ADA, id)}`),
  'a plain sql.placeholder in eq': unconverted(
    prepares(({ id }) => eq(id, sql.placeholder('id'))),
  ),
  'a value in sql': unconverted(finds(({ id }) => sql`${id} = ${ADA}`)),
  'an id in like': unconverted(finds(({ id }) => d.like(id, ADA))),
  'eq of an expression': unconverted(
    finds(({ id }) => eq(sql`coalesce(${id}, ${id})`, ADA)),
  ),
  'max of a column': {
    run: ({ db, tables: { users } }) =>
      db.select({ id: max(users.teamId) }).from(users),
    expected: [{ id: TEAM }],
  },
  'a subquery': {
    run(context) {
      const found = find(context, ({ id }) => eq(id, ADA)).as('found')
      return context.db
        .select({ id: found.id })
        .from(found)
        .where(eq(found.id, ADA))
    },
    expected: [{ id: ADA }],
  },
  'a common table expression': {
    run({ db, tables: { users } }) {
      const found = db
        .$with('found')
        .as(db.select({ id: users.id }).from(users))
      return db.with(found).select().from(found).where(eq(found.id, ADA))
    },
    expected: [{ id: ADA }],
  },
  union: {
    run(context) {
      const one = () => find(context, ({ id }) => eq(id, ADA))
      return one().union(one())
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
      await db
        .delete(users)
        .where(and(eq(users.teamId, TEAM), eq(users.id, ADA)))
      return db.select({ id: users.id, team: users.teamId }).from(users)
    },
    expected: [{ id: BOB, team: TEAM }],
  },
  $defaultFn: {
    async run({ db, tables: { users } }) {
      await db.insert(users).values({ teamId: null })
      return (await db.select({ id: users.id }).from(users)).map(({ id }) =>
        UserId.is(id),
      )
    },
    expected: [true, true, true],
  },
  'a relation to one': {
    run: ({ db }) =>
      db.query.users.findFirst({
        columns: { id: true },
        where: (user: Users) => eq(user.id, ADA),
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
  'an id of another type in eq': throws(
    finds(({ id }) => eq(id, TEAM_AS_USER)),
  ),
  'an id of another type in inArray': throws(
    finds(({ id }) => inArray(id, [ADA, TEAM_AS_USER])),
  ),
  'an id of another type in values': throws(({ db, tables: { users } }) =>
    db.insert(users).values({ id: TEAM_AS_USER }),
  ),
  'an id of another type in set': throws(({ db, tables: { users } }) =>
    db.update(users).set({ id: TEAM_AS_USER }),
  ),
  'an id of another type in idPlaceholder': throws(
    prepares(({ id }) => eq(id, idPlaceholder(id, 'id')), TEAM),
  ),
  'undefined in eq': throws(finds(({ id }) => eq(id, undefined as never))),
}

/**
 * Returns why Drizzle throws in a position with an engine and a storage, or
 * undefined if it does not throw.
 */
function cannot(
  position: string,
  engine: Engine,
  storage: IdStorage,
): string | undefined {
  if (
    position === 'max of a column' &&
    engine === 'postgres' &&
    storage === 'uuid'
  )
    return 'PostgreSQL has no max(uuid)'
  if (!position.startsWith('a relation')) return undefined
  if (engine === 'mysql') return 'Drizzle uses LATERAL, which MariaDB lacks'
  return storage === 'bytes' ? 'JSON holds no bytes' : undefined
}

const ALL = [
  { ...SERVERS.PostgreSQL, storages: ['text', 'uuid'] },
  { ...SERVERS.SQLite, storages: ['text', 'bytes'] },
  { ...SERVERS.MariaDB, storages: ['text', 'bytes'] },
] as const
const DATABASES = process.env.OLDEST ? ALL.slice(0, 2) : ALL

/**
 * Strings that a CHECK or the column type must reject. MariaDB pads shorter
 * values of binary(16) with zeros.
 */
const INVALID: Record<IdStorage, readonly string[]> = {
  text: [
    TEAM,
    UserId.toShort(ADA),
    ADA.toUpperCase(),
    ADA.replace('user', 'User'),
    `${ADA.slice(0, -1)}\n`,
    `${ADA}\n`,
    `${ADA}0`,
    `x${ADA}`,
    'user-1',
    ADA.slice(0, -1),
    '',
  ],
  uuid: [ADA, `${UserId.toUuid(ADA)}0`],
  bytes: [ADA, `${UserId.toUuid(ADA)}0`],
}

describe.each(DATABASES)('$engine', ({ engine, start, storages }) => {
  let server: Server
  beforeAll(async () => {
    server = await start()
    return () => server.stop()
  })

  describe.each(storages)('%s', (storage) => {
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
      await db
        .insert(tables.users)
        .values([{ id: ADA, teamId: TEAM }, { id: BOB }])
    })

    test('drizzle-kit finds no difference after its migration', async () => {
      expect(await context.again()).toEqual([])
    })

    test.each(INVALID[storage])('the database rejects "%s"', async (text) => {
      await expect(
        server.run(`insert into users (id) values ('${text}')`),
      ).rejects.toThrow()
    })

    test.each(Object.entries(POSITIONS))(
      '%s',
      async (position, { run, expected }) => {
        const reason = cannot(position, engine, storage)
        const found = await Promise.resolve(context)
          .then(run)
          .catch((error) => ({ error: inspect(error, { depth: 9 }) }))
        if (expected === 'throws') {
          const received = position.startsWith('undefined')
            ? '"undefined"'
            : 'team'
          expect(found).toMatchObject({
            error: expect.stringMatching(
              new RegExp(
                `expected "?user.* in column users\\.id, received ${received}`,
              ),
            ),
          })
        } else if (expected === 'unconverted' && storage !== 'text')
          expect(found).toMatchObject({
            error: expect.stringContaining(`cannot convert ${ADA}`),
          })
        else if (reason)
          expect(found, `works now: ${reason}`).toHaveProperty('error')
        else
          expect(found).toEqual(
            expected === 'unconverted' ? [{ id: ADA }] : expected,
          )
      },
    )
  })
})

test('the columns of a schema of drizzle-zod accept any value, until idSchema takes their place', () => {
  const { users } = defineTables('postgres', 'uuid')
  const body = { id: TEAM, teamId: TEAM }
  expect(createInsertSchema(users).safeParse(body).success).toBe(true)
  const schema = createInsertSchema(users, {
    id: idSchema(UserId),
    teamId: idSchema(TeamId).nullish(),
  })
  expect(schema.safeParse(body).error?.issues).toMatchObject([
    { path: ['id'], message: 'Expected user, received team' },
  ])
  expect(schema.parse({ id: ADA, teamId: TEAM })).toEqual({
    id: ADA,
    teamId: TEAM,
  })
})
