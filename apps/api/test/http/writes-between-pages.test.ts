import { readPages } from 'testkit/client.ts'
import { expect } from 'vitest'
import type { OpenDatabase } from '../../src/database/open.ts'
import { insertUsers, test } from '../support/http-fixture.ts'

/**
 * Creates users. Every third one will be deleted while the test reads the list,
 * also the first and the last user of pages.
 */
async function createUsers(db: OpenDatabase['db'], count: number) {
  const ids = await insertUsers(db, count)
  const deleted = ids.filter((_, n) => n % 3 === 0)
  const permanent = ids.filter((_, n) => n % 3 !== 0)
  /**
   * Deletes `size` users from each end of the list of deletable users, and
   * creates as many.
   */
  async function replaceUsers(size: number) {
    const removed = [...deleted.splice(0, size), ...deleted.splice(-size)]
    if (removed.length > 0)
      await db.deleteFrom('users').where('id', 'in', removed).execute()
    await insertUsers(db, 2 * size)
  }
  return { permanent, replaceUsers, deleted }
}

function expectOnceEach(seen: readonly string[], permanent: readonly string[]) {
  expect(new Set(seen).size, 'a row appears twice').toBe(seen.length)
  expect(seen, 'out of order').toEqual(seen.toSorted())
  expect(seen, 'missing rows').toEqual(expect.arrayContaining([...permanent]))
}

test('pages contain every row that exists throughout exactly once', async ({
  service,
}) => {
  const { permanent, replaceUsers, deleted } = await createUsers(service.db, 90)
  const seen: string[] = []
  for await (const page of readPages(service, '/users?limit=7')) {
    seen.push(...page.map((user) => user.id))
    // Creates fewer users than a page has: otherwise the list would grow as
    // fast as it is read.
    await replaceUsers(2)
  }
  expect(deleted).toEqual([])
  expectOnceEach(seen, permanent)
})

test('a streamed list contains every row that exists throughout exactly once', async ({
  service,
}) => {
  // A list without `limit` has at most 200 rows in one part.
  const { permanent, replaceUsers } = await createUsers(service.db, 800)
  const { body } = await service.fetch('/users')
  let text = ''
  let chunks = 0
  for await (const chunk of body ?? []) {
    text += Buffer.from(chunk).toString()
    chunks += 1
    await replaceUsers(20)
  }
  expect(chunks).toBeGreaterThan(3)
  const seen = JSON.parse(text).map((user: { id: string }) => user.id)
  expectOnceEach(seen, permanent)
})
