import { createServer, type Socket } from 'node:net'
import { CompiledQuery, sql } from 'kysely'
import {
  connectForTest,
  countBlocked,
  databaseForTest,
  emptyDatabaseForTest,
  endOthers,
} from 'testkit/engines.ts'
import { runService } from 'testkit/process.ts'
import { startServiceForTest } from 'testkit/service-for-test.ts'
import { listenLocally } from 'testkit/sockets.ts'
import { proxyTo, startTcpProxy } from 'testkit/tcp-proxy.ts'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import type { OpenDatabase } from '../../src/database/open.ts'
import { TeamId } from '../../src/ids.ts'
import { openForTest, serviceAt, storedUser } from '../support/http-fixture.ts'

type Db = OpenDatabase['db']

const insertTeam = (db: Db, name: string) =>
  db.insertInto('teams').values({ id: TeamId.generate(), name }).execute()
const raw = (db: Db, text: string) => db.executeQuery(CompiledQuery.raw(text))

async function namesOfTeams(db: Db): Promise<unknown[]> {
  const rows = await db.selectFrom('teams').select('name').execute()
  return rows.map(({ name }) => name).sort()
}

/**
 * Returns the names of the inserts that the connection of `db` has prepared.
 */
async function preparedNames(db: Db): Promise<unknown[]> {
  const { rows } = await sql<{ name: string }>`
    select name from pg_prepared_statements
    where name <> '' and statement like 'insert into "teams"%'`.execute(db)
  return rows.map(({ name }) => name)
}

/**
 * Opens a database with a single connection, so that a test can change its
 * session.
 */
const openOne = (url: string) => openForTest(url, { poolSize: 1 })

describe('a statement with parameters', () => {
  test('is prepared once for a connection, in transactions too, under a name that is the same in every process', async () => {
    const url = await databaseForTest('postgres')
    const [{ db }, { db: other }] = [await openOne(url), await openOne(url)]
    await insertTeam(db, 'a')
    await db.transaction().execute((trx) => insertTeam(trx, 'b'))
    await insertTeam(other, 'c')
    const names = await preparedNames(db)
    expect(names).toEqual([expect.stringMatching(/^[\w-]{43}$/)])
    expect(await preparedNames(other)).toEqual(names)
  })

  test('has no name when the connection has prepared 200 others', async () => {
    const { db } = await openOne(await databaseForTest('postgres'))
    for (let n = 0; n < 200; n += 1)
      await sql`select ${n}::int as ${sql.ref(`n${n}`)}`.execute(db)
    await insertTeam(db, 'a')
    expect(await preparedNames(db)).toEqual([])
    expect(await namesOfTeams(db)).toEqual(['a'])
  })

  test('gets a name again after ten minutes at most, when a connection in use is replaced', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    onTestFinished(() => void vi.useRealTimers())
    const { db } = await openOne(await databaseForTest('postgres'))
    const use = async () =>
      (await raw(db, 'select pg_backend_pid()')).rows[0] as object
    const first = await use()
    // Uses the connection every 5 seconds: the pool closes it after ten idle
    // seconds.
    for (let seconds = 0; seconds < 600; seconds += 5) {
      expect(await use()).toEqual(first)
      vi.advanceTimersByTime(5000)
    }
    expect(await use()).not.toEqual(first)
  })

  // Changes the session of a connection as PgBouncer does between two
  // transactions.
  describe.each([
    [
      'that the connection has lost (26000)',
      async (db: Db) => void (await insertTeam(db, 'a')),
      () => 'deallocate all',
    ],
    [
      'that another client has prepared there (42P05)',
      async () => {},
      (name: unknown) =>
        `prepare "${name}" as insert into teams (id, name) values ($1, $2)`,
    ],
  ])('%s', (_, before, change) => {
    async function openChanged() {
      const url = await databaseForTest('postgres')
      const { db: other } = await openOne(url)
      await insertTeam(other, 'other')
      const [name] = await preparedNames(other)
      const { db } = await openOne(url)
      await before(db)
      await raw(db, change(name))
      await raw(other, 'delete from teams')
      return { url, db, name }
    }

    test('is sent again without a name, and runs once', async () => {
      const { db } = await openChanged()
      await insertTeam(db, 'b')
      await insertTeam(db, 'c')
      expect(await namesOfTeams(db)).toEqual(['b', 'c'])
    })

    test('gets its name again on the next connection', async () => {
      const { url, db, name } = await openChanged()
      await insertTeam(db, 'b')
      await endOthers(await connectForTest(url))
      await expect.poll(() => insertTeam(db, 'c').catch(() => 0)).not.toBe(0)
      expect(await preparedNames(db)).toEqual([name])
    })

    test('fails a transaction, which stores nothing, and not the next one', async () => {
      const { db } = await openChanged()
      const insertTwo = () =>
        db.transaction().execute(async (trx) => {
          await trx
            .updateTable('teams')
            .set({ name: 'x' })
            .where('name', '=', 'b')
            .execute()
          await insertTeam(trx, 'b')
        })
      await expect(insertTwo()).rejects.toThrow(/prepared statement/)
      expect(await namesOfTeams(db)).toEqual([])
      await insertTwo()
      expect(await namesOfTeams(db)).toEqual(['b'])
    })
  })

  test('whose result has other types after a change of the schema returns the new ones', async () => {
    const url = await emptyDatabaseForTest('postgres')
    const admin = await connectForTest(url)
    await admin.query('create table t (n integer); insert into t values (1)')
    const { db } = await openOne(url)
    const read = async (on: Db) =>
      (await on.selectFrom('t').selectAll().where('n', '=', 1).execute())[0]
    expect(await read(db)).toEqual({ n: 1 })
    await admin.query("alter table t add column note text default 'new'")
    await expect(db.transaction().execute(read)).rejects.toThrow(/cached plan/)
    expect(await read(db)).toEqual({ n: 1, note: 'new' })
    await admin.query('alter table t drop column note')
    expect(await read(db)).toEqual({ n: 1 })
  })
})

test('a connection has its timeouts and its name', async () => {
  const url = await databaseForTest('postgres')
  const { db } = await openForTest(url, { statementTimeoutMs: 1234 })
  const names = [
    'statement_timeout',
    'idle_in_transaction_session_timeout',
    'lock_timeout',
    'application_name',
  ]
  const settings = names.map(async (name) => {
    const query = sql<{
      value: string
    }>`select current_setting(${name}) as value`
    return (await query.execute(db)).rows[0]?.value
  })
  expect(await Promise.all(settings)).toEqual([
    '1234ms',
    '1234ms',
    '2s',
    'typed-id-api',
  ])
})

describe('a lost connection', () => {
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
    await admin.query(
      "select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
    )
    expect((await lost).status).toBe(503)
    const statuses = (await Promise.all(others)).map(({ status }) => status)
    expect(new Set(statuses)).toEqual(new Set([201]))
    await admin.query('rollback')
    expect((await service.get('/readyz')).status).toBe(200)
    expect((await service.get(`/users/${id}`)).json.name).not.toBe('lost')
    expect((await service.get('/teams')).json).toHaveLength(20)
  })

  test('between two statements of a transaction fails the transaction alone', async () => {
    const url = await databaseForTest('postgres')
    const [{ db }, admin] = [await openOne(url), await connectForTest(url)]
    const work = db.transaction().execute(async (trx) => {
      await insertTeam(trx, 'a')
      await endOthers(admin)
      // Gives the client time to learn that its connection ended.
      await admin.query('select')
      await insertTeam(trx, 'b')
    })
    await expect(work).rejects.toThrow()
    expect(await namesOfTeams(db)).toEqual([])
  })

  test('to a server that has become read-only: the next write connects again, and finds the primary', async () => {
    const url = await databaseForTest('postgres')
    const admin = await connectForTest(url)
    const name = new URL(url).pathname.slice(1)
    const set = (value: string) =>
      admin.query(`alter database ${name} ${value}`)
    await set('set default_transaction_read_only = on')
    const { db } = await openOne(url)
    await expect(insertTeam(db, 'a')).rejects.toMatchObject({ code: '25006' })
    await set('reset default_transaction_read_only')
    await insertTeam(db, 'a')
  })

  test('is replaced after the error that announces its end', async () => {
    const { db } = await openOne(await databaseForTest('postgres'))
    const pid = async () =>
      Object.values(
        (await raw(db, 'select pg_backend_pid()')).rows[0] as object,
      )
    const pids = await pid()
    for (const code of ['08P01', '57P01', '25P03', '25P04']) {
      const failing = raw(db, `do $$ begin raise sqlstate '${code}'; end $$`)
      await expect(failing).rejects.toMatchObject({ code })
      pids.push(...(await pid()))
    }
    expect(new Set(pids).size).toBe(5)
  })
})

describe('a server that stops responding', () => {
  /**
   * Opens a database behind a proxy that drops the response to the first insert
   * of a team.
   */
  async function openSilent() {
    const url = await databaseForTest('postgres')
    const proxy = await proxyTo(url)
    onTestFinished(proxy.close)
    proxy.failAt('insert into "teams"', 'silent')
    return { DATABASE_URL: proxy.url, admin: await connectForTest(url) }
  }

  test('fails a statement one second after its timeout, and loses the connection', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    onTestFinished(() => void vi.useRealTimers())
    const { DATABASE_URL, admin } = await openSilent()
    const options = { poolSize: 1, statementTimeoutMs: 500 }
    const service = await serviceAt(DATABASE_URL, options)
    let isPending = true
    const writing = service.post('/teams', { name: 'x' }).finally(() => {
      isPending = false
    })
    const count = async () => (await admin.query('select from teams')).rowCount
    // Not `expect.poll`, which would advance the fake timers.
    while ((await count()) === 0);
    vi.advanceTimersByTime(1499)
    await count() // gives a response time to arrive
    expect(isPending).toBe(true)
    vi.advanceTimersByTime(1)
    expect((await writing).status).toBe(503)
    expect((await service.get('/teams')).status).toBe(200)
  })

  test('does not delay the end of the service beyond STOP_TIMEOUT_MS', async () => {
    const { DATABASE_URL, admin } = await openSilent()
    const service = await startServiceForTest({
      DATABASE_URL,
      STOP_TIMEOUT_MS: '500',
      DATABASE_STATEMENT_TIMEOUT_MS: '3600000',
    })
    const writing = service.post('/teams', { name: 'x' }).catch(() => 'aborted')
    const count = 'select from teams'
    await expect.poll(async () => (await admin.query(count)).rowCount).toBe(1)
    expect(await service.stop('SIGTERM')).toBe(0)
    expect(await writing).toBe('aborted')
  })

  test('does not keep a start from ending whose port is in use', async () => {
    const clients = new Set<Socket>()
    const { url, close } = await startTcpProxy(
      await databaseForTest('postgres'),
      (client, server) => {
        clients.add(client)
        server.pipe(client)
        client.on('data', (data) => {
          server.write(data)
          // The message Terminate ends the connection of the migrations. After
          // it, pauses all connections, so that the server does not even see
          // them close.
          if (data.includes('X\0\0\0\x04'))
            for (const each of clients) each.pause()
        })
      },
    )
    onTestFinished(close)
    const env = { DATABASE_URL: url, PORT: new URL(url).port }
    expect(await runService(env)).toEqual({
      code: 1,
      stderr: expect.stringMatching(/^HOST, PORT: listen EADDRINUSE[^\n]*\n$/),
    })
  })

  test('makes a start end with one line', async () => {
    const silent = createServer()
    const port = await listenLocally(silent)
    onTestFinished(() => void silent.close())
    const DATABASE_URL = `postgres://user:secret@127.0.0.1:${port}/users`
    expect(await runService({ DATABASE_URL })).toEqual({
      code: 1,
      stderr: expect.stringMatching(
        /^DATABASE_URL: cannot use postgres:\/\/127\.0\.0\.1:\d+\/users: [^\n]*timeout[^\n]*\n$/,
      ),
    })
  })
})
