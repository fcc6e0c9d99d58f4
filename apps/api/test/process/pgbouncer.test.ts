import { connectForTest, databaseForTest, emptyDatabaseForTest } from 'testkit/engines.ts'
import { hasPgbouncer, type PgbouncerOptions, startPgbouncer } from 'testkit/pgbouncer.ts'
import { startServiceForTest } from 'testkit/service-process.ts'
import { findDifferences, REQUESTS_PER_TURN, recordTranscripts, type Transcript } from 'testkit/transcript.ts'
import { describe, expect, onTestFinished, test } from 'vitest'
import { UnavailableError } from '../../src/errors.ts'
import { createUser } from '../../src/profile-a/store/users.ts'
import { operatorErrorOf, startAndStop } from '../support/commands.ts'
import { openForTest } from '../support/http-fixture.ts'

const isSkipped = !hasPgbouncer()

async function pgbouncerForTest(options: PgbouncerOptions, database = databaseForTest('postgres')) {
  const direct = await database
  const pooler = await startPgbouncer(direct, options)
  onTestFinished(pooler.stop)
  return { direct, url: pooler.url }
}

describe.skipIf(isSkipped)('two instances that share server connections of PgBouncer', () => {
  test('never run a statement of the other instance', async () => {
    const { direct, url } = await pgbouncerForTest({ mode: 'transaction', serverConnections: 2 })
    const env = { DATABASE_URL: url, DATABASE_POOL_SIZE: '1', MIGRATE: 'never' }
    const reader = await startServiceForTest(env)
    const writer = await startServiceForTest(env)
    const observer = await connectForTest(direct)
    const db = await openForTest(direct)
    const create = (email: string) =>
      db.write((tx) => createUser(tx, { email, name: 'Victim', password_hash: 'x', team_id: null }))
    const [victim, other] = [(await create('victim@example.com')).id, (await create('other@example.com')).id]

    // Each instance prepares its first statement on another server connection: the transaction holds the first one.
    expect((await reader.get(`/users/${victim}`)).status).toBe(200)
    const holder = await connectForTest(url)
    await holder.query('begin')
    expect((await writer.delete(`/users/${other}`)).status).toBe(204)

    const { status, json } = await reader.get(`/users/${victim}`)
    await holder.query('rollback')
    const stored = await observer.query('select id from users')
    expect(stored.rows, 'the rows after a GET').toEqual([{ id: victim }])
    expect({ status, json }).toMatchObject({ status: 200, json: { id: victim, name: 'Victim' } })
  })
})

describe.skipIf(isSkipped)('two instances respond to mixed requests as without PgBouncer', () => {
  const RECORDING = { clients: 16, turns: 4 }

  async function recordAt(url: string): Promise<Transcript[]> {
    const env = { DATABASE_URL: url, DATABASE_POOL_SIZE: '4' }
    const services = await Promise.all([startServiceForTest(env), startServiceForTest(env)])
    return recordTranscripts(
      services.map((service) => service.url),
      RECORDING,
    )
  }
  let expected: Promise<Transcript[]>

  test.each<PgbouncerOptions>([
    // Fewer server connections than the pools have connections, so that they are shared.
    { mode: 'transaction', serverConnections: 3 },
    { mode: 'session', serverConnections: 10 },
  ])('in $mode mode', async (options) => {
    expected ??= recordAt(await emptyDatabaseForTest('postgres'))
    const actual = await recordAt((await pgbouncerForTest(options, emptyDatabaseForTest('postgres'))).url)
    expect((await expected).flat()).toHaveLength(RECORDING.clients * RECORDING.turns * REQUESTS_PER_TURN)
    expect(findDifferences(actual, await expected)).toEqual([])
  })
})

describe.skipIf(isSkipped)('timeouts behind PgBouncer', () => {
  test.each(['transaction', 'session'] as const)(
    'are those of the database in %s mode, since PgBouncer ignores the startup parameters',
    async (mode) => {
      const { direct, url } = await pgbouncerForTest({ mode, serverConnections: 2 })
      const admin = await connectForTest(direct)
      const name = new URL(direct).pathname.slice(1)
      await admin.query(`alter database ${name} set statement_timeout = '100ms'`)
      await admin.query(`alter database ${name} set idle_in_transaction_session_timeout = '100ms'`)
      const db = await openForTest(url, { statementTimeoutMs: 60_000 })

      await admin.query('begin; lock table teams')
      const blocked = db.execute({ sql: 'select id from teams', name: '' }, [])
      await expect(blocked).rejects.toThrow(new UnavailableError('57014'))
      await admin.query('rollback')

      const sleeping =
        "select from pg_stat_activity where datname = current_database() and state = 'idle in transaction'"
      const idle = db.write(async (tx) => {
        await tx.execute({ sql: 'select id from teams', name: '' }, [])
        await expect.poll(async () => (await admin.query(sleeping)).rowCount).toBe(0)
        await tx.execute({ sql: 'select id from teams', name: '' }, [])
      })
      await expect(idle).rejects.toThrow(UnavailableError)
      expect(await db.execute({ sql: 'select id from teams', name: '' }, [])).toEqual([])
    },
  )
})

test.skipIf(isSkipped)('names the startup parameter that PgBouncer rejects', async () => {
  const { url } = await pgbouncerForTest({
    mode: 'transaction',
    serverConnections: 1,
    ignoredParameters: [],
  })
  expect(await operatorErrorOf(startAndStop({ DATABASE_URL: url }))).toMatch(
    /^DATABASE_URL: cannot use .*: unsupported startup parameter: statement_timeout/,
  )
})
