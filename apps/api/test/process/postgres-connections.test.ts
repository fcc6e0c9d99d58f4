import { CompiledQuery, sql } from 'kysely'
import type pg from 'pg'
import {
  connectForTest,
  countBlocked,
  databaseForTest,
  emptyDatabaseForTest,
} from 'testkit/engines.ts'
import { proxyTo, startTcpProxy } from 'testkit/sockets.ts'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import type { OpenDatabase } from '../../src/database/open.ts'
import { TeamId } from '../../src/ids.ts'
import { useFakeTimeouts } from '../support/fake-timers.ts'
import { openForTest, serviceAt, storedUser } from '../support/http-fixture.ts'
import { countConnections, SESSIONS } from '../support/sessions.ts'

type Db = OpenDatabase['db']

const insertTeam = (db: Db, name: string) =>
  db.insertInto('teams').values({ id: TeamId.generate(), name }).execute()
const raw = async (db: Db, text: string) =>
  (await db.executeQuery<{ name: string }>(CompiledQuery.raw(text))).rows
const namesIn = async (db: Db, from: string) =>
  (await raw(db, `select name from ${from} order by 1`)).map(({ name }) => name)
const namesOfTeams = (db: Db) => namesIn(db, 'teams')
const preparedNames = (db: Db) =>
  namesIn(
    db,
    `pg_prepared_statements where name <> '' and statement like 'insert into "teams"%'`,
  )

const pidOf = async (db: Db) => (await raw(db, 'select pg_backend_pid()'))[0]

const openOne = async (url: string) =>
  (await openForTest(url, { poolSize: 1 })).db

async function openBehindProxy(options?: Parameters<typeof serviceAt>[1]) {
  const url = await databaseForTest('postgres')
  const admin = await connectForTest(url)
  const proxy = await proxyTo(url)
  onTestFinished(proxy.close)
  return { admin, proxy, service: await serviceAt(proxy.url, options) }
}

const terminate = (admin: pg.Client, condition: string, waitMs = 0) =>
  admin.query(
    `select pg_terminate_backend(pid, ${waitMs}) from pg_stat_activity where pid <> pg_backend_pid() and datname = current_database() and ${condition}`,
  )

describe('a statement with parameters', () => {
  test('is prepared once for a connection, under the same name in every process', async () => {
    const url = await databaseForTest('postgres')
    const [db, other] = [await openOne(url), await openOne(url)]
    await insertTeam(db, 'a')
    await db.transaction().execute((trx) => insertTeam(trx, 'b'))
    await insertTeam(other, 'c')
    const names = await preparedNames(db)
    expect(names).toEqual([expect.stringMatching(/^[\w-]{43}$/)])
    expect(await preparedNames(other)).toEqual(names)
  })

  test('has no name when the connection has prepared 200 others', async () => {
    const db = await openOne(await databaseForTest('postgres'))
    for (let n = 0; n < 200; n += 1)
      await sql`select ${n}::int as ${sql.ref(`n${n}`)}`.execute(db)
    await insertTeam(db, 'a')
    expect(await preparedNames(db)).toEqual([])
  })

  test('gets a name again after ten minutes at most, when a connection in use is replaced', async () => {
    useFakeTimeouts()
    const db = await openOne(await databaseForTest('postgres'))
    const first = await pidOf(db)
    for (let seconds = 0; seconds < 600; seconds += 5) {
      expect(await pidOf(db)).toEqual(first)
      vi.advanceTimersByTime(5000)
    }
    expect(await pidOf(db)).not.toEqual(first)
  })

  // PgBouncer causes the errors 26000 and 42P05 when it switches a client to
  // another server connection.
  test.each([
    ['the connection has lost (26000)', true, () => 'deallocate all'],
    [
      'another client has prepared there (42P05)',
      false,
      (name = '') =>
        `prepare "${name}" as insert into teams (id, name) values ($1, $2)`,
    ],
  ])(
    'that %s fails a transaction, which stores nothing, and else is sent again without a name',
    async (_, isPrepared, change) => {
      const url = await databaseForTest('postgres')
      const [changed, other] = [await openOne(url), await openOne(url)]
      const inTransaction = await openOne(url)
      await insertTeam(other, 'other')
      const [name] = await preparedNames(other)
      for (const db of [changed, inTransaction]) {
        if (isPrepared) await insertTeam(db, 'before')
        await raw(db, change(name))
      }
      await raw(other, 'delete from teams')

      await insertTeam(changed, 'b')
      await insertTeam(changed, 'c')
      const replace = () =>
        inTransaction.transaction().execute(async (trx) => {
          await trx.deleteFrom('teams').where('name', '=', 'b').execute()
          await insertTeam(trx, 'd')
        })
      await expect(replace()).rejects.toThrow(/prepared statement/)
      expect(await namesOfTeams(other)).toEqual(['b', 'c'])
      await replace()
      expect(await namesOfTeams(other)).toEqual(['c', 'd'])
    },
  )

  test('whose result has other types after a change of the schema returns the new ones', async () => {
    const url = await emptyDatabaseForTest('postgres')
    const admin = await connectForTest(url)
    await admin.query('create table t (n integer); insert into t values (1)')
    const db = await openOne(url)
    const read = async () =>
      (await db.selectFrom('t').selectAll().where('n', '=', 1).execute())[0]
    expect(await read()).toEqual({ n: 1 })
    await admin.query("alter table t add column note text default 'new'")
    expect(await read()).toEqual({ n: 1, note: 'new' })
  })
})

test('a connection has its timeouts and its name', async () => {
  const url = await databaseForTest('postgres')
  const { db } = await openForTest(url, { statementTimeoutMs: 1234 })
  for (const [name, setting] of [
    ['statement_timeout', '1234ms'],
    ['idle_in_transaction_session_timeout', '1234ms'],
    ['lock_timeout', '2s'],
    ['application_name', 'typed-id-api'],
  ] as const)
    expect(await raw(db, `show ${name}`)).toEqual([{ [name]: setting }])
})

describe('a lost connection', () => {
  test('that the server ended before it received the statement loses nothing: the statement runs once on a new connection', async () => {
    const url = await databaseForTest('postgres')
    const admin = await connectForTest(url)
    let isHeld = false
    const proxy = await startTcpProxy(url, (client, server) => {
      const held: Buffer[] = []
      client.on('data', (data) => {
        server.write(data)
        if (held.length === 0) return
        isHeld = false
        for (const each of held.splice(0)) client.write(each)
      })
      server.on('data', (data) => {
        if (isHeld) held.push(data)
        else client.write(data)
      })
    })
    onTestFinished(proxy.close)
    const service = await serviceAt(proxy.url, { poolSize: 1 })
    isHeld = true
    await terminate(admin, "application_name = 'typed-id-api'", 10_000)
    expect((await service.post('/teams', { name: 'a' })).status).toBe(201)
    expect(await namesOfTeams(service.db)).toEqual(['a'])
    await service.database.close()
    await expect.poll(() => countConnections(admin)).toBe(0)
  })

  test('fails the requests that were on it, and no other', async () => {
    const url = await databaseForTest('postgres')
    const [service, admin] = [await serviceAt(url), await connectForTest(url)]
    const { id } = await storedUser(service)
    await admin.query('begin; select from users for update')
    const lost = service.patch(`/users/${id}`, { name: 'lost' })
    await expect.poll(() => countBlocked(admin)).toBe(1)
    const others = Array.from({ length: 20 }, (_, n) =>
      service.post('/teams', { name: `${n}` }),
    )
    await terminate(admin, "wait_event_type = 'Lock'")
    await admin.query('rollback')
    expect((await lost).status).toBe(503)
    for (const other of others) expect((await other).status).toBe(201)
    expect((await service.get('/readyz')).status).toBe(200)
    expect((await service.get(`/users/${id}`)).json.name).not.toBe('lost')
  })

  test('between two statements of a transaction fails the transaction alone', async () => {
    const url = await databaseForTest('postgres')
    const [db, admin] = [await openOne(url), await connectForTest(url)]
    const work = db.transaction().execute(async (trx) => {
      await insertTeam(trx, 'a')
      await terminate(admin, 'true', 10_000)
      await insertTeam(trx, 'b')
    })
    await expect(work).rejects.toThrow()
    expect(await namesOfTeams(db)).toEqual([])
  })

  test('is replaced after an error that announces its end or a read-only server', async () => {
    const db = await openOne(await databaseForTest('postgres'))
    for (const code of ['08P01', '57P01', '25P03', '25P04', '25006']) {
      const before = await pidOf(db)
      const failing = raw(db, `do $$ begin raise sqlstate '${code}'; end $$`)
      await expect(failing).rejects.toMatchObject({ code })
      expect(await pidOf(db)).not.toEqual(before)
    }
  })
})

test('health checks keep their connection while they are idle', async () => {
  useFakeTimeouts()
  const { admin, service } = await openBehindProxy()
  const check = async () => {
    expect((await service.get('/readyz')).status).toBe(200)
    return (await admin.query(SESSIONS)).rows
  }
  const sessions = await check()
  vi.advanceTimersByTime(60_000)
  expect(sessions).toEqual(expect.arrayContaining(await check()))
})

test('a server that responds to no query, and then to no connection, fails each health check within a second', async () => {
  useFakeTimeouts()
  const { admin, proxy, service } = await openBehindProxy()
  expect((await service.get('/readyz')).status).toBe(200)
  for (const command of ['"kysely_migration"', 'typed-id-api']) {
    proxy.failAt(command, 'silent')
    const checking = service.get('/readyz')
    while (proxy.isFailing()) await admin.query('select')
    vi.advanceTimersByTime(1000)
    expect((await checking).status).toBe(503)
  }
  expect((await service.get('/readyz')).status).toBe(200)
})

test('a server that stops responding fails a statement one second after its timeout', async () => {
  useFakeTimeouts()
  const options = { poolSize: 1, statementTimeoutMs: 500 }
  const { admin, proxy, service } = await openBehindProxy(options)
  proxy.failAt('insert into "teams"', 'silent')
  const writing = service.post('/teams', { name: 'x' })
  const count = async () => (await admin.query('select from teams')).rowCount
  // `expect.poll` would advance the fake timers, so the statement would time
  // out early.
  while ((await count()) === 0);
  vi.advanceTimersByTime(1499)
  expect(await Promise.race([writing, count()])).toBe(1)
  vi.advanceTimersByTime(1)
  expect((await writing).status).toBe(503)
  expect((await service.get('/teams')).status).toBe(200)
})
