import { setTimeout as pause } from 'node:timers/promises'
import Sqlite from 'better-sqlite3'
import { CompiledQuery, Kysely, sql } from 'kysely'
import { fileOf, freshDatabase } from 'testkit/engines.ts'
import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { GroupCommitDialect } from '../../src/database/group-commit/dialect.ts'
import type { GroupCommitConfig } from '../../src/database/group-commit/driver.ts'
import { preparing } from '../../src/database/group-commit/prepare.ts'
import { waitForLock } from '../../src/database/group-commit/statements.ts'
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
// biome-ignore lint/suspicious/noExplicitAny: other tables.
let tables: Kysely<any>
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
  tables = db
  return async () => {
    await db.destroy()
    other.close()
    await drop()
  }
})

const insert = (n: number, trx = db) =>
  trx.insertInto('t').values({ n }).execute()
/** Inserts a row in a transaction, which a group commit runs as a savepoint. */
const insertInside = (n: number, on = db) =>
  on.transaction().execute((trx) => insert(n, trx))
const select = (on = db) => on.selectFrom('t').selectAll().execute()
const run = (sql: string, on = db) => on.executeQuery(CompiledQuery.raw(sql))
const storedNumbers = () =>
  other.prepare('select n from t order by n').pluck().all()

const outcomes = (...writes: Promise<unknown>[]) =>
  Promise.all(
    writes.map((write) =>
      write.then(
        () => 'stored',
        ({ code, message }) => code ?? message,
      ),
    ),
  )

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
      const later = runMicrotasks().then(() => write(3))
      expect(await outcomes(write(1), write(2), write(1), later)).toEqual([
        'stored',
        'stored',
        'SQLITE_CONSTRAINT_PRIMARYKEY',
        'stored',
      ])
      expect(storedNumbers()).toEqual([1, 2, 3])
      const count = (sql: string) =>
        statements.filter((each) => String(each).trim().startsWith(sql)).length
      expect(count('commit')).toBe(1)
      // Every savepoint is released, because SQLite keeps copies of pages until
      // then.
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

  const insertOrRollBack = (on = db) =>
    on.insertInto('t').orRollback().values({ n: 1 }).execute()
  test.each([
    [
      'its commit fails',
      'FOREIGNKEY',
      () => tables.insertInto('child').values({ n: 9 }).execute(),
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
      const error = `SQLITE_CONSTRAINT_${constraint}`
      expect(await outcomes(insert(1), fail(), insertInside(2))).toEqual(
        Array(3).fill(error),
      )
      await insert(3)
      expect(storedNumbers()).toEqual([3])
    },
  )
})

describe('a transaction', () => {
  test('reads its own writes, continues after an error that its callback handles, and is rolled back alone', async () => {
    const first = insertInside(1)
    const transaction = db.transaction().execute(async (trx) => {
      await insert(10, trx)
      await insert(10, trx).catch(() => insert(11, trx))
      expect(await select(trx)).toEqual([{ n: 1 }, { n: 10 }, { n: 11 }])
      expect(storedNumbers()).toEqual([])
      throw new Error('undone')
    })
    expect(await outcomes(first, transaction, insert(2))).toEqual([
      'stored',
      'undone',
      'stored',
    ])
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
    const opened = Promise.withResolvers<void>()
    let late: unknown
    const slow = db.transaction().execute(async (trx) => {
      await insert(1, trx)
      await opened.promise
      late = await insert(3, trx).catch((error) => error)
    })
    const ended = Promise.withResolvers<void>()
    const next = db.transaction().execute(async (trx) => {
      await insert(2, trx)
      opened.resolve()
      await ended.promise
    })
    const expired = `the transaction was rolled back: it ran no statement for ${SHORT_MS} ms while 0 other writes waited`
    await expect(slow).rejects.toThrow(expired)
    expect(late).toHaveProperty('message', expired)
    ended.resolve()
    await next
    expect(storedNumbers()).toEqual([2])
  })

  test('expires with the number of waiting writes while a statement beside it waits for its end', async () => {
    useShortTimeout()
    const trx = await db.startTransaction().execute()
    await insert(1, trx)
    await insert(2)
    await expect(trx.commit().execute()).rejects.toThrow('while 1 other')
    expect(storedNumbers()).toEqual([2])
  })
})

describe('while another process writes', () => {
  test('writes are rejected after the timeout, without blocking the event loop, and are not stored', async () => {
    useShortTimeout()
    for (const connection of [writer, reader])
      expect(connection.pragma('busy_timeout', { simple: true })).toBe(0)
    other.exec('begin immediate')
    const results = await outcomes(insert(2), insertInside(3))
    other.exec('rollback')
    expect(results).toEqual(['SQLITE_BUSY', 'SQLITE_BUSY'])
    expect(storedNumbers()).toEqual([])
  })

  test('an attempt that fails with SQLITE_BUSY_RECOVERY is repeated', async () => {
    const attempt = vi.fn().mockImplementationOnce(() => {
      throw Object.assign(new Error(), { code: 'SQLITE_BUSY_RECOVERY' })
    })
    await waitForLock(attempt)
    expect(attempt).toHaveBeenCalledTimes(2)
  })
})

test.each([
  ['a write of a group', () => insert(5)],
  ['a raw statement', () => run('insert into t values (5)')],
])('%s is rejected when the check after it fails', async (_, write) => {
  const check = () => {
    if (statements.some((sql) => String(sql).startsWith('insert')))
      throw new Error('replaced')
  }
  db = on({ writer, reader, check })
  await expect(write()).rejects.toThrow('replaced')
})

test('a write returns the number of its rows and the id of the last one', async () => {
  expect(await insert(7)).toEqual([
    { insertId: 7n, numInsertedOrUpdatedRows: 1n },
  ])
})

test('a migration that fails leaves no change of the schema', async () => {
  const up = async (on: Kysely<unknown>) => {
    await on.schema.createTable('half').addColumn('n', 'integer').execute()
    throw new Error('failed')
  }
  const migrating = migrate(db, { '0001-half': { up } }, 'sqlite')
  await expect(migrating).rejects.toThrow('failed')
  expect(() => other.prepare('select * from half')).toThrow('no such table')
})

test('destroy stores the writes that wait, and closes both connections', async () => {
  await insertInside(1)
  const writing = insert(2)
  await runMicrotasks()
  await db.destroy()
  await writing
  expect(storedNumbers()).toEqual([1, 2])
  expect([writer.open, reader.open]).toEqual([false, false])
})

test.each([
  ['with a second connection, reads run beside', true],
  ['without one, reads wait for the end of', false],
])('%s a transaction, and do not show its writes', async (_, isBeside) => {
  const second = on({ writer, ...(isBeside && { reader }) })
  const trx = await second.startTransaction().execute()
  await insert(1, trx)
  let isRead = false
  const read = select(second).finally(() => {
    isRead = true
  })
  await runMicrotasks()
  expect(isRead).toBe(isBeside)
  await trx.rollback().execute()
  expect(await read).toEqual([])
})

test('a statement is prepared once, and again after 500 others', () => {
  const prepared = preparing(writer)
  const prepare = (n: number) => prepared(CompiledQuery.raw(`select ${n}`))
  const first = prepare(0)
  expect(prepare(0)).toBe(first)
  for (let n = 0; n < 600; n += 1) prepare(n)
  expect(prepare(0)).not.toBe(first)
})

test('SQLite receives +? for each parameter, where logs and plugins of Kysely have ?', async () => {
  const logged: string[] = []
  const second = new Kysely<Tables>({
    dialect: new GroupCommitDialect({ writer }),
    log: ({ query }) => void logged.push(query.sql),
  })
  await insertInside(1, second)
  // Imitates a plugin, which may change the SQL of a compiled query.
  const query = sql`select ${2} + ${3} as "?"`.compile(second)
  for (const end of ['', ' -- plugin'])
    await second.executeQuery({ ...query, sql: query.sql + end })
  expect(logged).toEqual([
    'begin',
    'insert into "t" ("n") values (?)',
    'commit',
    'select ? + ? as "?"',
    'select ? + ? as "?" -- plugin',
  ])
  expect(statements).toContain('insert into "t" ("n") values (+1.0)')
  expect(statements).toContain('select +2.0 + +3.0 as "?"')
  expect(statements).toContain('select 2.0 + 3.0 as "?" -- plugin')
})

describe('a connection of db.connection()', () => {
  const connected = <T>(work: (on: Kysely<Tables>) => Promise<T>) =>
    db.connection().execute(work)

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
      await connected(async (on) => {
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
    },
  )

  test.each([
    [['commit'], 'no transaction is active'],
    [['rollback'], 'no transaction is active'],
    [['savepoint a'], 'begin a transaction before'],
    [['begin', 'begin'], 'open at the end', 'within a transaction'],
    [['begin', 'insert into t values (8)'], 'open at the end'],
    [['begin', 'insert into t values (1)'], 'open at the end', 't.n'],
  ])(
    'rejects %j with the message %s, and stores nothing',
    async (commands, message, cause = '') => {
      await insert(1)
      const work = connected(async (on) => {
        for (const command of commands) await run(command, on)
      })
      const error = await work.catch((thrown) => thrown)
      expect(error.message).toContain(message)
      expect(error.cause?.message ?? '').toContain(cause)
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
    const none = expect.stringMatching('SQLITE_ERROR')
    expect(
      await outcomes(
        insert(1),
        ended('rollback', 2),
        ended('commit', 3),
        insert(4),
      ),
    ).toEqual(['stored', none, none, 'stored'])
    expect(storedNumbers()).toEqual([1, 3, 4])
  })

  test('runs raw statements on the writer, outside of a transaction, and reads there what they changed', async () => {
    const like = sql`'A' like 'a'`.as('like')
    await connected(async (on) => {
      const before = insert(1)
      await run('pragma foreign_keys = on', on)
      const { rows } = await run('pragma foreign_keys', on)
      expect(rows).toEqual([{ foreign_keys: 1 }])
      await run('vacuum', on)
      await run('pragma case_sensitive_like = on', on)
      expect(await on.selectNoFrom(like).execute()).toEqual([{ like: 0 }])
      await before
    })
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
  // Inserts into main.t before the new temporary table t hides it.
  await insert(1)
  await run('create temporary table t (n)')
  const selectFrom = (table: string) =>
    tables.selectFrom(table).selectAll().execute()
  expect(await selectFrom('mine')).toEqual([])
  expect(await selectFrom('attached.theirs')).toEqual([{ n: 1 }])
  expect(await select()).toEqual([])
})

test('savepoints of any name are rolled back and released inside their transaction, and do not outlive it', async () => {
  const trx = await db.startTransaction().execute()
  const inner = await trx.savepoint('a"b').execute()
  await insert(1, inner)
  await inner.rollbackToSavepoint('a"b').execute()
  const kept = await trx.savepoint('kept').execute()
  await insert(2, kept)
  await kept.releaseSavepoint('kept').execute()
  expect(storedNumbers()).toEqual([])
  await trx.commit().execute()
  const undone = await db.startTransaction().execute()
  await insert(3, await undone.savepoint('open').execute())
  await undone.rollback().execute()
  await insert(4)
  expect(storedNumbers()).toEqual([2, 4])
})

test('a stream returns the rows of its start, while other statements write and read new ones', async () => {
  other.exec('insert into t values (1), (2), (3)')
  const streamed: number[] = []
  for await (const { n } of db.selectFrom('t').selectAll().stream(2)) {
    streamed.push(n)
    await insert(10 * n)
    expect(await select()).toContainEqual({ n: 10 * n })
  }
  expect(streamed).toEqual([1, 2, 3])
})

test.each([
  ['a write', () => insert(5)],
  ['a raw statement', () => run('insert into t values (5)')],
])('an error of %s has the stack of its caller', async (_, write) => {
  const callTwice = async () => {
    await write()
    await write()
  }
  const error = await callTwice().catch((thrown) => thrown)
  expect(error).toHaveProperty('stack', expect.stringContaining('callTwice'))
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
  expect(await outcomes(aborted, started)).toEqual(['gone', 'stored'])
  expect(storedNumbers()).toEqual([2])
})
