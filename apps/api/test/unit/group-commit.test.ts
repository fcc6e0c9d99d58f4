import Sqlite from 'better-sqlite3'
import { fileOf, freshDatabase } from 'testkit/engines.ts'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Database } from '../../src/database/database.ts'
import { ConstraintError } from '../../src/database/errors.ts'
import { openFile } from '../../src/database/sqlite/engine.ts'

let db: Database
/** Another connection to the file. */
let other: Sqlite.Database
let cleanUp: () => Promise<void>

beforeEach(async () => {
  const { url, drop } = await freshDatabase('sqlite-file')
  const file = fileOf(url)
  db = await openFile(file)
  other = new Sqlite(file)
  other.exec('create table t (n integer primary key)')
  cleanUp = async () => {
    await db.close()
    other.close()
    await drop()
  }
})
afterEach(() => cleanUp())

const write = (sql: string, ...values: unknown[]) =>
  db.writeAll((tx) => [tx.execute({ sql, name: '' }, values)])
const insert = (n: number) => write('insert into t values (?)', n)
const storedNumbers = () => other.prepare('select n from t order by n').pluck().all()
/** A number that changes with every commit of another connection. */
const dataVersion = () => other.pragma('data_version', { simple: true })
const statusesOf = (results: PromiseSettledResult<unknown>[]) => results.map(({ status }) => status)

test('a write of a group that fails is rolled back alone, and is rejected with its error', async () => {
  const results = await Promise.allSettled([insert(1), insert(2), insert(1), insert(3)])
  expect(statusesOf(results)).toEqual(['fulfilled', 'fulfilled', 'rejected', 'fulfilled'])
  expect(results[2]).toMatchObject({ reason: expect.any(ConstraintError) })
  expect(storedNumbers()).toEqual([1, 2, 3])
  expect(db.stats().commits).toEqual({ groups: 1, writes: 3 })
})

test('a write of a group that fails after its first statement stores nothing', async () => {
  const tenth = { sql: 'insert into t values (10)', name: '' }
  const half = db.writeAll((tx) => [tx.execute(tenth, []), tx.execute(tenth, [])])
  expect(statusesOf(await Promise.allSettled([insert(1), half, insert(2)]))).toEqual([
    'fulfilled',
    'rejected',
    'fulfilled',
  ])
  expect(storedNumbers()).toEqual([1, 2])
})

test('concurrent writes share a commit, at most 256 of them', async () => {
  const commits: unknown[] = []
  const before = dataVersion()
  const writes = Array.from({ length: 600 }, async (_, n) => {
    await insert(n)
    commits.push(dataVersion())
  })
  await Promise.all(writes)
  expect(commits).not.toContain(before)
  const sizes = [...new Set(commits)].map((commit) => commits.filter((other) => other === commit).length)
  expect(sizes).toEqual([256, 256, 88])
})

test('a write resolves after the commit: another connection sees the row at that moment', async () => {
  const seen = await Promise.all(
    Array.from({ length: 1000 }, async (_, n) => {
      await insert(n)
      return storedNumbers().includes(n)
    }),
  )
  expect(seen).toEqual(seen.map(() => true))
})

test('only writes that are stored are counted', async () => {
  await Promise.allSettled([insert(1), insert(1), insert(2)])
  expect(db.stats().commits).toEqual({ groups: 1, writes: 2 })
})

test('an error of the commit rejects every write of the group, and nothing is stored', async () => {
  other.exec('create table child (n references t deferrable initially deferred)')
  const orphan = write('insert into child values (99)')
  const results = await Promise.allSettled([insert(1), orphan, insert(2)])
  expect(statusesOf(results)).toEqual(['rejected', 'rejected', 'rejected'])
  expect(storedNumbers()).toEqual([])
  await insert(3)
  expect(storedNumbers()).toEqual([3])
})

test('an error that ends the transaction rejects every write of the group, and nothing is stored', async () => {
  const ending = 'insert or rollback into t values (1)'
  const results = await Promise.allSettled([insert(1), write(ending), insert(2)])
  const rejected = { status: 'rejected', reason: expect.any(ConstraintError) }
  expect(results).toEqual([rejected, rejected, rejected])
  expect(storedNumbers()).toEqual([])
  await insert(3)
  expect(storedNumbers()).toEqual([3])
})
