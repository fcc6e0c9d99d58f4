import pg from 'pg'
import { hasPgbouncer, startPgbouncer } from 'testkit/pgbouncer.ts'
import { freePorts } from 'testkit/ports.ts'
import { type Server, startPostgres } from 'testkit/sockets/start-postgres.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { printConversion } from './convert-database.ts'

const COLUMNS = ['users.id=user', 'teams.id=team']
const files = { up: await printConversion(COLUMNS), down: await printConversion(COLUMNS, 'uuid') }

let server: Server
let port: number

beforeAll(async () => {
  port = (await freePorts(1))[0] ?? 0
  server = await startPostgres(undefined, {
    isDurable: true,
    flags: ['-c', 'listen_addresses=127.0.0.1', '-c', `port=${port}`],
  })
  const admin = await connect({ ...server.connection, port })
  await admin.query(`create table teams (id uuid primary key);
    create table users (id uuid primary key, team_id uuid not null references teams on delete cascade);
    insert into teams select gen_random_uuid() from generate_series(1, 100);
    insert into users select gen_random_uuid(), id from teams, generate_series(1, 100)`)
  await admin.end()
})
afterAll(() => server.stop())

async function connect(connection: pg.ClientConfig): Promise<pg.Client> {
  const client = new pg.Client(connection)
  client.on('error', () => {}) // the server ends all connections when one of its processes is killed
  await client.connect()
  return client
}

/** Counts the users with a team and hashes their ids, also while the server recovers from a crash. */
async function readIds(connection: pg.ClientConfig) {
  for (;;) {
    const client = await connect(connection).catch(() => undefined)
    const result = await client
      ?.query(`select count(*), sum(hashtextextended(right(u.id::text, 36) || right(t.id::text, 36), 0)) as keys,
        min(pg_typeof(u.id)::text) as type from users u join teams t on t.id = u.team_id`)
      .catch(() => undefined)
    await client?.end()
    if (result) return result.rows[0]
  }
}

test('is complete or has changed nothing when the server is killed at ten moments', async () => {
  const connection = { ...server.connection, port }
  const before = await readIds(connection)
  let moments = 0
  for (let moment = 1; moment <= 10; moment++) {
    const { type } = await readIds(connection)
    const client = await connect(connection)
    const { pid } = (await client.query('select pg_backend_pid() as pid')).rows[0]
    let notices = 0
    const ended = new Promise((resolve) => client.once('end', resolve))
    client.on('notice', () => {
      if (++notices !== moment) return
      moments++
      process.kill(pid, 'SIGKILL')
    })
    await client.query(type === 'uuid' ? files.up : files.down).catch(() => {})
    if (moments < moment) await client.end()
    await ended
    const after = await readIds(connection)
    expect(after).toMatchObject({ count: before.count, keys: before.keys })
    expect(['uuid', 'user_id']).toContain(after.type)
  }
  expect(moments).toBeGreaterThanOrEqual(8)
}, 600_000)

test.skipIf(!hasPgbouncer())(
  'runs through PgBouncer in transaction mode, and leaves its connection as it was',
  async () => {
    const pool = await startPgbouncer(`postgres://postgres:x@127.0.0.1:${port}/postgres`, {
      mode: 'transaction',
      serverConnections: 1,
    })
    const connection = { connectionString: pool.url }
    const client = await connect(connection)
    const state = `select current_setting('search_path') as path, current_setting('lock_timeout') as timeout,
    current_setting('row_security') as security, pg_backend_pid() as pid,
    (select count(*) from pg_proc where proname ~ '^typed_id') as procedures`
    const before = await readIds(connection)
    const settings = (await client.query(state)).rows
    await client.query(before.type === 'uuid' ? files.up : files.down)
    const other = await connect(connection)
    expect((await other.query(state)).rows).toEqual(settings)
    const after = await readIds(connection)
    expect(after).toMatchObject({ count: before.count, keys: before.keys })
    expect(after.type).not.toBe(before.type)
    await client.end()
    await other.end()
    await pool.stop()
  },
)
