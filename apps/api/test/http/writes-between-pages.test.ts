import { expect } from 'vitest'
import type { Database } from '../../src/database/database.ts'
import type { UserId } from '../../src/ids.ts'
import { createUser, deleteUser } from '../../src/profile-a/store/users.ts'
import { pages } from '../support/pages.ts'
import { test } from '../support/service.ts'

/** Rows that a list without `limit` reads at once. */
const STREAM_PAGE = 200

let made = 0

/** Users by the store, since hashing thousands of passwords would take minutes. */
const insert = (db: Database, count: number) =>
  db.write(async (tx) => {
    const ids: UserId[] = []
    for (let n = 0; n < count; n += 1) {
      made += 1
      const email = `page-${made}@example.com`
      ids.push(await createUser(tx, { email, name: `${made % 7}`, password_hash: 'x', team_id: null }))
    }
    return ids
  })

const remove = (db: Database, ids: readonly UserId[]) =>
  db.write(async (tx) => {
    for (const id of ids) await deleteUser(tx, id)
  })

/** Users of whom every third goes while they are listed, first and last ones of pages among them. */
async function crowd(db: Database, count: number) {
  const ids = await insert(db, count)
  const doomed = ids.filter((_, n) => n % 3 === 0)
  const lasting = ids.filter((_, n) => n % 3 !== 0)
  /** Removes some at both ends of what is left and adds as many. */
  const churn = async (size: number) => {
    await Promise.all([
      remove(db, doomed.splice(0, size)),
      remove(db, doomed.splice(-size)),
      insert(db, 2 * size),
    ])
  }
  return { lasting, churn, doomed }
}

function expectOnceEach(seen: readonly string[], lasting: readonly string[]) {
  expect(new Set(seen).size, 'a row twice').toBe(seen.length)
  expect(seen, 'out of order').toEqual(seen.toSorted())
  const among = new Set(seen)
  expect(lasting.filter((id) => !among.has(id))).toEqual([])
}

test('pages show every row that was there throughout exactly once', async ({ service }) => {
  const { lasting, churn, doomed } = await crowd(service.db, 90)
  const seen: string[] = []
  let count = 0
  for await (const page of pages(service, '/users?limit=7')) {
    seen.push(...page.map((user) => user.id))
    count += 1
    // Fewer than a page at a time, or the list would grow as fast as it is read.
    await churn(2)
  }
  expect(count).toBeGreaterThan(12)
  expect(doomed).toEqual([])
  expectOnceEach(seen, lasting)
})

test('a page shows every row once while others write at the same time', async ({ service }) => {
  const { lasting, churn } = await crowd(service.db, 90)
  const seen: string[] = []
  const writing = (async () => {
    for (let n = 0; n < 15; n += 1) await churn(1)
  })()
  for await (const page of pages(service, '/users?limit=4')) seen.push(...page.map((user) => user.id))
  await writing
  expectOnceEach(seen, lasting)
})

test('a streamed list shows every row that was there throughout exactly once', async ({ service }) => {
  const { lasting, churn } = await crowd(service.db, 4 * STREAM_PAGE)
  const { body } = await service.fetch('/users')
  let text = ''
  let chunks = 0
  for await (const chunk of body ?? []) {
    text += Buffer.from(chunk).toString()
    chunks += 1
    await churn(20)
  }
  expect(chunks).toBeGreaterThan(3)
  const seen = JSON.parse(text).map((user: { id: string }) => user.id)
  expectOnceEach(seen, lasting)
})

test('a row that is deleted still serves as the start of a page', async ({ service }) => {
  const [first, second, third] = await insert(service.db, 3)
  await remove(service.db, [second as UserId])
  const answer = await service.get(`/users?limit=1&after=${second}`)
  expect(answer.json).toMatchObject([{ id: third }])
  expect((await service.get(`/users?after=${first}`)).json).toMatchObject([{ id: third }])
})
