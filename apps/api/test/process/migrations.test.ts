import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { type Kysely, sql } from 'kysely'
import {
  connectForTest,
  countBlocked,
  databaseForTest,
  emptyDatabaseForTest,
  PERSISTENT_ENGINES,
} from 'testkit/engines.ts'
import { runCommand, runService, spawnService } from 'testkit/process.ts'
import { startServiceForTest } from 'testkit/service-for-test.ts'
import { proxyTo } from 'testkit/tcp-proxy.ts'
import { expect, onTestFinished, test } from 'vitest'
import { PROFILES } from '../../src/app.ts'
import { openDatabase } from '../../src/database/open.ts'
import { databaseAt } from '../support/listen.ts'
import {
  execute,
  releasedDatabase,
  rowsOf,
} from '../support/released-database.ts'

// Uses a database with tables: on an empty one, a missing lock would stay
// unnoticed, because a failed creation of tables is repeated.
test.each(['sqlite', 'postgres'] as const)(
  'a database of 0001-initial on %s is upgraded once by four processes at the same time',
  async (engine) => {
    const url = await releasedDatabase(engine)
    const migrateAll = () =>
      Promise.all(
        Array.from({ length: 4 }, () =>
          runCommand({ DATABASE_URL: url }, ['migrate']),
        ),
      )
    const migrateAfterLock = async () => {
      const client = await connectForTest(url)
      await client.query('begin; lock table kysely_migration_lock')
      const migrating = migrateAll()
      await expect.poll(() => countBlocked(client)).toBe(4)
      await client.query('commit')
      return migrating
    }
    const results = await (engine === 'sqlite'
      ? migrateAll()
      : migrateAfterLock())
    expect(results.map(({ code, stderr }) => ({ code, stderr }))).toEqual(
      Array.from({ length: 4 }, () => ({ code: 0, stderr: '' })),
    )
    const { kysely_migration: executed } = await rowsOf(url)
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
])(
  'a migration that fails with %s, as tables of another process cause, runs %i times',
  async (code, count) => {
    const url = await emptyDatabaseForTest('postgres')
    let runs = 0
    const migrations = {
      '0001-fails-once': {
        async up(db: Kysely<unknown>) {
          runs += 1
          if (runs > 1) return
          await sql`do ${sql.lit(`begin raise exception using errcode = '${code}'; end`)}`.execute(
            db,
          )
        },
      },
    }
    await openDatabase(databaseAt(url), migrations).then(
      ({ close }) => close(),
      () => {},
    )
    expect(runs).toBe(count)
  },
)

test('a migration may take longer than DATABASE_STATEMENT_TIMEOUT_MS, and an instance waits for it as long', async () => {
  const url = await emptyDatabaseForTest('postgres')
  const slow = {
    '0001-slow': {
      up: async (db: never) => void (await sql`select pg_sleep(3)`.execute(db)),
    },
  }
  const start = async () =>
    (
      await openDatabase(databaseAt(url, { statementTimeoutMs: 200 }), slow)
    ).close()
  expect(await Promise.allSettled([start(), start()])).toEqual([
    { status: 'fulfilled', value: undefined },
    { status: 'fulfilled', value: undefined },
  ])
})

test.each(
  PERSISTENT_ENGINES.flatMap((engine) =>
    ['start', 'never'].map((MIGRATE) => ({ engine, MIGRATE })),
  ),
)(
  'after a rollback, a version that does not know a migration does not start ($engine, MIGRATE=$MIGRATE)',
  async ({ engine, MIGRATE }) => {
    const DATABASE_URL = await databaseForTest(engine)
    const newer = { ...PROFILES.a.migrations, '9999-newer': { async up() {} } }
    await (await openDatabase(databaseAt(DATABASE_URL), newer)).close()
    const { code, stderr } = await runService({
      DATABASE_URL,
      MIGRATE,
      PORT: '0',
    })
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: expect.stringMatching(
        /^DATABASE_URL: cannot use \S+: the schema has a migration that this version does not know: 9999-newer\n$/,
      ),
    })
  },
)

test('a client that aborts a list prints nothing on stderr, and a database that is lost during a list one line', async () => {
  const url = await emptyDatabaseForTest('postgres')
  const proxy = await proxyTo(url)
  onTestFinished(proxy.close)
  const service = await startServiceForTest({ DATABASE_URL: proxy.url })
  // Rows of 10 MB in all, more than sockets buffer.
  await execute(
    url,
    `insert into users (id, email, normalized_email, name, password_hash)
       select 'user-' || gen_random_uuid(), n, n, repeat('n', 100), ''
       from generate_series(1, 50000) n`,
  )
  const startList = async () => {
    const { body } = await fetch(`${service.url}/users`)
    const reader = body?.getReader()
    await reader?.read()
    return reader
  }
  for (const reader of await Promise.all(Array.from({ length: 10 }, startList)))
    await reader?.cancel()
  // Its response comes after those lists were aborted.
  await service.get('/users')
  expect(service.stderr()).toBe('')

  const reader = await startList()
  proxy.close()
  const readAll = async () => {
    while (!(await reader?.read())?.done);
  }
  await expect(readAll()).rejects.toThrow('terminated')
  await expect
    .poll(() => service.logLines.join())
    .toContain('"msg":"response aborted"')
  const printed = [expect.stringContaining('response aborted: see the log'), '']
  await expect.poll(() => service.stderr().split('\n')).toEqual(printed)
})

test.each([
  ['start', 0, ''],
  ['migrate', 1, 'SIGTERM before the schema was up to date\n'],
])(
  'SIGTERM while a migration of %s waits for a lock ends the process with code %i without the migration',
  async (command, code, message) => {
    const url = await emptyDatabaseForTest('postgres')
    const holder = await connectForTest(url)
    // The uncommitted table blocks the migration that creates a table of the same
    // name.
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
