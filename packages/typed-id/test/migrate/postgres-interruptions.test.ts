import type pg from 'pg'
import { describe, expect, test } from 'vitest'
import { start, waitFor } from './command.ts'
import { readRows, usePostgres } from './postgres-database.ts'

const createDatabase = usePostgres()
const TYPES = ['--type', 'users.id=user', '--type', 'teams.id=team']
const ONLINE = [...TYPES, '--strategy', 'online', '--batch', '20', '--apply']

/** The locks of this database. The tests run concurrently, each on its own. */
const HERE = 'database = (select oid from pg_database where datname = current_database())'

/** Writing a row of users takes an advisory lock, for its index. */
const WAITING_INDEX = `
  create function wait(text) returns text language plpgsql immutable
    as $$ begin perform pg_advisory_xact_lock_shared(42); return $1; end $$;
  create index on users (wait(email))`

/** Starts a migration that waits in the backfill of users until the lock is released. */
async function startBlocked(url: string, db: pg.Client) {
  await db.query(`${WAITING_INDEX}; select pg_advisory_lock(42)`)
  const running = start(['--database', url, ...ONLINE])
  await waitFor(async () => {
    const { rows } = await db.query(
      `select from pg_locks where locktype = 'advisory' and objid = 42 and not granted and ${HERE}`,
    )
    return rows.length > 0 ? true : undefined
  })
  return running
}

const INTERRUPTIONS: Record<string, (db: pg.Client, pid: number) => unknown> = {
  SIGKILL: (_, pid) => process.kill(pid, 'SIGKILL'),
  'Ctrl-C': (_, pid) => process.kill(pid, 'SIGINT'),
  'a lost connection': (db) =>
    db.query(`select pg_terminate_backend(pid) from pg_stat_activity
      where application_name = 'typed-id migrate' and datname = current_database()`),
}

describe.concurrent.each([
  ['SIGKILL', 'SIGKILL', /^$/],
  [
    'Ctrl-C',
    130,
    /^typed-id: interrupted: stopped at step 10 of 22, run the same command again to resume\n$/,
  ],
  [
    'a lost connection',
    1,
    /^typed-id: connection lost \(.+\): stopped at step 10 of 22, run the same command again to resume\n$/,
  ],
])('%s in the middle of the backfill', (name, code, message) => {
  test('leaves a run that other arguments do not touch, and the same ones complete', async () => {
    const { url, db } = await createDatabase()
    const rows = await readRows(db)
    const { child, result } = await startBlocked(url, db)
    await INTERRUPTIONS[name]?.(db, child.pid as number)
    expect(await result).toMatchObject({ code, err: expect.stringMatching(message) })
    await db.query('select pg_advisory_unlock(42)')

    expect(await start(['--database', url, '--type', 'users.id=member', '--apply']).result).toMatchObject({
      code: 1,
      err: expect.stringMatching(
        /^typed-id: the database contains a half-done migration, started with --type teams.id=team --type users.id=user .+\n$/,
      ),
    })
    // A row that was inserted in the meantime, as logical replication does: without the triggers of the application.
    await db.query('set session_replication_role = replica')
    await db.query(
      `insert into teams (id, name) values ('0190163d-8694-739b-aea5-966c26f8ad91', 'in between')`,
    )
    await db.query('reset session_replication_role')
    const resumed = await start(['--database', url, ...ONLINE]).result
    expect(resumed).toMatchObject({
      code: 0,
      err: '',
      out: expect.stringMatching(/^resuming at step 10 of 22\n/),
    })
    expect((await db.query(`select id from teams where name = 'in between'`)).rows).toEqual([
      { id: 'team-0190163d-8694-739b-aea5-966c26f8ad91' },
    ])
    await db.query(`delete from teams where name = 'in between'`)
    expect(JSON.stringify(await readRows(db)).replaceAll(/(user|team)-(?=[0-9a-f]{8}-)/g, '')).toBe(
      JSON.stringify(rows),
    )
    expect((await db.query(`select to_regclass('typed_id_migration') as name`)).rows).toEqual([
      { name: null },
    ])
  })
})

test.concurrent('Ctrl-C changes nothing with the strategy transaction', async () => {
  const { url, db } = await createDatabase()
  await db.query('begin; lock table invitations in access share mode')
  const { child, result } = start(['--database', url, ...TYPES, '--apply'])
  await waitFor(async () => {
    const { rows } = await db.query(
      `select from pg_locks where not granted and relation = 'invitations'::regclass and ${HERE}`,
    )
    return rows.length > 0 ? true : undefined
  })
  process.kill(child.pid as number, 'SIGINT')
  expect(await result).toEqual({ code: 130, out: '', err: 'typed-id: interrupted: nothing was changed\n' })
})

test.concurrent('a second run on the same database is rejected', async () => {
  const { url, db } = await createDatabase()
  await db.query(`select pg_advisory_lock(hashtext('typed-id migrate'))`)
  expect(await start(['--database', url, ...TYPES, '--apply']).result).toEqual({
    code: 1,
    out: '',
    err: 'typed-id: another typed-id migrate is running on this database\n',
  })
})
