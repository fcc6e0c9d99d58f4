import { readPages } from 'testkit/client.ts'
import { expect } from 'vitest'
import type { OpenDatabase } from '../../src/database/open.ts'
import { insertUsers, test } from '../support/http-fixture.ts'

async function createUsers(db: OpenDatabase['db'], count: number) {
  const ids = await insertUsers(db, count)
  const deletable = ids.filter((_, n) => n % 3 === 0)
  const permanent = ids.filter((_, n) => n % 3 !== 0)
  /** Deletes users at both ends of the list, and adds as many at its end. */
  async function replaceUsers(size: number) {
    const removed = [...deletable.splice(0, size), ...deletable.splice(-size)]
    if (removed.length > 0)
      await db.deleteFrom('users').where('id', 'in', removed).execute()
    await insertUsers(db, 2 * size)
  }
  return { permanent, replaceUsers, deletable }
}

function expectOnceEach(seen: readonly string[], permanent: readonly string[]) {
  expect(new Set(seen).size, 'a row appears twice').toBe(seen.length)
  expect(seen, 'out of order').toEqual(seen.toSorted())
  expect(seen, 'missing rows').toEqual(expect.arrayContaining([...permanent]))
}

test('pages contain every row that exists throughout exactly once', async ({
  service,
}) => {
  const users = await createUsers(service.db, 90)
  const { permanent, replaceUsers, deletable } = users
  const seen: string[] = []
  for await (const page of readPages(service, '/users?limit=7')) {
    seen.push(...page.map((user) => user.id))
    await replaceUsers(2)
  }
  expect(deletable).toEqual([])
  expectOnceEach(seen, permanent)
})

test('a streamed list contains every row that exists throughout exactly once', async ({
  service,
}) => {
  // The service sends at most 200 users at a time.
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
