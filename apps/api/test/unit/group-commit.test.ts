import { setTimeout as pause } from 'node:timers/promises'
import Sqlite from 'better-sqlite3'
import { CompiledQuery, Kysely } from 'kysely'
import { fileOf, freshDatabase } from 'testkit/engines.ts'
import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { GroupCommitDialect } from '../../src/database/group-commit/dialect.ts'
import type { GroupCommitConfig } from '../../src/database/group-commit/driver.ts'
import { preparing } from '../../src/database/group-commit/prepare.ts'
import { waitForLock } from '../../src/database/group-commit/statements.ts'
import { migrate } from '../../src/database/migrate.ts'
import { TABLES, VIOLATIONS } from '../support/violations.ts'

interface Tables {
  t: { n: number }
  child: { n: number }
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
      expect(count('release')).toBe(count('savepoint'))
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

  const insertOrRollBack = (on = db) =>
    on.insertInto('t').orRollback().values({ n: 1 }).execute()
  test.each([
    [
      'its commit fails',
      'FOREIGNKEY',
      () => db.insertInto('child').values({ n: 9 }).execute(),
    ],
    [
      'a statement ends it, as a full disk does',
      'PRIMARYKEY',
      () => insertOrRollBack(),
    ],
    [
      'a transaction ends it, even if its callback hides the error',
      'PRIMARYKEY',
      () =>
        db.transaction().execute(async (trx) => {
          await insertOrRollBack(trx).catch(() => {})
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

describe('the name of a violated constraint', () => {
  beforeEach(() => {
    writer.pragma('foreign_keys = on')
    writer.exec(TABLES)
  })

  test.for(VIOLATIONS)(
    'is the one of PostgreSQL: %s',
    async ([name, query]) => {
      const rejected = query(db).execute()
      await expect(rejected).rejects.toMatchObject({ constraint: name })
      const inside = db
        .transaction()
        .execute(async (trx) => query(trx).execute())
      await expect(inside).rejects.toMatchObject({ constraint: name })
    },
  )

  const long = 'x'.repeat(60)
  // biome-ignore lint/suspicious/noExplicitAny: other tables.
  const uncertain: [string, (db: Kysely<any>) => Promise<unknown>][] = [
    [
      'a raw statement violates a foreign key',
      (db) => run('insert into child (parent_id) values (9)', db),
    ],
    [
      'a row that a DELETE would cascade to is needed',
      async (db) => {
        await run(
          'create table d (id integer primary key, up references parent on delete cascade)',
          db,
        )
        await run('create table needs (d references d)', db)
        await run('insert into d values (1, 5)', db)
        await run('insert into needs values (1)', db)
        await db.deleteFrom('parent').where('id', '=', 5).execute()
      },
    ],
    [
      'two constraints have the same columns',
      async (db) => {
        await run('create unique index again on code (note)', db)
        await db.insertInto('code').values({ note: 'a note' }).execute()
      },
    ],
    [
      'PostgreSQL would number the name, which another table has',
      async (db) => {
        await run('create table s (t_u unique)', db)
        await run('create table s_t (u unique)', db)
        const insert = () => db.insertInto('s_t').values({ u: 1 }).execute()
        await insert()
        await insert()
      },
    ],
    [
      'PostgreSQL would shorten the name',
      async (db) => {
        await run(`create table ${long} (u unique)`, db)
        const insert = () => db.insertInto(long).values({ u: 1 }).execute()
        await insert()
        await insert()
      },
    ],
    [
      'the table exists in an attached database, too',
      async (db) => {
        await run('create temporary table code (note unique)', db)
        const insert = () => db.insertInto('code').values({ note: 1 }).execute()
        await insert()
        await insert()
      },
    ],
  ]
  test.for(uncertain)(
    'is missing, and the error is the one of the driver, when %s',
    async ([, violate]) => {
      const error = await violate(db).catch((thrown) => thrown)
      expect(error).toHaveProperty(
        'code',
        expect.stringMatching(/FOREIGNKEY$|UNIQUE$/),
      )
      expect(error).not.toHaveProperty('constraint')
    },
  )

  test('is found without a trace: later statements of the transaction are checked as before', async () => {
    await db.transaction().execute(async (trx) => {
      await insert(1, trx)
      for (const [, query] of VIOLATIONS)
        await expect(query(trx).execute()).rejects.toThrow('constraint')
    })
    expect(storedNumbers()).toEqual([1])
    expect(other.prepare('select count(*) as n from child').get()).toEqual({
      n: 2,
    })
    expect(writer.pragma('defer_foreign_keys', { simple: true })).toBe(0)
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

describe('a connection of db.connection()', () => {
  const connect = <T>(work: (on: Kysely<Tables>) => Promise<T>) =>
    db.connection().execute(work)

  test('runs statements after each end of a transaction', async () => {
    await connect(async (on) => {
      await insertInside(1, on)
      const failed = on.transaction().execute(async (trx) => {
        await insert(2, trx)
        throw new Error('undone')
      })
      await expect(failed).rejects.toThrow('undone')
      await insert(3, on)
      const undone = await on.startTransaction().execute()
      await insert(4, undone)
      await undone.rollback().execute()
      await insert(6, on)
      expect(await select(on)).toEqual([{ n: 1 }, { n: 3 }, { n: 6 }])
    })
    expect(storedNumbers()).toEqual([1, 3, 6])
  })

  test.each([
    ['begin', 'commit', [0, 1, 2]],
    ['BEGIN IMMEDIATE', 'End Transaction;', [0, 1, 2]],
    ['/* a\n; */ begin exclusive', '-- commit\n ; rollback /* to */', [0, 2]],
  ])(
    'runs a raw %s … %s as a transaction, and reads its rows',
    async (begin, end, stored) => {
      const before = insert(0)
      const begun = Promise.withResolvers<void>()
      const later = begun.promise.then(() => insert(2))
      await connect(async (on) => {
        await run(begin, on)
        await insert(1, on)
        begun.resolve()
        await run('savepoint a', on)
        await insert(9, on)
        await run('rollback to a', on)
        expect(await select(on)).toEqual([{ n: 0 }, { n: 1 }])
        expect(storedNumbers()).toEqual([])
        await run(end, on)
        expect(storedNumbers()).toEqual(stored.slice(0, -1))
        await later
        expect(await select(on)).toEqual(stored.map((n) => ({ n })))
      })
      await before
      expect(storedNumbers()).toEqual(stored)
    },
  )

  const wrong: [string, string, (on: Kysely<Tables>) => Promise<unknown>][] = [
    [
      'commit without begin',
      'no transaction is active',
      (on) => run('commit', on),
    ],
    [
      'rollback without begin',
      'no transaction is active',
      (on) => run('rollback', on),
    ],
    [
      'begin twice',
      'within a transaction',
      (on) => run('begin', on).then(() => run('begin', on)),
    ],
    [
      'transaction() after begin',
      'within a transaction',
      (on) => run('begin', on).then(() => insertInside(8, on)),
    ],
    [
      'savepoint without begin',
      'begin a transaction before',
      (on) => run('savepoint a', on),
    ],
    [
      'begin without an end',
      'open at the end',
      (on) => run('begin', on).then(() => insert(8, on)),
    ],
    [
      'begin, and a statement that fails',
      'UNIQUE constraint failed: t.n',
      (on) => run('begin', on).then(() => insert(1, on)),
    ],
  ]
  test.each(wrong)(
    'rejects %s with "%s", and stores nothing',
    async (_, message, work) => {
      await insert(1)
      await expect(connect(work)).rejects.toThrow(message)
      await insert(2)
      expect(storedNumbers()).toEqual([1, 2])
    },
  )

  test('in a transaction, a raw commit or rollback ends this transaction alone, and the commit of Kysely is rejected', async () => {
    const ended = (command: string, n: number) =>
      db.transaction().execute(async (trx) => {
        await insert(n, trx)
        await run(command, trx)
      })
    const none = {
      reason: { message: expect.stringContaining('no transaction is active') },
    }
    expect(
      await Promise.allSettled([
        insert(1),
        ended('rollback', 2),
        ended('commit', 3),
        insert(4),
      ]),
    ).toMatchObject([
      { status: 'fulfilled' },
      none,
      none,
      { status: 'fulfilled' },
    ])
    expect(storedNumbers()).toEqual([1, 3, 4])
  })

  test('runs raw statements on the writer, outside of a transaction, and reads there what they changed', async () => {
    await Promise.all([
      insert(1),
      connect(async (on) => {
        await run('pragma foreign_keys = off', on)
        expect((await run('pragma foreign_keys', on)).rows).toEqual([
          { foreign_keys: 0 },
        ])
        await run('pragma foreign_keys = on', on)
        expect((await run('pragma foreign_keys', on)).rows).toEqual([
          { foreign_keys: 1 },
        ])
        await run('vacuum', on)
        await run('pragma case_sensitive_like = on', on)
        const like = on.selectNoFrom((eb) =>
          eb(eb.val('A'), 'like', 'a').as('is'),
        )
        expect(await like.execute()).toEqual([{ is: 0 }])
        await run('pragma case_sensitive_like = off', on)
      }),
      insert(2),
    ])
  })
})

test('temporary tables and attached databases can be read by every statement', async () => {
  await db.schema
    .createTable('mine')
    .temporary()
    .addColumn('n', 'integer')
    .execute()
  await run("attach ':memory:' as attached; -- a comment")
  await run('create table attached.theirs as select 1 as n')
  // The table of the main database has a row.
  await insert(1)
  await run('create temporary table t (n)')
  // biome-ignore lint/suspicious/noExplicitAny: other tables.
  const any = db as Kysely<any>
  expect(await any.selectFrom('mine').selectAll().execute()).toEqual([])
  expect(await any.selectFrom('attached.theirs').selectAll().execute()).toEqual(
    [{ n: 1 }],
  )
  expect(await select()).toEqual([])
})

describe('savepoints', () => {
  test('of any name are rolled back and released inside their transaction', async () => {
    const trx = await db.startTransaction().execute()
    await insert(1, trx)
    const name = 'member'
    for (const savepoint of ['a"b', name]) {
      const inner = await trx.savepoint(savepoint).execute()
      await insert(2, inner)
      await inner.rollbackToSavepoint(savepoint).execute()
    }
    const kept = await trx.savepoint('kept').execute()
    await insert(3, kept)
    await kept.releaseSavepoint('kept').execute()
    expect(storedNumbers()).toEqual([])
    await trx.commit().execute()
    expect(storedNumbers()).toEqual([1, 3])
  })

  test('that are open do not outlive a rollback', async () => {
    const trx = await db.startTransaction().execute()
    await insert(1, trx)
    const inner = await trx.savepoint('member').execute()
    await insert(2, inner)
    await trx.rollback().execute()
    await insert(3)
    expect(storedNumbers()).toEqual([3])
  })
})

describe('a stream', () => {
  const rows = [{ n: 1 }, { n: 2 }, { n: 3 }]
  const stream = (on = db) => on.selectFrom('t').selectAll().stream(2)
  async function collect<T>(iterable: AsyncIterable<T>): Promise<T[]> {
    const items: T[] = []
    for await (const item of iterable) items.push(item)
    return items
  }
  const config = {
    'with a reader': () => db,
    'without one': () => on({ writer: connect() }),
  }
  beforeEach(() => void other.exec('insert into t values (1), (2), (3)'))

  test.each(Object.entries(config))(
    '%s returns all rows, in a transaction too',
    async (_, open) => {
      const second = open()
      expect(await collect(stream(second))).toEqual(rows)
      const inside = second.transaction().execute(async (trx) => {
        await insert(4, trx)
        return collect(stream(trx))
      })
      expect(await inside).toEqual([...rows, { n: 4 }])
      await second.destroy()
    },
  )

  test('with a reader returns the rows of its start, while other statements write and read new ones', async () => {
    const streamed: unknown[] = []
    for await (const row of stream()) {
      streamed.push(row)
      await insert(10 * row.n)
      expect(await select()).toContainEqual({ n: 10 * row.n })
    }
    expect(streamed).toEqual(rows)
  })

  test('without a reader keeps the writer until it ends, or has waited too long', async () => {
    const second = on({ writer: connect(), timeoutMs: SHORT_MS })
    const left = stream(second)
    await left.next()
    const waiting = insert(4, second)
    await runMicrotasks()
    expect(storedNumbers()).toHaveLength(3)
    await left.return?.()
    await waiting
    const stuck = stream(second)
    await stuck.next()
    await insert(5, second)
    await stuck.next()
    await expect(stuck.next()).rejects.toThrow('ran no statement')
    await second.destroy()
  })

  test('of a statement other than a select is rejected', async () => {
    const written = db.insertInto('t').values({ n: 9 }).returningAll().stream()
    await expect(written.next()).rejects.toThrow(
      'only a select can be streamed',
    )
  })
})

test('an error of a write has the stack of its caller', async () => {
  const error = await insertTwice().catch((thrown) => thrown)
  expect(error).toHaveProperty('stack', expect.stringContaining('insertTwice'))
})
async function insertTwice(): Promise<void> {
  await insert(1)
  await insert(1)
}

test('a statement beside an open transaction waits for its end, and the transaction expires with the number of waiting writes', async () => {
  useShortTimeout()
  const trx = await db.startTransaction().execute()
  await insert(1, trx)
  await insert(2)
  await expect(trx.commit().execute()).rejects.toThrow('while 1 other')
  expect(storedNumbers()).toEqual([2])
})

test('a log of Kysely receives the statements of a transaction, as with SqliteDialect', async () => {
  const logged: string[] = []
  const second = new Kysely<Tables>({
    dialect: new GroupCommitDialect({ writer: connect() }),
    log: ({ query }) => void logged.push(query.sql),
  })
  await insertInside(1, second)
  await second.destroy()
  expect(logged).toEqual(['begin', expect.stringContaining('insert'), 'commit'])
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
