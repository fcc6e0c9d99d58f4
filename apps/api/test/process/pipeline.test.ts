import { execFileSync } from 'node:child_process'
import { CompiledQuery, Kysely } from 'kysely'
import pg from 'pg'
import {
  connectForTest,
  countBlocked,
  emptyDatabaseForTest,
  endOthers,
} from 'testkit/engines.ts'
import { proxyTo } from 'testkit/tcp-proxy.ts'
import { expect, onTestFinished, test } from 'vitest'
import { isUnavailable } from '../../src/database/driver-errors.ts'
import { PipelineDialect } from '../../src/database/pipeline/dialect.ts'

interface Tables {
  t: { n: number }
}

/** A database with one shared connection for reads and one for writes. */
async function open(
  url: string,
  options: { connections?: number; stallMs?: number } = {},
) {
  const pool = new pg.Pool({ connectionString: url }).on('error', () => {})
  const client = { connectionString: url }
  const dialect = new PipelineDialect({
    client,
    pool,
    connections: 1,
    ...options,
  })
  const db = new Kysely<Tables>({ dialect })
  onTestFinished(() => db.destroy())
  return db
}

async function openEmpty(options?: Parameters<typeof open>[1]) {
  const url = await emptyDatabaseForTest('postgres')
  const admin = await connectForTest(url)
  await admin.query('create table t (n integer primary key)')
  return { url, admin, db: await open(url, options) }
}

const insert = (db: Kysely<Tables>, n: number) =>
  db.insertInto('t').values({ n }).execute()
const numbers = (db: Kysely<Tables>) =>
  db.selectFrom('t').selectAll().orderBy('n').execute()
const raw = (db: Kysely<Tables>, text: string) =>
  db.executeQuery(CompiledQuery.raw(text))

/**
 * The names of the statements that are prepared on the shared connection for
 * writes.
 */
const preparedNames = async (db: Kysely<Tables>): Promise<unknown[]> => {
  const { rows } = await raw(
    db,
    "select name, statement from pg_prepared_statements where name <> ''",
  )
  return rows.flatMap((row) =>
    String((row as { statement: string }).statement).startsWith('insert')
      ? [(row as { name: string }).name]
      : [],
  )
}

test('statements outside of transactions share the connections, and an error of one fails no other', async () => {
  const { admin, db } = await openEmpty({ connections: 2 })
  const results = await Promise.allSettled(
    Array.from({ length: 200 }, (_, n) => insert(db, n % 100)),
  )
  const rejected = results.filter(({ status }) => status === 'rejected')
  expect(rejected).toHaveLength(100)
  expect(rejected[0]).toMatchObject({ reason: { constraint: 't_pkey' } })
  expect(await numbers(db)).toHaveLength(100)
  const { rows } = await admin.query(
    'select count(*)::int as n from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
  )
  expect(rows).toEqual([{ n: 3 }]) // two for writes, and one of those for reads
})

test('a transaction has its own connection, and is rolled back by an error', async () => {
  const { db } = await openEmpty()
  const failing = db.transaction().execute(async (trx) => {
    await insert(trx, 1)
    expect(await numbers(db)).toEqual([])
    expect(await numbers(trx)).toEqual([{ n: 1 }])
    throw new Error('changed my mind')
  })
  await expect(failing).rejects.toThrow('changed my mind')
  await db.transaction().execute((trx) => insert(trx, 2))
  expect(await numbers(db)).toEqual([{ n: 2 }])
})

test('a read does not wait for a write that waits for a lock', async () => {
  const { admin, db } = await openEmpty()
  await admin.query('begin; lock table t in share mode')
  const write = insert(db, 1)
  expect(await numbers(db)).toEqual([])
  await admin.query('commit')
  await write
})

test('a statement is prepared once, under a name that is the same in every process', async () => {
  const { db, url } = await openEmpty()
  const other = await open(url)
  for (const [n, each] of [db, other, db, other].entries())
    await insert(each, n)
  const names = await preparedNames(db)
  expect(names).toEqual([expect.stringMatching(/^[\w-]{43}$/)])
  expect(await preparedNames(other)).toEqual(names)
})

// The connection is changed as a pooler does it between two statements.
test.each([
  [
    'that the connection has lost',
    async (db: Kysely<Tables>) => insert(db, 1),
    () => 'deallocate all',
  ],
  [
    'that another process has prepared there',
    async () => {},
    (name: unknown) => `prepare "${name}" as insert into t (n) values ($1)`,
  ],
])(
  'a prepared statement %s is sent again without a name, and runs once',
  async (_, before, change) => {
    const { db, url } = await openEmpty()
    await insert(db, 0)
    const [name] = await preparedNames(db)
    const changed = await open(url)
    await before(changed)
    await raw(changed, change(name))
    await insert(changed, 2)
    await insert(changed, 3)
    expect((await numbers(db)).map(({ n }) => n).filter((n) => n > 1)).toEqual([
      2, 3,
    ])
  },
)

test('a lost connection fails the write that it has sent, repeats the read, and is opened again', async () => {
  const { admin, db } = await openEmpty()
  await insert(db, 1)
  await admin.query('begin; lock table t')
  const write = insert(db, 2).catch((error) => error)
  const read = numbers(db)
  await expect.poll(() => countBlocked(admin)).toBe(2)
  await endOthers(admin)
  expect(isUnavailable(await write)).toBe(true)
  await admin.query('commit')
  expect(await read).toEqual([{ n: 1 }])
  expect(await numbers(db)).toEqual([{ n: 1 }])
  await insert(db, 3)
})

test('a server that stops responding fails the statements that wait for it', async () => {
  const url = await emptyDatabaseForTest('postgres')
  const proxy = await proxyTo(url)
  onTestFinished(proxy.close)
  const db = await open(proxy.url, { stallMs: 500 })
  proxy.failAt('insert into "t"', 'silent')
  const error = await insert(db, 1).catch((error) => error)
  expect(isUnavailable(error)).toBe(true)
  expect((await raw(db, 'select 1 as one')).rows).toEqual([{ one: 1 }])
})

test('a connection to a server that has become read-only is closed: the next write looks for the primary', async () => {
  const { admin, db, url } = await openEmpty()
  const name = new URL(url).pathname.slice(1)
  await admin.query(
    `alter database ${name} set default_transaction_read_only = on`,
  )
  const readOnly = { code: '25006' }
  await expect(insert(db, 1)).rejects.toMatchObject(readOnly)
  await admin.query(
    `alter database ${name} reset default_transaction_read_only`,
  )
  await insert(db, 1)
})

test('a write on a connection that the server has closed because it was idle is sent again', async () => {
  const { admin, url } = await openEmpty()
  await admin.query(
    `alter database ${new URL(url).pathname.slice(1)} set idle_session_timeout = '300ms'`,
  )
  const db = await open(url)
  await insert(db, 1)
  // This process reads nothing meanwhile, so the write is sent before the end
  // of the connection is noticed.
  const waitForEnd = `
    const client = new (require('pg').Client)(${JSON.stringify(url)})
    const text = "select from pg_stat_activity where datname = current_database() and query like 'insert%'"
    client.connect().then(async () => {
      await client.query('set idle_session_timeout = 0')
      while ((await client.query(text)).rowCount > 0);
      await client.end()
    })`
  execFileSync(process.execPath, ['-e', waitForEnd], {
    cwd: import.meta.dirname,
  })
  await insert(db, 2)
  expect(await numbers(db)).toEqual([{ n: 1 }, { n: 2 }])
})
