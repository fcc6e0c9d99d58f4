import {
  connectForTest,
  countBlocked,
  databaseForTest,
  emptyDatabaseForTest,
} from 'testkit/engines.ts'
import { startPostgres } from 'testkit/postgres.ts'
import { runCommand } from 'testkit/process.ts'
import { startTcpProxy } from 'testkit/tcp-proxy.ts'
import { describe, expect, onTestFinished, test } from 'vitest'
import { UserId } from '../../src/ids.ts'
import { operatorErrorOf, startAndStop } from '../support/commands.ts'
import { serviceAt, storedUser } from '../support/http-fixture.ts'

async function open(options: Parameters<typeof serviceAt>[1] = {}) {
  const url = await databaseForTest('postgres')
  const service = await serviceAt(url, options)
  return { url, service, db: service.db, other: await connectForTest(url) }
}

/**
 * Makes the first inserts into teams fail. A sequence counts them, because a
 * rollback does not reset it.
 */
const failingInserts = (code: string, count: number) => `
  create sequence attempts;
  create function fail() returns trigger language plpgsql as
    $$ begin if nextval('attempts') <= ${count} then raise sqlstate '${code}'; end if; return new; end $$;
  create trigger fail before insert on teams for each row execute function fail()`

describe('a write', () => {
  test.each(['40001', '40P01'])(
    'that PostgreSQL rolls back for a concurrent one (%s) is repeated, and succeeds',
    async (code) => {
      const { other, service } = await open()
      await other.query(failingInserts(code, 1))
      expect((await service.post('/teams', { name: 'x' })).status).toBe(201)
      expect(
        (await other.query('select last_value::int as n from attempts')).rows,
      ).toEqual([{ n: 2 }])
    },
  )
})

describe('the assignment of a role', () => {
  test.each([
    ['role', 'Role not found'],
    ['user', 'User not found'],
  ] as const)(
    'whose %s another transaction deletes meanwhile responds 404 "%s"',
    async (deleted, detail) => {
      const { other, service } = await open()
      const ids = {
        user: (await storedUser(service)).id,
        role: (await service.post('/roles', { name: 'x' })).json.id,
      }
      await other.query('begin')
      await other.query(`delete from ${deleted}s where id = $1`, [ids[deleted]])
      const assigning = service.post(`/users/${ids.user}/roles/${ids.role}`)
      await expect.poll(() => countBlocked(other)).toBe(1)
      await other.query('commit')
      expect(await assigning).toMatchObject({ status: 404, json: { detail } })
    },
  )
})

describe('concurrent requests', () => {
  test('for other rows are not delayed by nine that wait for a locked row, with the default of ten connections', async () => {
    const { other, service } = await open()
    const { id } = await storedUser(service)
    const free = await storedUser(service)
    await other.query('begin')
    await other.query('select from users where id = $1 for update', [id])
    const blocked = Array.from({ length: 9 }, () =>
      service.patch(`/users/${id}`, { name: 'blocked' }),
    )
    await expect.poll(() => countBlocked(other)).toBe(9)
    const responses = await Promise.all([
      ...['a', 'b'].map((name) => service.post('/roles', { name })),
      service.patch(`/users/${free.id}`, { name: 'free' }),
      service.get(`/users/${id}`),
      service.get('/readyz'),
    ])
    expect(responses.map(({ status }) => status)).toEqual([
      201, 201, 200, 200, 200,
    ])
    expect(await countBlocked(other)).toBe(9)
    await other.query('commit')
    for (const { status, json } of await Promise.all(blocked))
      expect([status, json.name]).toEqual([200, 'blocked'])
  })

  test('share a statement for reads of one kind, and each receives its own row', async () => {
    let packets = 0
    const proxy = await startTcpProxy(
      await databaseForTest('postgres'),
      (client, server) => {
        client.on('data', (data) => {
          packets += 1
          server.write(data)
        })
        server.on('data', (data) => client.write(data))
      },
    )
    onTestFinished(proxy.close)
    const service = await serviceAt(proxy.url)
    const users = await Promise.all(
      Array.from({ length: 30 }, () => storedUser(service)),
    )
    const paths = [
      ...users.map(({ id }) => id),
      UserId.generate(),
      users[0].id,
    ].map((id) => `/users/${id}`)
    const read = () => Promise.all(paths.map((path) => service.get(path)))
    // Opens the connections of the pool, so that only reads are counted below.
    await read()
    packets = 0
    const responses = await read()
    expect(packets).toBeLessThanOrEqual(3)
    expect(responses.map(({ json }) => json)).toEqual([
      ...users,
      { detail: 'User not found' },
      users[0],
    ])
  })
})

test('a server that is stopped and started makes requests and /readyz respond 503 until it is back', async () => {
  const server = await startPostgres()
  onTestFinished(server.stop)
  const service = await serviceAt(server.url)
  const statuses = async () => {
    const responses = ['/teams', '/readyz', '/healthz'].map((path) =>
      service.get(path),
    )
    return (await Promise.all(responses)).map(({ status }) => status)
  }
  expect(await statuses()).toEqual([200, 200, 200])
  await server.pause()
  expect(await statuses()).toEqual([503, 503, 200])
  await server.resume()
  expect(await statuses()).toEqual([200, 200, 200])
})

describe('limits', () => {
  test.each([1, 3])(
    'a service with DATABASE_POOL_SIZE=%i opens at most so many connections',
    async (poolSize) => {
      const { db, other, service } = await open({ poolSize })
      const transactions = Array.from({ length: 10 }, () =>
        db
          .transaction()
          .execute((trx) => trx.selectFrom('teams').select('id').execute()),
      )
      const writes = Array.from({ length: 10 }, () =>
        service.post('/teams', { name: 'x' }),
      )
      await Promise.all([
        ...transactions,
        ...writes,
        service.get('/teams'),
        service.get('/roles'),
      ])
      const count =
        'select from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()'
      expect((await other.query(count)).rowCount).toBe(poolSize)
    },
  )

  test('writes of a locked row that occupy every connection respond 503 after lock_timeout, and /readyz waits for it', async () => {
    const { other, service } = await open({ poolSize: 2 })
    const { id } = await storedUser(service)
    await other.query('begin')
    await other.query('select from users for update')
    const writes = [1, 2].map((n) =>
      service.patch(`/users/${id}`, { name: `${n}` }),
    )
    await expect.poll(() => countBlocked(other)).toBe(2)
    expect((await service.get('/readyz')).status).toBe(200)
    expect((await Promise.all(writes)).map(({ status }) => status)).toEqual([
      503, 503,
    ])
    await other.query('rollback')
    expect((await service.patch(`/users/${id}`, { name: '3' })).status).toBe(
      200,
    )
  })

  test('a statement that exceeds its timeout responds 503', async () => {
    const { other, service } = await open({ statementTimeoutMs: 200 })
    await other.query('begin')
    await other.query('lock table teams')
    expect((await service.get('/teams')).status).toBe(503)
    await other.query('rollback')
    expect((await service.get('/teams')).status).toBe(200)
  })
})

describe('the schema', () => {
  test('is only checked with MIGRATE=never, and migrated by the command', async () => {
    const env = { DATABASE_URL: await emptyDatabaseForTest('postgres') }
    expect(
      await operatorErrorOf(startAndStop({ ...env, MIGRATE: 'never' })),
    ).toMatch(/^DATABASE_URL: .*lacks the migration 0001-initial.*migrate"$/)
    expect(await runCommand(env, ['migrate'])).toMatchObject({ code: 0 })
    await startAndStop({ ...env, MIGRATE: 'never' })
  })
})
