import { sql } from 'kysely'
import { emptyDatabaseForTest } from 'testkit/engines.ts'
import { expect, inject, test } from 'vitest'
import { UserId } from '../../src/ids.ts'
import { newUser, openForTest, serviceAt } from '../support/http-fixture.ts'
import {
  execute,
  releasedDatabase,
  rowsOf,
} from '../support/released-database.ts'

// Uses a file for SQLite, because no database in memory is ever upgraded.
const engine = inject('engine') === 'postgres' ? 'postgres' : 'sqlite'
const emptyDatabase = () =>
  emptyDatabaseForTest(engine === 'postgres' ? 'postgres' : 'sqlite-file')

const SCHEMA = {
  sqlite: "select name, sql from sqlite_master where name not like 'sqlite_%'",
  postgres: `
    select conrelid::regclass::text as name, pg_get_constraintdef(oid) as sql
    from pg_constraint where connamespace = 'public'::regnamespace
    union all select tablename, indexdef from pg_indexes where schemaname = 'public'
    union all select table_name, concat_ws(' ', column_name, data_type, collation_name, is_nullable, column_default)
    from information_schema.columns where table_schema = 'public'`,
}[engine]

async function schemaOf(url: string): Promise<string[]> {
  const { db } = await openForTest(url)
  const { rows } = await sql.raw(SCHEMA).execute(db)
  return rows.map((row) => JSON.stringify(row)).sort()
}

test('a database of 0001-initial keeps every row when it is upgraded, and has the schema of a new one', async () => {
  const url = await releasedDatabase(engine)
  const before = await rowsOf(url)
  // The schemas differ when a released migration has been changed.
  expect(await schemaOf(url)).toEqual(await schemaOf(await emptyDatabase()))
  const after = await rowsOf(url)
  for (const table of ['teams', 'roles', 'users', 'user_roles']) {
    expect(before[table], table).not.toEqual([])
    expect(after[table], table).toMatchObject(before[table] ?? [])
  }
})

test('an upgraded database rejects the e-mail address of a user from before the upgrade, in any case, and what 0001 would store', async () => {
  const url = await releasedDatabase(engine)
  const service = await serviceAt(url)
  const user = newUser({ email: 'aDA@eXAMPLE.com' })
  expect((await service.post('/users', user)).status).toBe(400)
  const insert = `insert into users (id, email, name, password_hash) values ('${UserId.generate()}', 'someone@example.com', 'Ada', 'x')`
  await expect(execute(url, insert)).rejects.toThrow(
    /users_normalized_email_filled/,
  )
})

test('a database with a table of another program is migrated', async () => {
  const url = await emptyDatabase()
  await execute(url, 'create table others (id text)')
  const { get } = await serviceAt(url)
  expect(await get('/teams')).toMatchObject({ status: 200, json: [] })
})
