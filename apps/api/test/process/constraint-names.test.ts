import { Kysely, PostgresDialect } from 'kysely'
import pg from 'pg'
import { emptyDatabaseForTest } from 'testkit/engines.ts'
import { expect, onTestFinished, test } from 'vitest'
import { TABLES, VIOLATIONS } from '../support/violations.ts'

test('PostgreSQL gives violated constraints the names that the tests of the SQLite dialect expect', async () => {
  const pool = new pg.Pool({
    connectionString: await emptyDatabaseForTest('postgres'),
  })
  const db = new Kysely<unknown>({ dialect: new PostgresDialect({ pool }) })
  onTestFinished(() => db.destroy())
  await pool.query(TABLES)
  const names = []
  for (const [, query] of VIOLATIONS)
    try {
      await query(db).execute()
      names.push(undefined)
    } catch (error) {
      names.push((error as { constraint?: string }).constraint ?? error)
    }
  expect(names).toEqual(VIOLATIONS.map(([name]) => name))
})
