import { databaseForTest } from 'testkit/engines.ts'
import { expect, onTestFinished, test } from 'vitest'
import { PROFILES } from '../../src/composition/variables.ts'
import type { Database, Db, Statement } from '../../src/database/database.ts'
import { openDatabase } from '../../src/database/open.ts'
import { nameOf } from '../../src/database/query.ts'
import type { MaybePromise } from '../../src/maybe-promise.ts'
import { databaseAt } from '../support/database.ts'

const prepared = (sql: string): Statement => ({ sql, name: nameOf(sql) })
const unprepared = (sql: string): Statement => ({ sql, name: '' })

const SELECT = prepared('select 1 as one')
const INSERT = prepared("insert into teams values ($1, 'Engineering')")
const TEAM = 'team-01890a5d-ac96-774b-bcce-b302099a8057'

/** A database with one connection, so that each statement meets what the one before has prepared. */
async function open(): Promise<Database> {
  const url = await databaseForTest('postgres')
  const db = await openDatabase(databaseAt(url, { poolSize: 1 }), PROFILES.a.migrations)
  onTestFinished(() => db.close())
  return db
}

const namesOf = async (db: Db) => {
  const rows = (await db.execute(unprepared('select name from pg_prepared_statements order by 1'), [])) as {
    name: string
  }[]
  return rows.map(({ name }) => name)
}

test('an unshared connection keeps the statements under the names of their SQL', async () => {
  const db = await open()
  for (let n = 0; n < 2; n += 1) expect(await db.execute(SELECT, [])).toEqual([{ one: 1 }])
  expect(await namesOf(db)).toContain(SELECT.name)
})

/** Inserts a team, and returns how often the transaction ran. */
async function insertTeam(db: Database): Promise<number> {
  let attempts = 0
  await db.write(async (tx) => {
    attempts += 1
    await tx.execute(INSERT, [TEAM])
  })
  return attempts
}

// The connection is changed as a pooler does it between two transactions.
test.each<[string, (db: Database) => MaybePromise<unknown>]>([
  [
    'that the server connection has lost',
    async (db) => {
      await insertTeam(db)
      await db.execute(unprepared('delete from teams'), [])
      await db.execute(unprepared('deallocate all'), [])
    },
  ],
  [
    'that another process has prepared',
    (db) => db.execute(unprepared(`prepare ${INSERT.name} as select 1`), []),
  ],
])('a prepared statement %s is run once without a name, and later ones have no name', async (_, change) => {
  const db = await open()
  await change(db)
  const before = await namesOf(db)
  expect(await insertTeam(db)).toBe(2)
  expect(await db.execute(unprepared('select count(*)::int as n from teams'), [])).toEqual([{ n: 1 }])
  expect(await db.execute(SELECT, [])).toEqual([{ one: 1 }])
  expect(await namesOf(db)).toEqual(before)
})

test('a single statement that the server connection has lost is repeated without a name', async () => {
  const db = await open()
  await db.execute(SELECT, [])
  await db.execute(unprepared('deallocate all'), [])
  expect(await db.execute(SELECT, [])).toEqual([{ one: 1 }])
  expect(await namesOf(db)).toEqual([])
})

test('a statement is repeated without a name after the type of a column has changed', async () => {
  const db = await open()
  const names = prepared('select name from teams')
  expect(await db.execute(names, [])).toEqual([])
  await db.execute(unprepared('alter table teams alter column name type varchar(300)'), [])
  expect(await db.execute(names, [])).toEqual([])
})
