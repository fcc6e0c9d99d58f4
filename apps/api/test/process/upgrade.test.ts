import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import Sqlite from 'better-sqlite3'
import pg from 'pg'
import { databaseForTest, emptyDatabaseForTest, fileOf } from 'testkit/engines.ts'
import { describe, expect, onTestFinished, test } from 'vitest'
import { PROFILES } from '../../src/composition/variables.ts'
import type { Database } from '../../src/database/database.ts'
import { openDatabase } from '../../src/database/open.ts'
import { UserId } from '../../src/ids.ts'
import { CHECKSUMS, checksumLine, SCHEMA_ENGINES, type SchemaEngine, schemaFile } from '../schemas/files.ts'
import { databaseAt } from '../support/database.ts'
import { newUser, serviceOn } from '../support/http-fixture.ts'

const names = Object.keys(PROFILES.a.migrations)
const released = names.filter((name) => existsSync(schemaFile(name, 'sqlite')))

// Profile B keeps its records in memory: there is no database to upgrade.

test('every migration before the last one has the file of its schema', () => {
  const missing = names
    .slice(0, -1)
    .flatMap((name) => SCHEMA_ENGINES.map((engine) => schemaFile(name, engine)))
    .filter((file) => !existsSync(file))
    .map((file) => fileURLToPath(file))
  expect(
    missing,
    `no test upgrades a database from these schemas. Check out the commit before ${names.at(-1)} and run "pnpm --filter api run schema"`,
  ).toEqual([])
})

test('at least one released schema is tested', () => expect(released).toContain('0001-initial'))

test.each(released)('the released migration %s is unchanged', (name) => {
  expect(
    readFileSync(CHECKSUMS, 'utf8').split('\n'),
    `${name}.ts was edited after its release. Databases that have executed it would not get the change: restore the file and write a new migration`,
  ).toContain(checksumLine(name))
})

const engineOf = { sqlite: 'sqlite-file', postgres: 'postgres' } as const

async function open(url: string): Promise<Database> {
  const db = await openDatabase(databaseAt(url), PROFILES.a.migrations)
  onTestFinished(() => db.close())
  return db
}

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

/** Whether a row has all columns and values of another. A new version may add columns. */
const contains = (row: Record<string, unknown>, part: Record<string, unknown>) =>
  Object.entries(part).every(([column, value]) => row[column] === value)

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
      await open(url)
      const after = await rowsOf(url, engine)
      const lost = Object.entries(before).flatMap(([table, rows]) =>
        rows.filter((row) => !after[table]?.some((one) => contains(one, row))).map((row) => ({ table, row })),
      )
      expect(lost, 'the upgrade has deleted or changed rows').toEqual([])
    })

    // An empty database hides a lock that is missing: creating its tables twice fails and is repeated.
    test('is upgraded once by eight concurrent starts', async () => {
      const url = await createFrom(schemaFile(name, engine), engine)
      const [db] = await Promise.all(Array.from({ length: 8 }, () => open(url)))
      const executed = await db?.readSnapshot((tx) =>
        tx.selectFrom('kysely_migration').select('name').orderBy('name').execute(),
      )
      expect(executed?.map((row) => row.name)).toEqual(names)
    })

    test('has the schema of a new database after the upgrade', async () => {
      const url = await createFrom(schemaFile(name, engine), engine)
      await open(url)
      const fresh = await databaseForTest(engineOf[engine])
      expect(await schemaOf(url, engine), 'an upgraded database differs from a new one').toEqual(
        await schemaOf(fresh, engine),
      )
    })

    test('rejects what the version before would store after the upgrade: an e-mail address in no normalized form', async () => {
      const url = await createFrom(schemaFile(name, engine), engine)
      await open(url)
      // As 0001 stored a user. The address is stored already, in another case.
      const id = UserId.generate()
      const insert = `insert into users (id, email, name, password_hash) values ('${id}', 'ADA@example.com', 'Ada', 'x')`
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
      const { service } = serviceOn(await open(url))
      const idsOf = (rows: { id?: unknown }[] | undefined) => rows?.map(({ id }) => id)
      for (const table of ['users', 'teams', 'roles'])
        expect(idsOf((await service.get(`/${table}`)).json), table).toEqual(idsOf(before[table]))
      const [ada] = before.users ?? []
      expect((await service.get(`/users/${ada?.id}`)).json).toMatchObject({
        id: ada?.id,
        email: ada?.email,
        team: { id: ada?.team_id },
        roles: [{ name: 'admin' }, { name: 'Admin' }],
      })
      expect(await service.post('/users', newUser({ email: 'ADA@example.com' }))).toMatchObject({
        status: 400,
      })
      expect(await service.post('/users', newUser({ team_id: ada?.team_id }))).toMatchObject({ status: 201 })
    })
  },
)
