import pg from 'pg'
import { expect, test } from 'vitest'
import { createApp } from '../../src/app.ts'
import { PROFILES } from '../../src/config/variables.ts'
import { openDatabase } from '../../src/database/open.ts'
import { createLog } from '../../src/observability/log.ts'
import { databaseAt } from '../support/database.ts'
import { freshDatabase } from '../support/engines.ts'
import { proxyTo } from '../support/proxy.ts'

const team = (name: string): RequestInit => ({
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify({ name }),
})

test('a connection to a server that may only be read from is given up: the next write looks for a primary', async () => {
  const { url, drop } = await freshDatabase('postgres')
  const db = await openDatabase(databaseAt(url, { poolSize: 1 }), PROFILES.a.migrations)
  const app = createApp({ profile: PROFILES.a, db, log: createLog('silent') })
  const admin = new pg.Client(url)
  await admin.connect()
  const name = new URL(url).pathname.slice(1)
  // A session keeps what it began with, as one with a primary of yesterday does.
  await admin.query(`alter database ${name} set default_transaction_read_only = on`)
  await admin.query(
    'select pg_terminate_backend(pid) from pg_stat_activity where pid <> pg_backend_pid() and datname = current_database()',
  )
  await expect.poll(async () => (await app.request('/teams')).status).toBe(200)
  await admin.query(`alter database ${name} reset default_transaction_read_only`)

  expect((await app.request('/teams', team('Refused'))).status).toBe(503)
  expect((await app.request('/teams', team('Stored'))).status).toBe(201)
  await admin.end()
  await db.close()
  await drop()
})

test('a server that falls silent in the middle of a write is waited for once, not again for the rollback', async () => {
  const { url, drop } = await freshDatabase('postgres')
  const proxy = await proxyTo(url)
  const db = await openDatabase(databaseAt(proxy.url, { statementTimeoutMs: 500 }), PROFILES.a.migrations)
  const app = createApp({ profile: PROFILES.a, db, log: createLog('silent') })
  proxy.failAt('commit', 'silent')
  const started = performance.now()
  expect((await app.request('/teams', team('Perhaps'))).status).toBe(503)
  // The time-out of the server, and a second for its answer.
  expect(performance.now() - started).toBeLessThan(2 * 1500)
  expect((await app.request('/teams', team('Surely'))).status).toBe(201)
  await db.close()
  proxy.close()
  await drop()
})
