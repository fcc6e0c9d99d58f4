import Sqlite from 'better-sqlite3'
import { CompiledQuery, Kysely, sql } from 'kysely'
import { beforeEach, expect, test } from 'vitest'
import { GroupCommitDialect } from '../../src/database/group-commit/dialect.ts'
import { TABLES, VIOLATIONS } from '../support/violations.ts'

let writer: Sqlite.Database
// biome-ignore lint/suspicious/noExplicitAny: tables without types.
let db: Kysely<any>

beforeEach(() => {
  writer = new Sqlite(':memory:')
  writer.pragma('foreign_keys = on')
  writer.exec(TABLES)
  db = new Kysely({ dialect: new GroupCommitDialect({ writer }) })
  return () => db.destroy()
})

test.for(VIOLATIONS)(
  'the name of a violated constraint is the one of PostgreSQL (%s)',
  async ([constraint, query]) => {
    const rejected = expect(Promise.resolve(query(db).execute())).rejects
    await rejected.toMatchObject({ constraint })
  },
)

test('the name of a violated constraint is the one of PostgreSQL beside a CHECK and a primary key with names', async () => {
  await db.schema
    .createTable('named')
    .addColumn('a', 'integer', (column) => column.unique())
    .addColumn('b', 'integer')
    .addPrimaryKeyConstraint('the "key"', ['b'])
    .addCheckConstraint('a_check', sql`a <> ')'`)
    .execute()
  const insert = (a: number, b: number) =>
    db.insertInto('named').values({ a, b }).execute()
  await insert(1, 1)
  await expect(insert(1, 2)).rejects.toHaveProperty('constraint', 'named_a_key')
  await expect(insert(2, 1)).rejects.not.toHaveProperty('constraint')
})

const long = `${'x'.repeat(40)}${'é'.repeat(10)}`
const insertTwice = (table: string, column: string) => {
  const row = { [column]: 1 }
  return db.insertInto(table).values([row, row]).execute()
}
const deleteParent = (id: number) =>
  db.deleteFrom('parent').where('id', '=', id).execute()

test.each([
  [
    'a raw statement violates a foreign key',
    '',
    () => db.executeQuery(CompiledQuery.raw('insert into self values (8, 9)')),
  ],
  [
    'its table is in an attached database',
    `attach ':memory:' as o; create table o.parent (id primary key);
     create table o.child (parent_id references parent)`,
    () => db.insertInto('o.child').values({ parent_id: 9 }).execute(),
  ],
  [
    'a row that a DELETE would cascade to is needed',
    `create table d (id integer primary key, up references parent on delete cascade);
     create table needs (d references d);
     insert into d values (1, 5); insert into needs values (1)`,
    () => deleteParent(5),
  ],
  [
    'a DELETE violates two foreign keys',
    'create table more (up references parent); insert into more values (4)',
    () => deleteParent(4),
  ],
  [
    'two constraints have the same columns',
    'create unique index again on code (note)',
    () => insertTwice('code', 'note'),
  ],
  [
    'PostgreSQL would number the name, which another table has',
    'create table s (t_u unique); create table s_t (u unique)',
    () => insertTwice('s_t', 'u'),
  ],
  [
    'PostgreSQL would shorten the name, which has more than 63 bytes',
    `create table ${long} (u unique)`,
    () => insertTwice(long, 'u'),
  ],
  [
    'its table has a name that was written by hand',
    'create table hand (u constraint mine unique)',
    () => insertTwice('hand', 'u'),
  ],
])(
  'a name that is not certain is missing, and the error is the one of the driver (%s)',
  async (_, setup, violate) => {
    writer.exec(setup)
    const error = await violate().catch((thrown: unknown) => thrown)
    expect(error).toMatchObject({
      code: expect.stringMatching(/FOREIGNKEY$|UNIQUE$/),
    })
    expect(error).not.toHaveProperty('constraint')
  },
)

test('after the search for the name, later statements of the transaction are checked as before', async () => {
  const count = writer.prepare('select count(*) from child').pluck()
  const before = count.get()
  await db.transaction().execute(async (trx) => {
    for (const [, query] of VIOLATIONS)
      await expect(query(trx).execute()).rejects.toThrow('constraint')
  })
  expect(count.get()).toBe(before)
  expect(writer.pragma('defer_foreign_keys', { simple: true })).toBe(0)
})
