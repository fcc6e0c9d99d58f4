import { Kysely, sql } from 'kysely'
import { beforeEach, describe, expect, test } from 'vitest'
import { GroupCommitDialect } from '../../src/database/group-commit/dialect.ts'
import {
  db,
  insert,
  insertInside,
  openGroupCommit,
  outcomes,
  run,
  select,
  statements,
  storedNumbers,
  type Tables,
  tables,
  writer,
} from '../support/group-commit.ts'

beforeEach(openGroupCommit)

test('SQLite receives +? for each parameter, where logs and plugins of Kysely have ?', async () => {
  const logged: string[] = []
  const second = new Kysely<Tables>({
    dialect: new GroupCommitDialect({ writer }),
    log: ({ query }) => void logged.push(query.sql),
  })
  await insertInside(1, second)
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

  test('an open transaction does not have the error of an earlier one as its cause', async () => {
    await insert(1)
    const work = connected(async (on) => {
      await run('begin', on)
      await outcomes(insert(1, on))
      await run('rollback', on)
      await run('begin', on)
    })
    const error = await work.catch((thrown) => thrown)
    expect(error.message).toContain('open at the end')
    expect(error.cause).toBeUndefined()
  })

  test('in a transaction, a raw commit or rollback ends this transaction alone, and the commit of Kysely is rejected', async () => {
    const ended = (command: string, n: number) =>
      db.transaction().execute(async (trx) => {
        await insert(n, trx)
        await run(command, trx)
      })
    const [rolledBack, committed] = [ended('rollback', 2), ended('commit', 3)]
    expect(await outcomes(insert(1), rolledBack, committed, insert(4))).toEqual(
      ['stored', 'SQLITE_ERROR', 'SQLITE_ERROR', 'stored'],
    )
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
  const mine = db.schema.createTable('mine').temporary()
  await mine.addColumn('n', 'integer').execute()
  await run("attach ':memory:' as attached; -- a comment")
  await run('create table attached.theirs as select 1 as n')
  // Inserts into main.t before the new temporary table t hides main.t.
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
