import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { type Kysely, sql } from 'kysely'
import {
  connectForTest,
  countBlocked,
  emptyDatabaseForTest,
} from 'testkit/engines.ts'
import { runCommand, runService, spawnService } from 'testkit/process.ts'
import { expect, onTestFinished, test } from 'vitest'
import { PROFILES } from '../../src/app.ts'
import { openDatabase } from '../../src/database/open.ts'
import { databaseAt, operatorErrorOf, startAndStop } from '../support/listen.ts'
import { releasedDatabase, rowsOf } from '../support/released-database.ts'

// The database has tables. In an empty PostgreSQL database, the test would also
// pass without a migration lock, because the service repeats migrations that
// fail with "table already exists".
test.each(['sqlite', 'postgres'] as const)(
  'a database of 0001-initial is upgraded once by three processes at the same time (%s)',
  async (engine) => {
    const DATABASE_URL = await releasedDatabase(engine)
    const client =
      engine === 'postgres' ? await connectForTest(DATABASE_URL) : undefined
    await client?.query('begin; lock table kysely_migration_lock')
    const migrating = Array.from({ length: 3 }, () =>
      runService({ DATABASE_URL }, ['migrate']),
    )
    if (client) await expect.poll(() => countBlocked(client)).toBe(3)
    await client?.query('commit')
    for (const result of migrating)
      expect(await result).toEqual({ code: 0, stderr: '' })
    const { kysely_migration: executed } = await rowsOf(DATABASE_URL)
    expect(executed?.map((row) => row.name)).toEqual(
      Object.keys(PROFILES.a.migrations),
    )
  },
)

test.each([
  ['42710', 2],
  ['42P07', 2],
  ['23505', 2],
  ['42501', 1],
])('a migration that fails with %s runs %i times', async (code, count) => {
  const url = await emptyDatabaseForTest('postgres')
  let runs = 0
  const fail = sql.lit(`begin raise sqlstate '${code}'; end`)
  const up = async (db: Kysely<unknown>) => {
    runs += 1
    if (runs === 1) await sql`do ${fail}`.execute(db)
  }
  await openDatabase(databaseAt(url), { '0001-fails-once': { up } }).then(
    ({ close }) => close(),
    () => {},
  )
  expect(runs).toBe(count)
})

test('a migration may take longer than DATABASE_STATEMENT_TIMEOUT_MS, and an instance waits for it as long', async () => {
  const options = databaseAt(await emptyDatabaseForTest('postgres'), {
    statementTimeoutMs: 200,
  })
  const up = async (db: never) =>
    void (await sql`select pg_sleep(3)`.execute(db))
  const start = async () =>
    (await openDatabase(options, { '0001-slow': { up } })).close()
  expect(await Promise.all([start(), start()])).toEqual([undefined, undefined])
})

test.each([
  ['sqlite-file', 'start'],
  ['postgres', 'never'],
] as const)(
  'after a rollback, a version that does not know a migration does not start (%s, MIGRATE=%s)',
  async (engine, MIGRATE) => {
    const DATABASE_URL = await emptyDatabaseForTest(engine)
    const allButLast = Object.entries(PROFILES.a.migrations).slice(0, -1)
    const newer = {
      ...Object.fromEntries(allButLast),
      '9999-newer': { async up() {} },
    }
    await (await openDatabase(databaseAt(DATABASE_URL), newer)).close()
    expect(
      await operatorErrorOf(startAndStop({ DATABASE_URL, MIGRATE })),
    ).toMatch(
      /^DATABASE_URL: cannot use \S+: the schema has a migration that this version does not know: 9999-newer$/,
    )
  },
)

test('the schema is only checked with MIGRATE=never, and migrated by the command', async () => {
  const env = { DATABASE_URL: await emptyDatabaseForTest('postgres') }
  const start = () => startAndStop({ ...env, MIGRATE: 'never' })
  expect(await operatorErrorOf(start())).toMatch(
    /^DATABASE_URL: .*lacks the migration 0001-initial.*migrate"$/,
  )
  expect(await runCommand(env, ['migrate'])).toMatchObject({ code: 0 })
  await start()
})

test.each([
  ['start', 0, ''],
  ['migrate', 1, 'SIGTERM before the schema was up to date\n'],
])(
  'SIGTERM while a migration of %s waits for a lock ends the process with code %i',
  async (command, code, message) => {
    const url = await emptyDatabaseForTest('postgres')
    const holder = await connectForTest(url)
    await holder.query('begin; create table users (id text)')
    const child = spawnService({ DATABASE_URL: url, PORT: '0' }, [command], [])
    onTestFinished(() => void child.kill('SIGKILL'))
    const exited = once(child, 'exit')
    const stderr = text(child.stderr)
    await expect.poll(() => countBlocked(holder)).toBe(1)
    child.kill('SIGTERM')
    expect(await exited).toEqual([code, null])
    expect(await stderr).toBe(message)
    await holder.query('rollback')
    expect((await rowsOf(url)).kysely_migration).toEqual([])
  },
)
