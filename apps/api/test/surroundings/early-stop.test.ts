import { once } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import type pg from 'pg'
import { connectForTest, databaseForTest, emptyDatabaseForTest } from 'testkit/engines.ts'
import { spawnService, startService } from 'testkit/process.ts'
import { proxyTo, startHangingProxy } from 'testkit/tcp-proxy.ts'
import { describe, expect, onTestFinished, test } from 'vitest'
import { PROFILES } from '../../src/profiles.ts'

/** Number of processes that start at the same time. */
const CONCURRENCY = 4

/** Timeouts with which a start ends by itself only long after the test. */
const NO_TIMEOUTS = { DATABASE_CONNECT_TIMEOUT_MS: '600000', DATABASE_STATEMENT_TIMEOUT_MS: '600000' }

/** Approximate number of packets from PostgreSQL during a start on an empty database. */
const PACKETS = 32

/** Starts the service, sends SIGTERM when `moment` resolves, and returns how the process ended. */
async function stopAt(env: Record<string, string>, moment: () => Promise<unknown>) {
  const child = spawnService({ PORT: '0', ...env }, [], [])
  onTestFinished(() => void child.kill('SIGKILL')) // if the test reaches its time limit before the process ends
  const exited = once(child, 'exit')
  let stderr = ''
  child.stderr.on('data', (chunk) => {
    stderr += chunk
  })
  child.stdout.resume()
  await moment()
  child.kill('SIGTERM')
  const [code, signal] = await exited
  return { end: signal ?? code, stderr }
}

/** Expected ends of a process: 0 if it handled the signal, SIGTERM if it had no handler yet. */
const ENDS = [0, 'SIGTERM']

function expectEarlyEnd({ end, stderr }: Awaited<ReturnType<typeof stopAt>>, moment: string): void {
  expect(stderr, moment).toBe('')
  expect(ENDS, moment).toContain(end)
}

/** Waits until only this client is connected, and returns the tables and the applied migrations. */
async function schemaAfterwards(client: pg.Client) {
  const others = 'select from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()'
  await expect.poll(async () => (await client.query(others)).rowCount).toBe(0)
  const tables = await client.query("select tablename from pg_tables where schemaname = 'public' order by 1")
  const names = tables.rows.map(({ tablename }) => tablename)
  const applied = names.includes('kysely_migration')
    ? (await client.query('select name from kysely_migration order by 1')).rows.map(({ name }) => name)
    : []
  return { tables: names, applied }
}

const NO_SCHEMA = { tables: [], applied: [] }

/** The migrator of Kysely creates its tables before the transaction of the migrations. */
const NO_MIGRATION = { tables: ['kysely_migration', 'kysely_migration_lock'], applied: [] }

const FIRST_TABLE = { ...NO_MIGRATION, tables: ['kysely_migration'] }

async function completeSchema() {
  const schema = await schemaAfterwards(await connectForTest(await databaseForTest('postgres')))
  expect(schema.applied).toEqual(Object.keys(PROFILES.a.migrations))
  return schema
}

/** Runs an attempt several times, some of them concurrently. */
async function repeat(times: number, attempt: () => Promise<void>): Promise<void> {
  let started = 0
  const run = async (): Promise<void> => {
    while (started < times) {
      started += 1
      await attempt()
    }
  }
  await Promise.all(Array.from({ length: CONCURRENCY }, run))
}

/** Returns the current duration of a start on this machine, in milliseconds. */
async function measureStart(): Promise<number> {
  const DATABASE_URL = await emptyDatabaseForTest('postgres')
  const started = performance.now()
  const services = await Promise.all(
    Array.from({ length: CONCURRENCY }, () => startService({ DATABASE_URL })),
  )
  const ms = performance.now() - started
  await Promise.all(services.map((service) => service.stop()))
  return ms
}

describe('SIGTERM during the start ends the process without a response of PostgreSQL, with the migrations undone or done', () => {
  test.each([
    { moments: 10, setting: 'while PostgreSQL responds', packets: 0 },
    { moments: 10, setting: 'while PostgreSQL hangs after a random number of responses', packets: PACKETS },
  ])('at $moments random moments, $setting', async ({ moments, packets }) => {
    const complete = await completeSchema()
    const startMs = await measureStart()
    await repeat(moments, async () => {
      const url = await emptyDatabaseForTest('postgres')
      const ms = Math.random() * (packets ? 1.5 : 1.2) * startMs
      const env = { DATABASE_URL: url }
      let moment = `SIGTERM after ${Math.round(ms)} ms of ${Math.round(startMs)}`
      if (packets) {
        const responses = Math.floor(Math.random() * packets)
        const proxy = await startHangingProxy(url, responses)
        onTestFinished(proxy.close)
        Object.assign(env, NO_TIMEOUTS, { DATABASE_URL: proxy.url })
        moment += `, PostgreSQL hangs after ${responses} packets`
      }
      expectEarlyEnd(await stopAt(env, () => pause(ms)), moment)
      expect([NO_SCHEMA, FIRST_TABLE, NO_MIGRATION, complete], moment).toContainEqual(
        await schemaAfterwards(await connectForTest(url)),
      )
    })
  })

  test('while a migration waits for a lock', async () => {
    const url = await emptyDatabaseForTest('postgres')
    const holder = await connectForTest(url)
    const observer = await connectForTest(url)
    // The uncommitted table blocks the migration that creates a table of the same name.
    await holder.query('begin; create table users (id text)')
    const waiting =
      "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'"
    const result = await stopAt({ DATABASE_URL: url }, () =>
      expect.poll(async () => (await observer.query(waiting)).rowCount).toBe(1),
    )
    expectEarlyEnd(result, 'SIGTERM while the migration waits')
    expect(result.end).toBe(0)
    await holder.query('rollback')
    await holder.end()
    expect(await schemaAfterwards(observer)).toEqual(NO_MIGRATION)
  })

  test('while PostgreSQL does not respond to the query for the newest id', async () => {
    const url = await databaseForTest('postgres')
    const observer = await connectForTest(url)
    const proxy = await proxyTo(url)
    onTestFinished(proxy.close)
    proxy.failAt('"teams" order by', 'silent')
    const received = `select from pg_stat_activity where datname = current_database() and state = 'idle' and query like '%"teams" order by%'`
    const result = await stopAt({ DATABASE_URL: proxy.url }, () =>
      expect.poll(async () => (await observer.query(received)).rowCount).toBe(1),
    )
    expectEarlyEnd(result, 'SIGTERM while the query has no response')
    expect(result.end).toBe(0)
  })
})
