import { readdirSync, readlinkSync } from 'node:fs'
import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises'
import { MessageChannel } from 'node:worker_threads'
import Sqlite from 'better-sqlite3'
import { fileOf, freshDatabase } from 'testkit/engines.ts'
import { test as base, expect } from 'vitest'
import type { Db } from '../../src/database/database.ts'
import { openFile } from '../../src/database/sqlite/engine.ts'

/** A database with one row, and a connection to it as another process has. */
const test = base
  // biome-ignore lint/correctness/noEmptyPattern: Vitest reads the dependencies of a fixture from this pattern.
  .extend('file', async ({}, { onCleanup }) => {
    const { url, drop } = await freshDatabase('sqlite-file')
    onCleanup(drop)
    return fileOf(url)
  })
  .extend('other', ({ file }, { onCleanup }) => {
    const other = new Sqlite(file)
    onCleanup(() => void other.close())
    other.pragma('journal_mode = WAL')
    // Without the table of migrations, the file would be that of another program.
    other.exec(
      'create table kysely_migration (name); create table counts (n integer); insert into counts values (0)',
    )
    return other
  })
  .extend('db', async ({ file, other: _ }, { onCleanup }) => {
    const db = await openFile(file)
    onCleanup(() => db.close())
    return db
  })

const run = async (db: Db, sql: string) => db.execute({ sql, name: '' }, [])
const count = async (db: Db) => ((await run(db, 'select n from counts')) as { n: number }[])[0]?.n
const increment = (other: Sqlite.Database) => other.exec('update counts set n = n + 1')

test('all reads of one turn of the event loop see one state, and the next turn sees what was committed', async ({
  db,
  other,
}) => {
  await nextTurn()
  expect(await count(db)).toBe(0)
  increment(other)
  expect(await count(db)).toBe(0)
  await nextTurn()
  expect(await count(db)).toBe(1)
})

/** Resolves in the next poll phase of the event loop, in which requests arrive. */
function nextPoll(): Promise<unknown> {
  const { port1, port2 } = new MessageChannel()
  port2.postMessage('')
  return new Promise((resolve) => port1.once('message', resolve)).finally(() => port1.close())
}

test.for([
  ['setImmediate, as of the pages of a list', nextTurn],
  ['a timer', () => pause(1)],
] as const)(
  'a request that arrives after a read in the callback of %s sees what was committed before it',
  async ([, callback], { db, other }) => {
    await callback()
    expect(await count(db)).toBe(0)
    increment(other)
    await nextPoll()
    expect(await count(db)).toBe(1)
  },
)

test('a read sees a write of this process as soon as it is acknowledged, in the same turn', async ({
  db,
}) => {
  const reads: unknown[] = []
  const write = (expected: number) =>
    db
      .writeAll((tx) => [run(tx, 'update counts set n = n + 1')])
      .then(async () => reads.push([expected, await count(db)]))
  // Acknowledged in one turn, after a read of that turn.
  await Promise.all([write(2), write(2)])
  await count(db)
  await db.exclusively((tx) => tx.updateTable('counts').set({ n: 3 }).execute())
  expect(await count(db)).toBe(3)
  expect(reads).toEqual([
    [2, 2],
    [2, 2],
  ])
})

test('no transaction outlives its turn: another process can empty the write-ahead log', async ({
  db,
  other,
}) => {
  await count(db)
  await nextTurn()
  increment(other)
  expect(other.pragma('wal_checkpoint(TRUNCATE)')).toEqual([{ busy: 0, log: 0, checkpointed: 0 }])
})

test('a failed read leaves the other reads of its turn, and the turns after it, working', async ({ db }) => {
  await expect(run(db, 'select missing from counts')).rejects.toThrow('no such column')
  expect(await count(db)).toBe(0)
  await nextTurn()
  expect(await count(db)).toBe(0)
})

test('a backup of one state can be read while other reads take their turns', async ({ db, other }) => {
  await db.readSnapshot(async (tx) => {
    const read = async () => (await tx.selectFrom('counts').select('n').executeTakeFirst())?.n
    expect([await read(), await count(db)]).toEqual([0, 0])
    increment(other)
    await nextTurn()
    expect([await read(), await count(db)]).toEqual([0, 1])
  })
})

const FOLDER = '/proc/self/fd'

/** Counts the open descriptors of a file and its `-wal` and `-shm` files. */
const countOpen = (file: string) =>
  readdirSync(FOLDER).filter((fd) => {
    try {
      return readlinkSync(`${FOLDER}/${fd}`).startsWith(file)
    } catch {
      return false // the descriptor of readdirSync itself
    }
  }).length

test.runIf(process.platform === 'linux')(
  'a snapshot of a SQLite file closes its files, also when it fails',
  async ({ db, file }) => {
    const read = () => db.readSnapshot((tx) => tx.selectFrom('counts').selectAll().execute())
    await read() // while the database is open, SQLite keeps one descriptor for the next connection
    const before = countOpen(file)
    expect(before).toBeGreaterThan(0)
    for (let n = 0; n < 5; n += 1) await read()
    const failing = db.readSnapshot((tx) => tx.selectFrom('missing').selectAll().execute())
    await expect(failing).rejects.toThrow('no such table')
    expect(countOpen(file)).toBe(before)
  },
)
