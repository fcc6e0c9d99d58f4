import { setTimeout as pause } from 'node:timers/promises'
import { CompiledQuery, type Kysely } from 'kysely'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { preparing } from '../../src/database/group-commit/prepare.ts'
import { waitForLock } from '../../src/database/group-commit/statements.ts'
import { migrate } from '../../src/database/migrate.ts'
import { useFakeTimeouts } from '../support/fake-timers.ts'
import {
  db,
  insert,
  insertInside,
  on,
  openGroupCommit,
  other,
  outcomes,
  reader,
  reopen,
  run,
  runMicrotasks,
  SHORT_MS,
  select,
  statements,
  storedNumbers,
  tables,
  writer,
} from '../support/group-commit.ts'

beforeEach(openGroupCommit)

describe('a group', () => {
  test.each([
    ['statements', insert],
    ['transactions', insertInside],
  ])(
    'of one turn of the event loop rolls a failed write back alone, and rejects it with its error (%s)',
    async (_, write) => {
      const later = runMicrotasks().then(() => write(3))
      expect(await outcomes(write(1), write(2), write(1), later)).toEqual([
        ...['stored', 'stored', 'SQLITE_CONSTRAINT_PRIMARYKEY', 'stored'],
      ])
      expect(storedNumbers()).toEqual([1, 2, 3])
      const count = (sql: string) =>
        statements.filter((each) => String(each).trim().startsWith(sql)).length
      expect(count('commit')).toBe(1)
      // Each savepoint must be released, because SQLite keeps copies of changed
      // pages until then.
      expect(count('release')).toBe(count('savepoint'))
    },
  )

  test('resolves its writes after the commit: another connection sees the row at that moment', async () => {
    const write = async (_: unknown, n: number) => {
      await (n % 2 ? insert(n) : insertInside(n))
      expect(storedNumbers()).toContain(n)
    }
    await Promise.all(Array.from({ length: 1000 }, write))
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
    const results = await outcomes(first, transaction, insert(2))
    expect(results).toEqual(['stored', 'undone', 'stored'])
    expect(storedNumbers()).toEqual([1, 2])
  })

  test.each([
    ['a statement', () => select()],
    ['a transaction', () => insertInside(2)],
  ])(
    'rejects statements of the database in its callback, which would wait for its own end (%s)',
    async (_, use: () => Promise<unknown>) => {
      let later: Promise<unknown> | undefined
      const ended = Promise.withResolvers<void>()
      const work = db.transaction().execute(async (trx) => {
        await insert(1, trx)
        await pause(1) // the async context of the callback must survive a wait
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
    reopen({ timeoutMs: SHORT_MS })
    useFakeTimeouts()
    await db.connection().execute(async (on) => {
      await run('begin', on)
      for (let n = 0; n < 3; n += 1) {
        vi.advanceTimersByTime(SHORT_MS - 1)
        await insert(n, on)
      }
      await run('commit', on)
      vi.advanceTimersByTime(SHORT_MS)
      await insert(3, on)
    })
    expect(storedNumbers()).toEqual([0, 1, 2, 3])
  })

  test('that waits too long is rolled back alone, rejects later statements, and does not end the next one', async () => {
    reopen({ timeoutMs: SHORT_MS })
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
    reopen({ timeoutMs: SHORT_MS })
    const trx = await db.startTransaction().execute()
    await insert(1, trx)
    await insert(2)
    await expect(trx.commit().execute()).rejects.toThrow('while 1 other')
    expect(storedNumbers()).toEqual([2])
  })
})

describe('while another process writes', () => {
  test('all waiting writes are rejected after the timeout, without blocking the event loop', async () => {
    reopen({ timeoutMs: SHORT_MS })
    for (const connection of [writer, reader])
      expect(connection.pragma('busy_timeout', { simple: true })).toBe(0)
    other.exec('begin immediate')
    const first = insert(2).finally(() => other.exec('rollback'))
    const later = pause(1).then(() => insert(4))
    const results = await outcomes(first, insertInside(3), later)
    expect(results).toEqual(Array(3).fill('SQLITE_BUSY'))
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
])('%s is rejected when a check fails', async (_, write) => {
  for (const [last, stored] of [
    ['', []],
    ['insert', [5]],
  ] as const) {
    const check = () => {
      if (statements.join().includes(last)) throw new Error('replaced')
    }
    reopen({ check })
    await expect(write()).rejects.toThrow('replaced')
    expect(storedNumbers()).toEqual(stored)
  }
})

test('a write returns the number of its rows and the id of the last one', async () => {
  const result = { insertId: 7n, numInsertedOrUpdatedRows: 1n }
  expect(await insert(7)).toEqual([result])
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
  const read = select(second)
  const waited = runMicrotasks().then(() => 'waits')
  expect(await Promise.race([read, waited])).toEqual(isBeside ? [] : 'waits')
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
  const writing = db.insertInto('t').values({ n: 1 })
  const aborted = writing.execute({ signal: abort.signal })
  const started = insert(2)
  await runMicrotasks()
  abort.abort(new Error('gone'))
  expect(await outcomes(aborted, started)).toEqual(['gone', 'stored'])
  expect(storedNumbers()).toEqual([2])
})
