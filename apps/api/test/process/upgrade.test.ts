import { readFileSync } from 'node:fs'
import { isDeepStrictEqual } from 'node:util'
import Sqlite from 'better-sqlite3'
import pg from 'pg'
import { connectForTest, databaseForTest, emptyDatabaseForTest, fileOf } from 'testkit/engines.ts'
import { runCommand } from 'testkit/process.ts'
import { describe, expect, onTestFinished, test } from 'vitest'
import { UserId } from '../../src/ids.ts'
import {
  CHANGED_COLUMNS,
  MIGRATIONS,
  releasedMigrations,
  SCHEMA_ENGINES,
  type SchemaEngine,
  schemaFile,
} from '../schemas/files.ts'
import { newUser, openForTest, serviceOn } from '../support/http-fixture.ts'

const released = releasedMigrations()

const engineOf = { sqlite: 'sqlite-file', postgres: 'postgres' } as const

/** Creates a database from a file of SQL, as a released version has left it. */
async function createFrom(file: URL, engine: SchemaEngine): Promise<string> {
  const url = await emptyDatabaseForTest(engineOf[engine])
  const sql = readFileSync(file, 'utf8')
  if (engine === 'sqlite') {
    const connection = new Sqlite(fileOf(url))
    connection.exec(sql)
    connection.close()
  } else {
    await withClient(url, (client) => client.query(sql))
  }
  return url
}

async function withClient<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client(url)
  await client.connect()
  return work(client).finally(() => client.end())
}

/** Counts the connections to the database of a client that wait for a lock. */
async function countBlocked(client: pg.Client): Promise<number | null> {
  await client.query('select pg_stat_clear_snapshot()') // or a transaction reads the same state again
  const blocked =
    "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'"
  return (await client.query(blocked)).rowCount
}

type Rows = Record<string, Record<string, unknown>[]>

/** Reads every row of every table, without the service. */
async function rowsOf(url: string, engine: SchemaEngine): Promise<Rows> {
  const rows: Rows = {}
  if (engine === 'sqlite') {
    const connection = new Sqlite(fileOf(url), { readonly: true })
    const tables = connection.prepare("select name from sqlite_master where type = 'table'").pluck().all()
    for (const name of tables as string[])
      rows[name] = connection.prepare(`select * from ${name} order by 1, 2`).all() as Rows[string]
    connection.close()
    return rows
  }
  return withClient(url, async (client) => {
    const tables = await client.query("select tablename as name from pg_tables where schemaname = 'public'")
    for (const { name } of tables.rows)
      rows[name] = (await client.query(`select * from ${name} order by 1, 2`)).rows
    return rows
  })
}

/** Returns the rows of a table with the names and without the values that later migrations have changed. */
function withChanges(table: string, rows: Rows[string], since: string): Rows[string] {
  let changed = rows
  for (const migration of MIGRATIONS.slice(MIGRATIONS.indexOf(since) + 1))
    for (const [from, to] of Object.entries(CHANGED_COLUMNS[migration] ?? {})) {
      const [name = '', column = ''] = from.split('.')
      if (name !== table) continue
      changed = changed.map(({ [column]: value, ...row }) =>
        to === undefined ? row : { ...row, [to.slice(to.indexOf('.') + 1)]: value },
      )
    }
  return changed
}

/** Whether a row has all columns and values of another. A new version may add columns. */
const contains = (row: Record<string, unknown>, part: Record<string, unknown>) =>
  Object.entries(part).every(([column, value]) => isDeepStrictEqual(row[column], value))

/** The definitions of all tables, constraints and indexes, sorted. */
async function schemaOf(url: string, engine: SchemaEngine): Promise<string[]> {
  if (engine === 'sqlite') {
    const connection = new Sqlite(fileOf(url), { readonly: true })
    const definitions = connection
      .prepare("select sql from sqlite_master where sql is not null and name not like 'kysely%'")
      .pluck()
      .all()
    connection.close()
    return (definitions as string[]).sort()
  }
  return withClient(url, async (client) =>
    (await client.query(POSTGRES_DEFINITIONS)).rows.map(({ definition }) => definition),
  )
}

const POSTGRES_DEFINITIONS = `
  select definition from (
    select concat_ws(' ', table_name, column_name, data_type, 'nullable', is_nullable, column_default, collation_name)
      as definition
    from information_schema.columns where table_schema = 'public'
    union all
    select concat_ws(' ', conrelid::regclass, conname, pg_get_constraintdef(oid))
    from pg_constraint where connamespace = 'public'::regnamespace
    union all
    select indexdef from pg_indexes where schemaname = 'public'
  ) definitions order by definition`

describe.each(released.flatMap((name) => SCHEMA_ENGINES.map((engine) => ({ name, engine }))))(
  'a database of $name on $engine',
  ({ name, engine }) => {
    test('has rows in every table', async () => {
      const rows = await rowsOf(await createFrom(schemaFile(name, engine), engine), engine)
      expect(Object.keys(rows).length).toBeGreaterThan(5)
      for (const [table, content] of Object.entries(rows)) expect(content, table).not.toEqual([])
    })

    test('keeps every row when it is upgraded', async () => {
      const url = await createFrom(schemaFile(name, engine), engine)
      const before = await rowsOf(url, engine)
      await openForTest(url)
      const after = await rowsOf(url, engine)
      const lost = Object.entries(before).flatMap(([table, rows]) =>
        withChanges(table, rows, name)
          .filter((row) => !after[table]?.some((one) => contains(one, row)))
          .map((row) => ({ table, row })),
      )
      const message =
        'the upgrade has deleted or changed rows: if it should, add the column to CHANGED_COLUMNS'
      expect(lost, message).toEqual([])
    })

    // An empty database hides a lock that is missing: creating its tables twice fails and is repeated.
    test('is upgraded once by eight processes at the same time', async () => {
      const url = await createFrom(schemaFile(name, engine), engine)
      const migrateAll = () =>
        Promise.all(Array.from({ length: 8 }, () => runCommand({ DATABASE_URL: url }, ['migrate'])))
      const results =
        engine === 'sqlite'
          ? await migrateAll()
          : await withClient(url, async (client) => {
              await client.query('begin; lock table kysely_migration_lock')
              const migrating = migrateAll()
              await expect.poll(() => countBlocked(client)).toBe(8)
              await client.query('commit')
              return migrating
            })
      expect(results.map(({ code, stderr }) => ({ code, stderr }))).toEqual(
        Array.from({ length: 8 }, () => ({ code: 0, stderr: '' })),
      )
      const { kysely_migration: executed } = await rowsOf(url, engine)
      expect(executed?.map((row) => row.name)).toEqual(MIGRATIONS)
    })

    test('has the schema of a new database after the upgrade', async () => {
      const url = await createFrom(schemaFile(name, engine), engine)
      await openForTest(url)
      const fresh = await databaseForTest(engineOf[engine])
      expect(await schemaOf(url, engine), 'an upgraded database differs from a new one').toEqual(
        await schemaOf(fresh, engine),
      )
    })

    test('rejects what the version before would store after the upgrade: an e-mail address in no normalized form', async () => {
      const url = await createFrom(schemaFile(name, engine), engine)
      await openForTest(url)
      // As 0001 stored a user.
      const id = UserId.generate()
      const insert = `insert into users (id, email, name, password_hash) values ('${id}', 'someone@example.com', 'Ada', 'x')`
      const storing = async () => {
        if (engine === 'postgres') return withClient(url, (client) => client.query(insert))
        const connection = new Sqlite(fileOf(url))
        onTestFinished(() => void connection.close())
        return connection.exec(insert)
      }
      await expect(storing()).rejects.toThrow(/users_normalized_email_filled/)
    })

    test('serves its rows after the upgrade, and accepts new ones', async () => {
      const url = await createFrom(schemaFile(name, engine), engine)
      const before = await rowsOf(url, engine)
      const { service } = serviceOn(await openForTest(url))
      const idsOf = (rows: { id?: unknown }[] | undefined) => rows?.map(({ id }) => id)
      for (const table of ['users', 'teams', 'roles'])
        expect(idsOf((await service.get(`/${table}`)).json), table).toEqual(idsOf(before[table]))
      for (const user of before.users ?? []) {
        const assigned = before.user_roles?.filter(({ user_id }) => user_id === user.id) ?? []
        expect((await service.get(`/users/${user.id}`)).json).toMatchObject({
          id: user.id,
          email: user.email,
          team: user.team_id === null ? null : { id: user.team_id },
          roles: assigned.map(({ role_id }) => ({ id: role_id })),
        })
        const email = String(user.email).toUpperCase()
        expect(await service.post('/users', newUser({ email }))).toMatchObject({ status: 400 })
        const { team_id } = user
        expect(await service.post('/users', newUser({ team_id }))).toMatchObject({ status: 201 })
      }
    })
  },
)

test('PostgreSQL is not migrated while an instance of the version before is connected', async () => {
  const url = await createFrom(schemaFile('0001-initial', 'postgres'), 'postgres')
  const migrate = () => runCommand({ DATABASE_URL: url }, ['migrate'])
  const before = await connectForTest(`${url}?application_name=typed-id-api`)
  expect(await migrate()).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(
      /^DATABASE_URL: cannot use \S+: instances of another version use the database \(1 connection of typed-id-api\): stop them before 0002-normalized-email is applied\n$/,
    ),
  })
  const executed = (await rowsOf(url, 'postgres')).kysely_migration
  expect(executed?.map(({ name }) => name)).toEqual(['0001-initial'])
  await before.end()
  await expect.poll(async () => (await migrate()).code).toBe(0)
})
