import { readPages } from 'testkit/client.ts'
import { expect } from 'vitest'
import { insertUsers, test } from '../support/http-fixture.ts'

test('pages contain every row that exists throughout exactly once', async ({
  service: { db, ...client },
}) => {
  const ids = await insertUsers(db, 90)
  const deletable = ids.filter((_, n) => n % 3 === 0)
  const permanent = ids.filter((_, n) => n % 3 !== 0)
  const seen: string[] = []
  for await (const page of readPages(client, '/users?limit=7')) {
    seen.push(...page.map(({ id }) => id))
    const removed = [...deletable.splice(0, 2), ...deletable.splice(-2)]
    if (removed.length > 0)
      await db.deleteFrom('users').where('id', 'in', removed).execute()
    await insertUsers(db, 4)
  }
  expect(deletable).toEqual([])
  expect(new Set(seen).size, 'a row appears twice').toBe(seen.length)
  expect(seen, 'out of order').toEqual(seen.toSorted())
  expect(seen, 'missing rows').toEqual(expect.arrayContaining(permanent))
})
