import pg from 'pg'
import { clientOf } from 'testkit/client.ts'
import { databaseForTest } from 'testkit/engines.ts'
import { proxyTo } from 'testkit/tcp-proxy.ts'
import { expect, onTestFinished, test } from 'vitest'
import { createApp } from '../../src/app.ts'
import { PROFILES } from '../../src/composition/variables.ts'
import type { ConnectionOptions } from '../../src/database/engine.ts'
import { openDatabase } from '../../src/database/open.ts'
import { createLog } from '../../src/observability/log.ts'
import { databaseAt } from '../support/database.ts'

/** The service in this process on PostgreSQL, and its client. */
async function serviceAt(url: string, options: Partial<ConnectionOptions>) {
  const db = await openDatabase(databaseAt(url, options), PROFILES.a.migrations)
  onTestFinished(() => db.close())
  const app = createApp({ profile: PROFILES.a, db, log: createLog('silent') })
  return clientOf(async (path, init) => app.request(path, init))
}

test('a connection to a demoted primary is closed: the next write looks for a primary', async () => {
  const url = await databaseForTest('postgres')
  const service = await serviceAt(url, { poolSize: 1 })
  const admin = new pg.Client(url)
  await admin.connect()
  onTestFinished(() => admin.end())
  const name = new URL(url).pathname.slice(1)
  // A session keeps the setting that it started with, as a connection to a demoted primary stays read-only.
  await admin.query(`alter database ${name} set default_transaction_read_only = on`)
  await admin.query(
    'select pg_terminate_backend(pid) from pg_stat_activity where pid <> pg_backend_pid() and datname = current_database()',
  )
  await expect.poll(async () => (await service.get('/teams')).status).toBe(200)
  await admin.query(`alter database ${name} reset default_transaction_read_only`)

  expect((await service.post('/teams', { name: 'Rejected' })).status).toBe(503)
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
