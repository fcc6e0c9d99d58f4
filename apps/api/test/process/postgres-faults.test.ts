import { sql } from 'kysely'
import {
  connectForTest,
  databaseForTest,
  emptyDatabaseForTest,
  endOthers,
  PERSISTENT_ENGINES,
} from 'testkit/engines.ts'
import { runService } from 'testkit/process.ts'
import { startServiceForTest } from 'testkit/service-process.ts'
import { proxyTo } from 'testkit/tcp-proxy.ts'
import { expect, onTestFinished, test } from 'vitest'
import { openDatabase } from '../../src/open-database.ts'
import { PROFILES } from '../../src/profiles.ts'
import { databaseAt } from '../support/database.ts'
import { populatedDatabase, serviceAt } from '../support/http-fixture.ts'

test('a connection to a demoted primary is closed: the next write looks for a primary', async () => {
  const url = await databaseForTest('postgres')
  const service = await serviceAt(url)
  const admin = await connectForTest(url)
  const name = new URL(url).pathname.slice(1)
  // A session keeps the setting that it started with, as a connection to a demoted primary stays read-only.
  await admin.query(`alter database ${name} set default_transaction_read_only = on`)
  await endOthers(admin)
  expect((await service.post('/teams', { name: 'Rejected' })).status).toBe(503)
  await admin.query(`alter database ${name} reset default_transaction_read_only`)
  expect((await service.post('/teams', { name: 'Stored' })).status).toBe(201)
})

test('a write to a server that stops responding waits for one timeout, not for a second one of the rollback', async () => {
  const proxy = await proxyTo(await databaseForTest('postgres'))
  onTestFinished(proxy.close)
  const service = await serviceAt(proxy.url, { statementTimeoutMs: 500 })
  proxy.failAt('insert into "teams"', 'silent')
  expect((await service.post('/teams', { name: 'Unknown' })).status).toBe(503)
  // A rollback would wait for another timeout.
  expect(proxy.sentAfterFailure()).not.toContain('rollback')
  expect((await service.post('/teams', { name: 'Stored' })).status).toBe(201)
})

test('a migration may take longer than DATABASE_STATEMENT_TIMEOUT_MS, and an instance waits for it as long', async () => {
  const url = await emptyDatabaseForTest('postgres')
  const slow = { '0001-slow': { up: async (db: never) => void (await sql`select pg_sleep(3)`.execute(db)) } }
  const start = async () => (await openDatabase(databaseAt(url, { statementTimeoutMs: 200 }), slow)).close()
  expect(await Promise.allSettled([start(), start()])).toEqual([
    { status: 'fulfilled', value: undefined },
    { status: 'fulfilled', value: undefined },
  ])
})

test.each(PERSISTENT_ENGINES.flatMap((engine) => ['start', 'never'].map((MIGRATE) => ({ engine, MIGRATE }))))(
  'after a rollback, a version that does not know a migration does not start ($engine, MIGRATE=$MIGRATE)',
  async ({ engine, MIGRATE }) => {
    const DATABASE_URL = await databaseForTest(engine)
    const newer = { ...PROFILES.a.migrations, '9999-newer': { async up() {} } }
    await (await openDatabase(databaseAt(DATABASE_URL), newer)).close()
    const { code, stderr } = await runService({ DATABASE_URL, MIGRATE, PORT: '0' })
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: expect.stringMatching(
        /^DATABASE_URL: cannot use \S+: the schema has a migration that this version does not know: 9999-newer\n$/,
      ),
    })
  },
)

test('a client that aborts a list prints nothing on stderr, and a database that is lost during a list one line', async () => {
  const { url, drop } = await populatedDatabase('postgres', 60_000)
  onTestFinished(drop)
  const proxy = await proxyTo(url)
  onTestFinished(proxy.close)
  const service = await startServiceForTest({ DATABASE_URL: proxy.url })
  const startList = async () => {
    const { body } = await fetch(`${service.url}/users`)
    const reader = body?.getReader()
    await reader?.read()
    return reader
  }
  for (const reader of await Promise.all(Array.from({ length: 10 }, startList))) await reader?.cancel()
  await service.get('/users') // ends after the aborted lists
  expect(service.stderr()).toBe('')

  const reader = await startList()
  proxy.close()
  const readAll = async () => {
    while (!(await reader?.read())?.done);
  }
  await expect(readAll()).rejects.toThrow('terminated')
  await expect.poll(() => service.logLines.join()).toContain('"msg":"response aborted"')
  const printed = [expect.stringContaining('response aborted: see the log'), '']
  await expect.poll(() => service.stderr().split('\n')).toEqual(printed)
})
