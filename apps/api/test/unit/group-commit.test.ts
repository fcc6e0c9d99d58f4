import { setTimeout as pause } from 'node:timers/promises'
import Sqlite from 'better-sqlite3'
import { CompiledQuery, Kysely, sql } from 'kysely'
import { fileOf, freshDatabase } from 'testkit/engines.ts'
import {
  afterEach,
  beforeEach,
  describe,
  expect,
  onTestFinished,
  test,
  vi,
} from 'vitest'
import { GroupCommitDialect } from '../../src/database/group-commit/dialect.ts'
import {
  preparing,
  waitForLock,
} from '../../src/database/group-commit/statements.ts'
import { migrate } from '../../src/database/migrate.ts'

interface Tables {
  t: { n: number }
}

/** A timeout for tests that wait until it has passed. */
const SHORT_MS = 200
/** A timeout longer than a test takes on a busy machine. */
const NEVER_MS = 600_000

let file: string
let statements: unknown[]
let writer: Sqlite.Database
let reader: Sqlite.Database
let db: Kysely<Tables>
let other: Sqlite.Database
let cleanUp: () => Promise<void>

const connect = (verbose?: (sql: unknown) => void) => {
  const connection = new Sqlite(file, { verbose })
  connection.pragma('journal_mode = WAL')
  return connection
}

function open(timeoutMs: number): void {
  writer = connect((sql) => statements.push(sql))
  reader = connect()
  db = new Kysely({
    dialect: new GroupCommitDialect({ writer, reader, timeoutMs }),
  })
}

async function useShortTimeout(): Promise<void> {
  await db.destroy()
  open(SHORT_MS)
}

beforeEach(async () => {
  const { url, drop } = await freshDatabase('sqlite-file')
  file = fileOf(url)
  other = connect()
  other.exec('create table t (n integer primary key)')
  statements = []
  open(NEVER_MS)
  cleanUp = async () => {
    await db.destroy()
    other.close()
    await drop()
  }
})
afterEach(() => cleanUp())

const insert = (n: number, trx = db) =>
  trx.insertInto('t').values({ n }).execute()
/** Inserts in a transaction, which is a savepoint of its group. */
const insertInside = (n: number, on = db) =>
  on.transaction().execute((trx) => insert(n, trx))

const run = (sql: string) => db.executeQuery(CompiledQuery.raw(sql))
const storedNumbers = () =>
  other.prepare('select n from t order by n').pluck().all()
const statusesOf = (results: PromiseSettledResult<unknown>[]) =>
  results.map(({ status }) => status)

describe('a group', () => {
  test.each([
    ['of statements', insert],
    ['of transactions', insertInside],
    ['of both', (n: number) => (n === 1 ? insert(n) : insertInside(n))],
  ])(
    '%s rolls a failed write back alone, and rejects it with its error',
    async (_, write) => {
      const results = await Promise.allSettled([
        write(1),
        write(2),
        write(1),
        write(3),
      ])
      expect(statusesOf(results)).toEqual([
        'fulfilled',
        'fulfilled',
        'rejected',
        'fulfilled',
      ])
      expect(results[2]).toMatchObject({
        reason: { code: 'SQLITE_CONSTRAINT_PRIMARYKEY' },
      })
      expect(storedNumbers()).toEqual([1, 2, 3])
      const count = (sql: string) =>
        statements.filter((each) => String(each).trim().startsWith(sql)).length
      expect(count('commit')).toBe(1)
      // Each savepoint is released: an open savepoint would keep a copy of each
      // written page.
      expect(count('release member')).toBe(count('savepoint member'))
    },
  )

  test('has the writes of one turn of the event loop', async () => {
    const first = insert(1)
    for (let n = 0; n < 100; n += 1) await Promise.resolve()
    await Promise.all([first, insert(2)])
    expect(statements.filter((sql) => sql === 'commit')).toHaveLength(1)
  })

  test('resolves its writes after the commit: another connection sees the row at that moment', async () => {
    const seen = await Promise.all(
      Array.from({ length: 1000 }, async (_, n) => {
        await (n % 2 ? insert(n) : insertInside(n))
        return storedNumbers().includes(n)
      }),
    )
    expect(seen).toEqual(seen.map(() => true))
  })

  test('rejects all of its writes and stores nothing when its commit fails', async () => {
    await run(
      'create table child (n references t deferrable initially deferred)',
    )
    writer.pragma('foreign_keys = on')
    const results = await Promise.allSettled([
      insert(1),
      run('insert into child values (99)'),
      insertInside(2),
    ])
    const violated = {
      status: 'rejected',
      reason: { code: 'SQLITE_CONSTRAINT_FOREIGNKEY' },
    }
    expect(results).toMatchObject([violated, violated, violated])
    await insert(3)
    expect(storedNumbers()).toEqual([3])
  })

  test('stores nothing when the check at its start fails', async () => {
    const check = () => {
      throw new Error('replaced')
    }
    const second = new Kysely<Tables>({
      dialect: new GroupCommitDialect({ writer, check }),
    })
    await expect(insert(1, second)).rejects.toThrow('replaced')
    expect(storedNumbers()).toEqual([])
  })

  const endGroup = (trx = db) =>
    trx.executeQuery(CompiledQuery.raw('insert or rollback into t values (1)'))
  const endGroupInside = () =>
    db.transaction().execute(async (trx) => {
      // The transaction fails even if the callback hides the error.
      await endGroup(trx).catch(() => {})
      await insert(5, trx).catch(() => {})
    })
  test.each([
    ['statement', endGroup],
    ['transaction', endGroupInside],
  ])(
    'rejects all of its writes when a %s ends it, as a full disk does, and stores none',
    async (_, end) => {
      const results = await Promise.allSettled([
        insert(1),
        end(),
        insertInside(2),
      ])
      const rejected = {
        status: 'rejected',
        reason: { code: 'SQLITE_CONSTRAINT_PRIMARYKEY' },
      }
      expect(results).toMatchObject([rejected, rejected, rejected])
      await insert(3)
      expect(storedNumbers()).toEqual([3])
    },
  )
})

describe('a transaction', () => {
  test('that fails after its first statement stores nothing', async () => {
    const half = db.transaction().execute(async (trx) => {
      await insert(10, trx)
      throw new Error('changed my mind')
    })
    const results = await Promise.allSettled([insert(1), half, insert(2)])
    expect(results[1]).toMatchObject({ reason: new Error('changed my mind') })
    expect(storedNumbers()).toEqual([1, 2])
  })

  test('continues after a failed statement, whose error its callback handles', async () => {
    await db.transaction().execute(async (trx) => {
      await insert(1, trx)
      await insert(1, trx).catch(() => insert(2, trx))
    })
    expect(storedNumbers()).toEqual([1, 2])
  })

  test('reads its own writes, which the database shows after the commit', async () => {
    const seen = await db.transaction().execute(async (trx) => {
      await insert(1, trx)
      return [await trx.selectFrom('t').selectAll().execute(), storedNumbers()]
    })
    expect(seen).toEqual([[{ n: 1 }], []])
    expect(await db.selectFrom('t').selectAll().execute()).toEqual([{ n: 1 }])
  })

  test.each([
    ['a read', () => db.selectFrom('t').selectAll().execute()],
    ['a write', () => insert(2)],
    ['a transaction', () => insertInside(2)],
  ])(
    'rejects %s of the database in its callback, which would wait for its own end',
    async (_, use) => {
      const work = db.transaction().execute(async (trx) => {
        await insert(1, trx)
        await pause(1) // the context of the callback must survive a wait
        await use()
      })
      await expect(work).rejects.toThrow('use the argument of its callback')
      expect(storedNumbers()).toEqual([])
      await use()
    },
  )

  test('does not keep what its callback has started from using the database later', async () => {
    const ended = Promise.withResolvers<void>()
    let later: Promise<unknown> | undefined
    await db.transaction().execute(async (trx) => {
      await insert(1, trx)
      later = ended.promise.then(() => insert(2))
    })
    ended.resolve()
    await later
    expect(storedNumbers()).toEqual([1, 2])
  })

  test('may take longer than the timeout when each pause is shorter', async () => {
    await useShortTimeout()
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

  test('that waits too long is rolled back alone, and its later statements are rejected', async () => {
    await useShortTimeout()
    const late: unknown[] = []
    const slow = db.transaction().execute(async (trx) => {
      await insert(1, trx)
      await pause(1.5 * SHORT_MS)
      await insert(3, trx).catch((error) => late.push(error))
    })
    const results = await Promise.allSettled([slow, insert(2)])
    const expired = new Error(
      `the transaction was rolled back: it ran no statement for ${SHORT_MS} ms`,
    )
    expect(results[0]).toMatchObject({ status: 'rejected', reason: expired })
    expect(late).toEqual([expired])
    expect(storedNumbers()).toEqual([2])
  })

  test('that has expired does not roll the next one back when it ends', async () => {
    await useShortTimeout()
    const opened = Promise.withResolvers<void>()
    const ended = Promise.withResolvers<void>()
    const expired = db.transaction().execute(() => opened.promise)
    const next = db.transaction().execute(async (trx) => {
      await insert(1, trx)
      opened.resolve()
      await ended.promise
    })
    await expect(expired).rejects.toThrow('rolled back')
    ended.resolve()
    await next
    expect(storedNumbers()).toEqual([1])
  })
})

describe('while another process writes', () => {
  beforeEach(() => void other.exec('begin immediate'))

  test('the event loop runs, reads succeed, and writes wait for the end of the lock', async () => {
    const waiting = Promise.all([insert(1), insertInside(2)])
    await pause(1)
    expect(await db.selectFrom('t').selectAll().execute()).toEqual([])
    other.exec('rollback')
    await waiting
    expect(storedNumbers()).toEqual([1, 2])
  })

  test('writes are rejected after the timeout, and are not stored', async () => {
    await useShortTimeout()
    const results = await Promise.allSettled([insert(2), insertInside(3)])
    other.exec('rollback')
    const busy = {
      status: 'rejected',
      reason: expect.objectContaining({ code: 'SQLITE_BUSY' }),
    }
    expect(results).toEqual([busy, busy])
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
    ['pair_a_b_key', (db) => db.insertInto('pair').values({ a: 1, b: 1 })],
    ['first_a_fkey', (db) => db.insertInto('first').values({ a: 3 })],
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

test('two databases migrate one file at the same time: one does, and the other waits', async () => {
  const second = new Kysely<Tables>({
    dialect: new GroupCommitDialect({ writer: connect(), reader: connect() }),
  })
  const add = (db: Kysely<Tables>) =>
    db.transaction().execute(async (trx) => {
      const { length } = await trx.selectFrom('t').selectAll().execute()
      await insert(length, trx)
    })
  await Promise.all([add(db), add(second), add(db), add(second)])
  await second.destroy()
  expect(storedNumbers()).toEqual([0, 1, 2, 3])
})

test('a migration that fails leaves no change of the schema', async () => {
  const up = async (on: Kysely<unknown>) => {
    await on.schema.createTable('half').addColumn('n', 'integer').execute()
    throw new Error('failed')
  }
  await expect(migrate(db, { '0001-half': { up } })).rejects.toThrow('failed')
  const tables = other.prepare('select name from sqlite_master').pluck().all()
  expect(tables).not.toContain('half')
})

test('destroy stores the writes that wait, closes both connections, and leaves no timer', async () => {
  const timers = () =>
    process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length
  const before = timers()
  const [writer, reader] = [connect(), connect()]
  const second = new Kysely<Tables>({
    dialect: new GroupCommitDialect({ writer, reader }),
  })
  await second.selectFrom('t').selectAll().execute()
  await insertInside(1, second)
  const writing = insert(2, second)
  for (let n = 0; n < 100; n += 1) await Promise.resolve()
  await second.destroy()
  await writing
  expect(storedNumbers()).toEqual([1, 2])
  expect(timers()).toBe(before)
  expect([writer.open, reader.open]).toEqual([false, false])
})

/**
 * Reads while a transaction is open that inserts the number 1 and then calls
 * `end`.
 */
async function readMeanwhile(on: Kysely<Tables>, end = () => {}) {
  const started = Promise.withResolvers<void>()
  const finished = Promise.withResolvers<void>()
  const transaction = on.transaction().execute(async (trx) => {
    await insert(1, trx)
    started.resolve()
    await finished.promise
    end()
  })
  await started.promise
  const read = on.selectFrom('t').selectAll().execute()
  for (let n = 0; n < 100; n += 1) await Promise.resolve()
  finished.resolve()
  return { transaction: await Promise.allSettled([transaction]), read }
}

test('with a second connection, reads do not wait for the end of a transaction', async () => {
  const { read } = await readMeanwhile(db)
  expect(await read).toEqual([])
  expect(storedNumbers()).toEqual([1])
})

test('without a second connection, reads do not show what an open transaction has written', async () => {
  const second = new Kysely<Tables>({
    dialect: new GroupCommitDialect({ writer: new Sqlite(':memory:') }),
  })
  await second.schema.createTable('t').addColumn('n', 'integer').execute()
  const { transaction, read } = await readMeanwhile(second, () => {
    throw new Error('undone')
  })
  expect(transaction).toMatchObject([{ reason: new Error('undone') }])
  expect(await read).toEqual([])
  await second.destroy()
})

test('a cursor is rejected, because it would keep other statements waiting', async () => {
  await expect(db.selectFrom('t').selectAll().stream().next()).rejects.toThrow(
    'does not stream',
  )
})

test('a statement is prepared once, and again after 500 others', () => {
  const prepare = preparing(writer)
  const first = prepare('select 0')
  expect(prepare('select 0')).toBe(first)
  for (let n = 0; n < 600; n += 1) prepare(`select ${n}`)
  expect(prepare('select 0')).not.toBe(first)
})
