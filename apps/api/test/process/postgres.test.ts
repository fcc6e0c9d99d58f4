import pg from 'pg'
import { describe, expect, test } from 'vitest'
import { createApp } from '../../src/app.ts'
import { PROFILES } from '../../src/config/variables.ts'
import { ConstraintError } from '../../src/database/errors.ts'
import { openDatabase } from '../../src/database/open.ts'
import { UnavailableError } from '../../src/errors.ts'
import { createLog } from '../../src/observability/log.ts'
import { databaseAt } from '../support/database.ts'
import { freshDatabase } from '../support/engines.ts'
import { startPostgres } from '../support/postgres.ts'
import { runService } from '../support/process.ts'
import { proxyTo } from '../support/proxy.ts'

const { migrations } = PROFILES.a

/** A database of its own, and a connection beside the service's pool. */
async function open(
  options: { poolSize?: number; connectTimeoutMs?: number; statementTimeoutMs?: number } = {},
) {
  const { url, drop } = await freshDatabase('postgres')
  const db = await openDatabase(databaseAt(url, { ...options }), migrations)
  const beside = new pg.Client(url)
  beside.on('error', () => {})
  await beside.connect()
  return {
    url,
    db,
    beside,
    async [Symbol.asyncDispose]() {
      await beside.end().catch(() => {})
      await db.close()
      await drop()
    },
  }
}

const statement = (sql: string) => ({ sql, name: '' })

describe('a write', () => {
  test('that loses against another is run again, and succeeds', async () => {
    await using it = await open()
    for (const code of ['40001', '40P01']) {
      let attempts = 0
      const result = await it.db.write(async (tx) => {
        attempts += 1
        if (attempts < 3) await tx.execute(statement(`do $$ begin raise sqlstate '${code}'; end $$`), [])
        return attempts
      })
      expect(result).toBe(3)
    }
  })

  test('that loses again and again is given up as unavailable', async () => {
    await using it = await open()
    let attempts = 0
    const write = it.db.write(async (tx) => {
      attempts += 1
      await tx.execute(statement(`do $$ begin raise sqlstate '40001'; end $$`), [])
    })
    await expect(write).rejects.toThrow(UnavailableError)
    expect(attempts).toBe(5)
  })

  test('that deadlocks with another is run again: both take place', async () => {
    await using it = await open()
    await it.beside.query(
      "create table t (id text primary key, n int); insert into t values ('a', 0), ('b', 0)",
    )
    const both = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const add = (first: string, second: string, me: number) => {
      let met = false
      return it.db.write(async (tx) => {
        await tx.execute(statement('update t set n = n + 1 where id = $1'), [first])
        if (!met) {
          met = true
          both[me]?.resolve()
          await Promise.all(both.map(({ promise }) => promise))
        }
        await tx.execute(statement('update t set n = n + 1 where id = $1'), [second])
      })
    }
    await Promise.all([add('a', 'b', 0), add('b', 'a', 1)])
    expect((await it.beside.query('select n from t')).rows).toEqual([{ n: 2 }, { n: 2 }])
  })

  test('that a constraint refuses is not repeated', async () => {
    await using it = await open()
    let attempts = 0
    const write = it.db.write(async (tx) => {
      attempts += 1
      await tx.execute(statement("insert into teams values ('user-x', 'x')"), [])
    })
    await expect(write).rejects.toThrow(ConstraintError)
    expect(attempts).toBe(1)
  })

  test('whose commit was answered by nobody is not repeated', async () => {
    const { url, drop } = await freshDatabase('postgres')
    const proxy = await proxyTo(url)
    const db = await openDatabase(databaseAt(proxy.url), migrations)
    let attempts = 0
    const write = db.write(async (tx) => {
      attempts += 1
      await tx.execute(statement('select 1'), [])
      proxy.failAt('commit', 'cut')
    })
    await expect(write).rejects.toThrow(UnavailableError)
    expect(attempts).toBe(1)
    expect(await db.write((tx) => tx.execute(statement('select 1 as one'), []))).toEqual([{ one: 1 }])
    await db.close()
    proxy.close()
    await drop()
  })
})

describe('a lost connection', () => {
  test('in the middle of a request is a 503 with Retry-After, and the next request reconnects', async () => {
    await using it = await open()
    const app = createApp({ profile: PROFILES.a, db: it.db, log: createLog('silent') })
    await it.beside.query('begin')
    await it.beside.query('lock table teams')
    const waiting = app.request('/teams')
    const blocked =
      "select pid from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'"
    await expect.poll(async () => (await it.beside.query(blocked)).rowCount).toBe(1)
    await it.beside.query(`select pg_terminate_backend(pid) from (${blocked}) as it`)
    const answer = await waiting
    expect(answer.status).toBe(503)
    expect(answer.headers.get('retry-after')).toBe('1')
    expect(await answer.json()).toEqual({ detail: 'Service Unavailable' })
    await it.beside.query('rollback')
    expect((await app.request('/teams')).status).toBe(200)
  })

  test('of every connection at once, while idle, is not noticed by the next request', async () => {
    await using it = await open()
    const app = createApp({ profile: PROFILES.a, db: it.db, log: createLog('silent') })
    await Promise.all(Array.from({ length: 10 }, () => app.request('/teams')))
    await it.beside.query(
      'select pg_terminate_backend(pid) from pg_stat_activity where pid <> pg_backend_pid() and datname = current_database()',
    )
    await expect.poll(async () => (await app.request('/teams')).status).toBe(200)
  })
})

describe('a server that is stopped and started', () => {
  test('gives 503 while it is away, readyz too, and 200 when it is back', async () => {
    const server = await startPostgres()
    const db = await openDatabase(databaseAt(server.url, { connectTimeoutMs: 500 }), migrations)
    const app = createApp({ profile: PROFILES.a, db, log: createLog('silent') })
    const statuses = async () => [
      (await app.request('/teams')).status,
      (await app.request('/readyz')).status,
      (await app.request('/healthz')).status,
    ]
    expect(await statuses()).toEqual([200, 200, 200])
    await server.pause()
    expect(await statuses()).toEqual([503, 503, 200])
    await server.resume()
    expect(await statuses()).toEqual([200, 200, 200])
    await db.close()
    await server.stop()
  }, 30_000)
})

describe('limits', () => {
  test('a request that gets no connection in time is a 503', async () => {
    await using it = await open({ poolSize: 1, connectTimeoutMs: 100 })
    const app = createApp({ profile: PROFILES.a, db: it.db, log: createLog('silent') })
    const { promise: release, resolve } = Promise.withResolvers<void>()
    const holding = it.db.write(() => release)
    await expect.poll(async () => (await app.request('/teams')).status).toBe(503)
    resolve()
    await holding
    expect((await app.request('/teams')).status).toBe(200)
  })

  test('a statement that takes too long is a 503', async () => {
    await using it = await open({ statementTimeoutMs: 200 })
    const app = createApp({ profile: PROFILES.a, db: it.db, log: createLog('silent') })
    await it.beside.query('begin')
    await it.beside.query('lock table teams')
    expect((await app.request('/teams')).status).toBe(503)
    await it.beside.query('rollback')
    expect((await app.request('/teams')).status).toBe(200)
  })
})

describe('the schema', () => {
  test('of several starts at once on an empty database is migrated once', async () => {
    const { url, drop } = await freshDatabase('postgres')
    const all = await Promise.all(Array.from({ length: 8 }, () => openDatabase(databaseAt(url), migrations)))
    const rows = await all[0]?.readSnapshot((tx) =>
      tx.selectFrom('kysely_migration').select('name').execute(),
    )
    expect(rows).toEqual(Object.keys(migrations).map((name) => ({ name })))
    await Promise.all(all.map((db) => db.close()))
    await drop()
  })

  test('is only checked with MIGRATE=never, and brought up to date by the command', async () => {
    const { url, drop } = await freshDatabase('postgres')
    const env = { DATABASE_URL: url, MIGRATE: 'never', PORT: '0' }
    const refused = await runService(env)
    expect(refused).toEqual({
      code: 1,
      stderr: expect.stringMatching(/^DATABASE_URL: [^\n]*lacks the migration 0001-initial[^\n]*migrate"\n$/),
    })
    expect(await runService({ DATABASE_URL: url }, ['migrate'])).toEqual({ code: 0, stderr: '' })
    const db = await openDatabase(databaseAt(url), migrations, { migrating: false })
    await db.exclusively((tx) =>
      tx.insertInto('kysely_migration').values({ name: '9999-of-the-future', timestamp: '' }).execute(),
    )
    await db.close()
    for (const MIGRATE of ['start', 'never']) {
      const { code, stderr } = await runService({ ...env, MIGRATE })
      expect({ code, stderr }).toEqual({
        code: 1,
        stderr: expect.stringMatching(/^DATABASE_URL: [^\n]*9999-of-the-future[^\n]*\n$/),
      })
    }
    await drop()
  })
})

test('a password in the URL is never printed', async () => {
  for (const url of [
    'postgres://ada:hunter2@127.0.0.1:1/users?password=hunter2',
    'postgres://ada:hunter2@nowhere.invalid/users',
  ]) {
    const { code, stderr } = await runService({ DATABASE_URL: url, PORT: '0' })
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: expect.stringMatching(/^DATABASE_URL: cannot use postgres:\/\/[^\n]+\n$/),
    })
    expect(stderr).not.toContain('hunter2')
    expect(stderr).not.toContain('ada')
  }
})
