import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import Sqlite from 'better-sqlite3'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Database } from '../src/database/database.ts'
import { ConstraintError } from '../src/database/errors.ts'
import { openSqlite } from '../src/database/sqlite/open.ts'
import { freshDatabase } from './support/engines.ts'

let db: Database
let beside: Sqlite.Database
let clean: () => Promise<void>

beforeEach(async () => {
  const { url, drop } = await freshDatabase('sqlite-file')
  const file = url.slice('sqlite:'.length)
  db = await openSqlite(file)
  beside = new Sqlite(file)
  beside.exec('create table t (n integer primary key)')
  clean = async () => {
    await db.close()
    beside.close()
    await drop()
  }
})
afterEach(() => clean())

const insert = (n: number) =>
  db.write(async (tx) => void (await tx.execute({ sql: 'insert into t values (?)', name: '' }, [n])))
const stored = () => beside.prepare('select n from t order by n').pluck().all()
/** Changes whenever another connection has committed. */
const version = () => beside.pragma('data_version', { simple: true })
const outcomes = (results: PromiseSettledResult<unknown>[]) => results.map(({ status }) => status)

test('a member that fails is rolled back alone, and tells why', async () => {
  const results = await Promise.allSettled([insert(1), insert(2), insert(1), insert(3)])
  expect(outcomes(results)).toEqual(['fulfilled', 'fulfilled', 'rejected', 'fulfilled'])
  expect(results[2]).toMatchObject({ reason: expect.any(ConstraintError) })
  expect(stored()).toEqual([1, 2, 3])
})

test('a member that fails after a part of its work leaves nothing of it', async () => {
  const half = db.write(async (tx) => {
    await tx.execute({ sql: 'insert into t values (10)', name: '' }, [])
    throw new Error('changed my mind')
  })
  expect(outcomes(await Promise.allSettled([insert(1), half, insert(2)]))).toEqual([
    'fulfilled',
    'rejected',
    'fulfilled',
  ])
  expect(stored()).toEqual([1, 2])
})

test('writes that arrive together share a commit, and more than 256 take several', async () => {
  const commits: unknown[] = []
  const before = version()
  const writes = Array.from({ length: 600 }, async (_, n) => {
    await insert(n)
    commits.push(version())
  })
  await Promise.all(writes)
  expect(commits).not.toContain(before)
  const sizes = [...new Set(commits)].map((commit) => commits.filter((other) => other === commit).length)
  expect(sizes).toEqual([256, 256, 88])
})

test('an answer comes after the commit: another connection sees each write at that moment', async () => {
  const seen = await Promise.all(
    Array.from({ length: 1000 }, async (_, n) => {
      await insert(n)
      return stored().includes(n)
    }),
  )
  expect(seen).toEqual(seen.map(() => true))
})

test('an error of the commit itself is told to every member, and nothing is there', async () => {
  beside.exec('create table child (n references t deferrable initially deferred)')
  const orphan = db.write(
    async (tx) => void (await tx.execute({ sql: 'insert into child values (99)', name: '' }, [])),
  )
  const results = await Promise.allSettled([insert(1), orphan, insert(2)])
  expect(outcomes(results)).toEqual(['rejected', 'rejected', 'rejected'])
  expect(stored()).toEqual([])
  await insert(3)
  expect(stored()).toEqual([3])
})

test('an error that ends the transaction is told to every member, and nothing is there', async () => {
  const ending = () =>
    db.write(
      async (tx) => void (await tx.execute({ sql: 'insert or rollback into t values (1)', name: '' }, [])),
    )
  const results = await Promise.allSettled([insert(1), ending(), insert(2)])
  const told = { status: 'rejected', reason: expect.any(ConstraintError) }
  expect(results).toEqual([told, told, told])
  expect(stored()).toEqual([])
  await insert(3)
  expect(stored()).toEqual([3])
})

test('a process that is killed at the moment of an answer leaves what was answered', async () => {
  const child = fork(fileURLToPath(new URL('./support/endless-writes.ts', import.meta.url)), [beside.name])
  const answered: number[] = []
  child.on('message', (n: number) => {
    answered.push(n)
    if (answered.length === 500) child.kill('SIGKILL')
  })
  await once(child, 'exit')
  expect(answered.length).toBeGreaterThanOrEqual(500)
  const there = new Set(stored())
  expect(answered.filter((n) => !there.has(n))).toEqual([])
  expect(beside.pragma('integrity_check', { simple: true })).toBe('ok')
})
