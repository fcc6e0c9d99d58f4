import Sqlite from 'better-sqlite3'
import fc from 'fast-check'
import {
  DummyDriver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  SqliteDialect,
} from 'kysely'
import { beforeEach, describe, expect, test } from 'vitest'
import { postgresConditions } from '../src/core/column-check.ts'
import { defineId, type IdOf } from '../src/index.ts'
import { type IdColumn, idCheck } from '../src/kysely.ts'

const UserId = defineId('user')
type UserId = IdOf<typeof UserId>

interface Tables {
  users: { id: IdColumn<typeof UserId>; referrer: UserId | null }
}

let db: Kysely<Tables>
const insert = (id: unknown) =>
  db
    .insertInto('users')
    .values({ id: id as UserId, referrer: null })
    .execute()

beforeEach(async () => {
  db = new Kysely<Tables>({ dialect: new SqliteDialect({ database: new Sqlite(':memory:') }) })
  await db.schema
    .createTable('users')
    .addColumn('id', 'text', (column) =>
      column
        .primaryKey()
        .notNull()
        .check(idCheck(UserId, 'id', 'sqlite')),
    )
    .addColumn('referrer', 'text', (column) => column.check(idCheck(UserId, 'referrer', 'sqlite')))
    .execute()
  return () => db.destroy()
})

describe('idCheck on SQLite', () => {
  test('accepts ids, and null if the column is nullable', async () => {
    const ids = UserId.generateMany(100)
    await db
      .insertInto('users')
      .values(ids.map((id) => ({ id, referrer: null })))
      .execute()
    const rows = await db.selectFrom('users').selectAll().orderBy('id').execute()
    expect(rows).toEqual(ids.map((id) => ({ id, referrer: null })))
  })

  test.each([
    ['another type', defineId('team').example],
    ['the short form', UserId.toShort(UserId.example)],
    ['a bare uuid', UserId.toUuid(UserId.example)],
    ['upper case', UserId.example.toUpperCase()],
    ['a line break at the end', `${UserId.example}\n`],
    ['a NUL and more characters at the end', `${UserId.example}\0junk`],
    ['the glob itself', `user-${'*'.repeat(36)}`],
    ['a number', 1],
    ['bytes', Buffer.from(UserId.example)],
  ])('rejects %s', async (_, value) => {
    await expect(insert(value)).rejects.toMatchObject({ code: 'SQLITE_CONSTRAINT_CHECK' })
  })

  test('accepts the same texts as is() among ids with one character changed', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.nat(UserId.example.length - 1),
        fc.string({ unit: fc.constantFrom(...'09afgAFG-_*?[]é\0\n'), maxLength: 2 }),
        async (at, change) => {
          const text = UserId.example.slice(0, at) + change + UserId.example.slice(at + 1)
          await db.deleteFrom('users').execute()
          const accepted = await insert(text).then(
            () => true,
            () => false,
          )
          expect(accepted).toBe(UserId.is(text))
        },
      ),
      { numRuns: 500 },
    )
  })
})

test('idCheck on MySQL is the pattern of the type, and the length', () => {
  expect(idCheck(UserId, 'id', 'mysql').compile(db).sql).toMatch(
    /^"id" regexp '\^user-.+\$' and length\("id"\) = 41$/,
  )
})

test('idCheck on PostgreSQL has the conditions of the domain that `typed-id sql` prints', () => {
  const postgres = new Kysely<Tables>({
    dialect: {
      createAdapter: () => new PostgresAdapter(),
      createDriver: () => new DummyDriver(),
      createIntrospector: (kysely) => new PostgresIntrospector(kysely),
      createQueryCompiler: () => new PostgresQueryCompiler(),
    },
  })
  expect(idCheck(UserId, 'users.id', 'postgres').compile(postgres).sql).toBe(
    postgresConditions(UserId)
      .map((condition) => `"users"."id" ${condition}`)
      .join(' and '),
  )
})
