import { setTimeout as pause } from 'node:timers/promises'
import Sqlite from 'better-sqlite3'
import { CompiledQuery, Kysely, sql } from 'kysely'
import { fileOf, freshDatabase } from 'testkit/engines.ts'
import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { GroupCommitDialect } from '../../src/database/group-commit/dialect.ts'
import type { GroupCommitConfig } from '../../src/database/group-commit/driver.ts'
import {
  preparing,
  waitForLock,
} from '../../src/database/group-commit/statements.ts'
import { migrate } from '../../src/database/migrate.ts'

interface Tables {
  t: { n: number }
}

const SHORT_MS = 200
/** A timeout longer than a test takes on a busy machine. */
const NEVER_MS = 600_000

let file: string
let statements: unknown[]
let writer: Sqlite.Database
let reader: Sqlite.Database
let db: Kysely<Tables>
let other: Sqlite.Database

const connect = (verbose?: (sql: unknown) => void) => {
  const connection = new Sqlite(file, { verbose })
  connection.pragma('journal_mode = WAL')
  return connection
}
const on = (config: GroupCommitConfig) =>
  new Kysely<Tables>({ dialect: new GroupCommitDialect(config) })

function useShortTimeout(): void {
  db = on({ writer, reader, timeoutMs: SHORT_MS })
}

beforeEach(async () => {
  const { url, drop } = await freshDatabase('sqlite-file')
  file = fileOf(url)
  other = connect()
  other.exec('create table t (n integer primary key)')
  statements = []
  writer = connect((sql) => statements.push(sql))
  reader = connect()
  db = on({ writer, reader, timeoutMs: NEVER_MS })
  return async () => {
    await db.destroy()
    other.close()
    await drop()
  }
})

const insert = (n: number, trx = db) =>
  trx.insertInto('t').values({ n }).execute()
/** Inserts in a transaction, which is a savepoint of its group. */
const insertInside = (n: number, on = db) =>
  on.transaction().execute((trx) => insert(n, trx))
const select = (on = db) => on.selectFrom('t').selectAll().execute()

const run = (sql: string, on = db) => on.executeQuery(CompiledQuery.raw(sql))
const storedNumbers = () =>
  other.prepare('select n from t order by n').pluck().all()
const rejection = (code: string) => ({
  status: 'rejected',
  reason: { code: `SQLITE_${code}` },
})
/** Runs microtasks, in the same turn of the event loop. */
async function runMicrotasks(): Promise<void> {
  for (let n = 0; n < 100; n += 1) await Promise.resolve()
}

describe('a group', () => {
  test.each([
    ['of statements', insert],
    ['of transactions', insertInside],
  ])(
    '%s of one turn of the event loop rolls a failed write back alone, and rejects it with its error',
    async (_, write) => {
      const fulfilled = { status: 'fulfilled' }
      const later = runMicrotasks().then(() => write(3))
      expect(
        await Promise.allSettled([write(1), write(2), write(1), later]),
      ).toMatchObject([
        fulfilled,
        fulfilled,
        rejection('CONSTRAINT_PRIMARYKEY'),
        fulfilled,
      ])
      expect(storedNumbers()).toEqual([1, 2, 3])
      const count = (sql: string) =>
        statements.filter((each) => String(each).trim().startsWith(sql)).length
      expect(count('commit')).toBe(1)
      // Each savepoint is released: an open savepoint would keep a copy of each
      // written page.
      expect(count('release member')).toBe(count('savepoint member'))
    },
  )

  test('resolves its writes after the commit: another connection sees the row at that moment', async () => {
    const seen = await Promise.all(
      Array.from({ length: 1000 }, async (_, n) => {
        await (n % 2 ? insert(n) : insertInside(n))
        return storedNumbers().includes(n)
      }),
    )
    expect(seen).toEqual(seen.map(() => true))
  })

  test('stores nothing when the check at its start fails', async () => {
    const check = () => {
      throw new Error('replaced')
    }
    await expect(insert(1, on({ writer, check }))).rejects.toThrow('replaced')
    expect(storedNumbers()).toEqual([])
  })

  const VIOLATION = 'insert or rollback into t values (1)'
  test.each([
    [
      'its commit fails',
      'FOREIGNKEY',
      () => run('insert into child values (9)'),
    ],
    [
      'a statement ends it, as a full disk does',
      'PRIMARYKEY',
      () => run(VIOLATION),
    ],
    [
      'a transaction ends it, even if its callback hides the error',
      'PRIMARYKEY',
      () =>
        db.transaction().execute(async (trx) => {
          await run(VIOLATION, trx).catch(() => {})
          await insert(5, trx).catch(() => {})
        }),
    ],
  ])(
    'rejects all of its writes and stores none when %s',
    async (_, constraint, fail) => {
      await run(
        'create table child (n references t deferrable initially deferred)',
      )
      writer.pragma('foreign_keys = on')
      const rejected = rejection(`CONSTRAINT_${constraint}`)
      expect(
        await Promise.allSettled([insert(1), fail(), insertInside(2)]),
      ).toMatchObject([rejected, rejected, rejected])
      await insert(3)
      expect(storedNumbers()).toEqual([3])
    },
  )
})

describe('a transaction', () => {
  test('reads its own writes, continues after an error that its callback handles, and is rolled back alone', async () => {
    const undone = new Error('changed my mind')
    const first = insertInside(1)
    const transaction = db.transaction().execute(async (trx) => {
      await insert(10, trx)
      await insert(10, trx).catch(() => insert(11, trx))
      expect(await select(trx)).toEqual([{ n: 1 }, { n: 10 }, { n: 11 }])
      expect(storedNumbers()).toEqual([])
      throw undone
    })
    expect(
      await Promise.allSettled([first, transaction, insert(2)]),
    ).toMatchObject([{}, { reason: undone }, {}])
    expect(storedNumbers()).toEqual([1, 2])
  })

  test.each([
    ['a statement', () => select()],
    ['a transaction', () => insertInside(2)],
  ])(
    'rejects %s of the database in its callback, which would wait for its own end',
    async (_, use: () => Promise<unknown>) => {
      let later: Promise<unknown> | undefined
      const ended = Promise.withResolvers<void>()
      const work = db.transaction().execute(async (trx) => {
        await insert(1, trx)
        await pause(1) // the context of the callback must survive a wait
        later = ended.promise.then(use)
        await use()
      })
      await expect(work).rejects.toThrow('use the argument of its callback')
      expect(storedNumbers()).toEqual([])
      ended.resolve()
      await later
    },
  )

  test('may take longer than the timeout when each pause is shorter', async () => {
    useShortTimeout()
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    onTestFinished(() => void vi.useRealTimers())
    await db.transaction().execute(async (trx) => {
      for (let n = 0; n < 3; n += 1) {
        vi.advanceTimersByTime(SHORT_MS - 1)
        await insert(n, trx)
      }
    })
    expect(storedNumbers()).toEqual([0, 1, 2])
  })

  test('that waits too long is rolled back alone, rejects later statements, and does not end the next one', async () => {
    useShortTimeout()
    const late: unknown[] = []
    const opened = Promise.withResolvers<void>()
    const slow = db.transaction().execute(async (trx) => {
      await insert(1, trx)
      await opened.promise
      await insert(3, trx).catch((error) => late.push(error))
    })
    const ended = Promise.withResolvers<void>()
    const next = db.transaction().execute(async (trx) => {
      await insert(2, trx)
      opened.resolve()
      await ended.promise
    })
    const expired = new Error(
      `the transaction was rolled back: it ran no statement for ${SHORT_MS} ms`,
    )
    await expect(slow).rejects.toEqual(expired)
    expect(late).toEqual([expired])
    ended.resolve()
    await next
    expect(storedNumbers()).toEqual([2])
  })
})

describe('while another process writes', () => {
  test('writes are rejected after the timeout, and are not stored', async () => {
    useShortTimeout()
    other.exec('begin immediate')
    const results = await Promise.allSettled([insert(2), insertInside(3)])
    other.exec('rollback')
    expect(results).toMatchObject([rejection('BUSY'), rejection('BUSY')])
    expect(storedNumbers()).toEqual([])
  })

  test.each([
    ['SQLITE_BUSY_RECOVERY', 2],
    ['SQLITE_NOTADB', 1],
  ])('an attempt that fails with %s is made %d times', async (code, times) => {
    const attempt = vi.fn().mockImplementationOnce(() => {
      throw Object.assign(new Error(), { code })
    })
    await waitForLock(attempt).catch(() => {})
    expect(attempt).toHaveBeenCalledTimes(times)
  })

  test('SQLite does not wait for the lock, because it would block the event loop', () => {
    for (const connection of [writer, reader])
      expect(connection.pragma('busy_timeout', { simple: true })).toBe(0)
  })
})

test('a write returns the number of its rows and the id of the last one', async () => {
  expect(await insert(7)).toEqual([
    { insertId: 7n, numInsertedOrUpdatedRows: 1n },
  ])
})

describe('a violated constraint has the name that PostgreSQL gives it:', () => {
  // biome-ignore lint/suspicious/noExplicitAny: other tables.
  const cases: [string, (db: Kysely<any>) => { execute(): unknown }][] = [
    ['parent_pkey', (db) => db.insertInto('parent').values({ id: 1 })],
    ['pair_a_b_key', (db) => db.insertInto('pair').values({ a: 1, b: 1 })],
    [
      'first_a_fkey',
      (db) => db.insertInto('first').values({ n: sql`1 + ${1}`, a: 3 }),
    ],
    [
      'second_b_fkey',
      (db) => db.updateTable('second').set({ b: 3 }).where('b', '=', 1),
    ],
    ['second_b_fkey', (db) => db.deleteFrom('parent').where('id', '=', 1)],
    ['first_a_fkey', (db) => db.deleteFrom('parent').where('id', '=', 2)],
  ]
  test.each(cases)('%s', async (constraint, query) => {
    writer.pragma('foreign_keys = on')
    writer.exec(`
      create table parent (id integer primary key);
      create table pair (a, b, unique (a, b));
      create table other (id integer primary key);
      create table before_first (a references other);
      create table first (a references parent, n);
      create table second (b references parent (id));
      create table other_second (a references other);
      insert into parent values (1), (2);
      insert into pair values (1, 1);
      insert into other values (2);
      insert into before_first values (2);
      insert into other_second values (2);
      insert into first values (2, 0);
      insert into second values (1)`)
    await expect(query(db).execute()).rejects.toMatchObject({ constraint })
  })
})

test('a migration that fails leaves no change of the schema', async () => {
  const up = async (on: Kysely<unknown>) => {
    await on.schema.createTable('half').addColumn('n', 'integer').execute()
    throw new Error('failed')
  }
  const migrating = migrate(db, { '0001-half': { up } }, 'sqlite')
  await expect(migrating).rejects.toThrow('failed')
  const tables = other.prepare('select name from sqlite_master').pluck().all()
  expect(tables).not.toContain('half')
})

test('destroy stores the writes that wait, closes both connections, and leaves no timer', async () => {
  const timers = () =>
    process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length
  const before = timers()
  const connections = { writer: connect(), reader: connect() }
  const second = on(connections)
  await select(second)
  await insertInside(1, second)
  const writing = insert(2, second)
  await runMicrotasks()
  await second.destroy()
  await writing
  expect(storedNumbers()).toEqual([1, 2])
  expect(timers()).toBeLessThanOrEqual(before)
  expect(connections).toMatchObject({
    writer: { open: false },
    reader: { open: false },
  })
})

test.each([
  ['with a second connection, reads run beside', true],
  ['without one, reads wait for the end of', false],
])('%s a transaction, and do not show its writes', async (_, isBeside) => {
  const second = on({
    writer: connect(),
    ...(isBeside && { reader: connect() }),
  })
  const inserted = Promise.withResolvers<void>()
  const ended = Promise.withResolvers<void>()
  const transaction = second.transaction().execute(async (trx) => {
    await insert(1, trx)
    inserted.resolve()
    await ended.promise
    throw new Error('undone')
  })
  await inserted.promise
  let isRead = false
  const read = select(second).finally(() => {
    isRead = true
  })
  await runMicrotasks()
  expect(isRead).toBe(isBeside)
  ended.resolve()
  await expect(transaction).rejects.toThrow('undone')
  expect(await read).toEqual([])
  await second.destroy()
})

test('a statement is prepared once, and again after 500 others', () => {
  const prepare = preparing(writer)
  const first = prepare('select 0')
  expect(prepare('select 0')).toBe(first)
  for (let n = 0; n < 600; n += 1) prepare(`select ${n}`)
  expect(prepare('select 0')).not.toBe(first)
})

test('a cursor is rejected, because it would keep other statements waiting', async () => {
  const cursor = db.selectFrom('t').selectAll().stream()
  await expect(cursor.next()).rejects.toThrow('does not stream')
})

test('an aborted write that waits for its turn is not stored', async () => {
  const abort = new AbortController()
  const aborted = db
    .insertInto('t')
    .values({ n: 1 })
    .execute({ signal: abort.signal })
  const started = insert(2)
  await runMicrotasks()
  abort.abort(new Error('gone'))
  await expect(aborted).rejects.toThrow('gone')
  await started
  expect(storedNumbers()).toEqual([2])
})
