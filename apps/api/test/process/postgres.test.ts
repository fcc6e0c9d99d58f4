import { randomUUID } from 'node:crypto'
import { rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { Kysely, PostgresDialect } from 'kysely'
import pg from 'pg'
import {
  connectForTest,
  countBlocked,
  databaseForTest,
  emptyDatabaseForTest,
  folderForTest,
} from 'testkit/engines.ts'
import { startPostgres } from 'testkit/postgres.ts'
import { startServiceForTest } from 'testkit/service-for-test.ts'
import { listenLocally, proxyTo } from 'testkit/sockets.ts'
import { describe, expect, inject, onTestFinished, test, vi } from 'vitest'
import { useFakeTimeouts } from '../support/fake-timers.ts'
import { serviceAt, storedUser } from '../support/http-fixture.ts'
import { operatorErrorOf, startAndStop } from '../support/listen.ts'
import { countConnections } from '../support/sessions.ts'
import { TABLES, VIOLATIONS } from '../support/violations.ts'

async function open(options: Parameters<typeof serviceAt>[1] = {}) {
  const url = await databaseForTest('postgres')
  const service = await serviceAt(url, options)
  const check = async () => (await service.get('/readyz')).status
  await expect.poll(check).toBe(200)
  return { service, other: await connectForTest(url) }
}

test.each(['40001', '40P01'])(
  'a write that PostgreSQL rolls back for a concurrent one (%s) is repeated, and succeeds',
  async (code) => {
    const { other, service } = await open()
    await other.query(`
      create sequence attempts;
      create function fail() returns trigger language plpgsql as
        $$ begin if nextval('attempts') = 1 then raise sqlstate '${code}'; end if; return new; end $$;
      create trigger fail before insert on teams for each row execute function fail()`)
    expect((await service.post('/teams', { name: 'x' })).status).toBe(201)
    const attempts = 'select last_value::int as n from attempts'
    expect((await other.query(attempts)).rows).toEqual([{ n: 2 }])
  },
)

describe('concurrent requests', () => {
  test('for other rows are not delayed by nine that wait for a locked row, with the default of ten connections', async () => {
    const { other, service } = await open()
    const { id } = await storedUser(service)
    await other.query('begin; select from users for update')
    const free = await storedUser(service)
    const blocked = Array.from({ length: 9 }, () =>
      service.patch(`/users/${id}`, { name: 'blocked' }),
    )
    await expect.poll(() => countBlocked(other)).toBe(9)
    const responses = [
      service.patch(`/users/${free.id}`, { name: 'free' }),
      service.get(`/users/${id}`),
      service.get('/teams'),
      service.get('/readyz'),
    ]
    for (const response of responses) expect((await response).status).toBe(200)
    expect(await countBlocked(other)).toBe(9)
    await other.query('commit')
    for (const { status, json } of await Promise.all(blocked))
      expect([status, json.name]).toEqual([200, 'blocked'])
  })

  test('that occupy every connection do not delay health checks', async () => {
    const { other, service } = await open({ poolSize: 1 })
    const { promise, resolve: release } = Promise.withResolvers<void>()
    onTestFinished(() => release())
    const occupying = service.db.transaction().execute(() => promise)
    const waiting = service.get('/teams')
    const checks = Array.from({ length: 100 }, () => service.get('/readyz'))
    for (const check of checks) expect((await check).status).toBe(200)
    const count = () => countConnections(other)
    expect(await count()).toBe(2)
    release()
    await Promise.all([occupying, waiting])
    await service.database.close()
    await expect.poll(count).toBe(0)
  })

  test('that wait longer than lock_timeout or the timeout of a statement receive 503', async () => {
    const { other, service } = await open({ statementTimeoutMs: 3000 })
    const { id } = await storedUser(service)
    await other.query('begin; lock table teams; select from users for update')
    const waiting = [
      service.patch(`/users/${id}`, { name: 'x' }),
      service.get('/teams'),
    ]
    for (const response of waiting) expect((await response).status).toBe(503)
    await other.query('rollback')
    expect((await service.get('/teams')).status).toBe(200)
  })
})

test('a server that is stopped and started makes requests and /readyz respond 503 until it is back', async () => {
  const server = await startPostgres()
  onTestFinished(server.stop)
  const service = await serviceAt(server.url)
  const statuses = () =>
    Promise.all(
      ['/teams', '/readyz', '/healthz'].map(
        async (path) => (await service.get(path)).status,
      ),
    )
  await expect.poll(statuses).toEqual([200, 200, 200])
  await server.pause()
  expect(await statuses()).toEqual([503, 503, 200])
  await server.resume()
  expect((await service.get('/teams')).status).toBe(200)
  await expect.poll(statuses).toEqual([200, 200, 200])
})

async function roleFor(url: string, options = '') {
  const admin = await connectForTest(url)
  const role = `role_${randomUUID().replaceAll('-', '')}`
  await admin.query(
    `create role ${role} login password 'first' ${options}; grant all on all tables in schema public to ${role}`,
  )
  onTestFinished(async () => {
    await admin.query(`drop owned by ${role}; drop role ${role}`)
  })
  const own = new URL(url)
  own.username = role
  own.password = 'first'
  const disconnect = () =>
    admin.query(
      `select pg_terminate_backend(pid) from pg_stat_activity where usename = '${role}'`,
    )
  return { role, url: own, admin, disconnect }
}

test('requests receive 503 until the service can use the new user and password, which it reads from DATABASE_URL_FILE for each connection', async () => {
  const database = await databaseForTest('postgres')
  const { role, url, admin, disconnect } = await roleFor(database)
  const file = join(await folderForTest(), 'url')
  await writeFile(file, url.href)
  const { get } = await startServiceForTest({
    DATABASE_URL: '',
    DATABASE_URL_FILE: file,
  })
  const status = async () => (await get('/teams')).status
  expect(await status()).toBe(200)
  await admin.query(`alter role ${role} password 'second'`)
  await disconnect()
  await expect.poll(status).toBe(503)
  await rm(file)
  expect((await get('/readyz')).json.reason).toBe('cannot read the password')
  await writeFile(file, url.href.replace('first', 'second'))
  expect(await status()).toBe(200)
  expect((await get('/readyz')).status).toBe(200)

  const other = await roleFor(database)
  await writeFile(file, other.url.href)
  await admin.query(`alter role ${role} nologin`)
  await disconnect()
  await expect.poll(status).toBe(200)
})

test.each(['PGPASSWORD', 'PGPASSFILE'])(
  'a URL without a password uses PGPASSWORD or the file .pgpass (%s)',
  async (variable) => {
    const { url } = await roleFor(await databaseForTest('postgres'))
    const file = join(await folderForTest(), 'pgpass')
    const mode = 0o600
    await writeFile(file, `*:*:*:${url.username}:first\n`, { mode })
    const value = { PGPASSWORD: 'first', PGPASSFILE: file }[variable]
    vi.stubEnv(variable, value)
    onTestFinished(() => void vi.unstubAllEnvs())
    url.password = ''
    const { get } = await serviceAt(url.href)
    expect((await get('/teams')).status).toBe(200)
  },
)

test('requests wait for a connection while the server accepts fewer than DATABASE_POOL_SIZE, and receive 503 at once while it accepts none', async () => {
  useFakeTimeouts()
  const database = await databaseForTest('postgres')
  const limited = await roleFor(database, 'connection limit 3')
  const { role, url, admin, disconnect } = limited
  const service = await serviceAt(url.href)
  const countAfterWrites = async () => {
    const writes = Array.from({ length: 40 }, (_, n) =>
      service.post('/teams', { name: `${n}` }),
    )
    for (const write of writes) expect((await write).status).toBe(201)
    return countConnections(admin)
  }
  for (let turn = 0; turn < 3; turn += 1)
    expect(await countAfterWrites()).toBe(3)
  await admin.query(`alter role ${role} connection limit 20`)
  vi.advanceTimersByTime(5000)
  expect(await countAfterWrites()).toBe(10)
  await admin.query(`alter role ${role} connection limit 0`)
  await disconnect()
  for (let n = 0; n < 11; n += 1)
    expect((await service.get('/teams')).status).toBe(503)
})

describe('a server that stops responding', () => {
  test('does not delay the end of the service beyond STOP_TIMEOUT_MS', async () => {
    const database = await databaseForTest('postgres')
    const proxy = await proxyTo(database)
    onTestFinished(proxy.close)
    proxy.failAt('insert into "teams"', 'silent')
    const service = await startServiceForTest({
      DATABASE_URL: proxy.url,
      STOP_TIMEOUT_MS: '500',
      DATABASE_STATEMENT_TIMEOUT_MS: '3600000',
    })
    const writing = service.post('/teams', { name: 'x' }).catch(() => 'aborted')
    await expect.poll(proxy.isFailing).toBe(false)
    expect(await service.stop('SIGTERM')).toBe(0)
    expect(await writing).toBe('aborted')
  })

  test('makes a start end with one line', async () => {
    const silent = createServer()
    const port = await listenLocally(silent)
    onTestFinished(() => void silent.close())
    const DATABASE_URL = `postgres://user:secret@127.0.0.1:${port}/users`
    expect(await operatorErrorOf(startAndStop({ DATABASE_URL }))).toMatch(
      /^DATABASE_URL: cannot use postgres:\/\/127\.0\.0\.1:\d+\/users: .*timeout/,
    )
  })
})

test('a start is rejected in one line for a database with the encoding SQL_ASCII', async () => {
  const server = await connectForTest(inject('postgresUrl'))
  const name = `test_${randomUUID().replaceAll('-', '')}`
  await server.query(
    `create database ${name} encoding 'SQL_ASCII' template template0 lc_collate 'C' lc_ctype 'C'`,
  )
  onTestFinished(async () => {
    await server.query(`drop database ${name} with (force)`)
  })
  const DATABASE_URL = new URL(`/${name}`, inject('postgresUrl')).href
  expect(await operatorErrorOf(startAndStop({ DATABASE_URL }))).toContain(
    `/${name}: expected the encoding UTF8, but the database has SQL_ASCII: create it`,
  )
})

test.each([
  ['0.0.0.0', '', true],
  ['localhost', '?host=0.0.0.0', true],
  ['0.0.0.0', '?sslmode=disable', false],
  ['LOCALHOST', '', false],
])(
  'a start with PostgreSQL warns of an unencrypted connection, unless the host is a loopback address (%s%s: %s)',
  async (host, options, isWarned) => {
    const url = new URL(await databaseForTest('postgres'))
    url.hostname = host
    const log = await startAndStop({ DATABASE_URL: url.href + options })
    expect(log.includes('connection to PostgreSQL is not encrypted')).toBe(
      isWarned,
    )
  },
)

test('PostgreSQL names violated constraints as the tests of the SQLite dialect expect', async () => {
  const connectionString = await emptyDatabaseForTest('postgres')
  const pool = new pg.Pool({ connectionString })
  const db = new Kysely<unknown>({ dialect: new PostgresDialect({ pool }) })
  onTestFinished(() => db.destroy())
  await pool.query(TABLES)
  for (const [constraint, query] of VIOLATIONS)
    await expect(query(db).execute()).rejects.toMatchObject({ constraint })
})
