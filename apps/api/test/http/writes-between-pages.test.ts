import type { Kysely, RootOperationNode } from 'kysely'
import { clientOf, readPages } from 'testkit/client.ts'
import { describe, expect } from 'vitest'
import type { OpenDatabase } from '../../src/database/open.ts'
import { RoleId, type UserId } from '../../src/ids.ts'
import type { Tables } from '../../src/profile-a/store/tables.ts'
import { createUserStore } from '../../src/profile-a/store/users.ts'
import { type Service, storedUser, test } from '../support/http-fixture.ts'
import { appOn, withSlowRows } from '../support/listen.ts'

/** Rows in one page of a list without `limit`. */
const STREAM_PAGE = 200

let inserted = 0

/**
 * Creates users through the store: hashing thousands of passwords would take
 * minutes.
 */
const insert = (db: Kysely<Tables>, count: number): Promise<UserId[]> =>
  Promise.all(
    Array.from({ length: count }, () => {
      inserted += 1
      const email = `page-${inserted}@example.com`
      return createUserStore(db).create({
        email,
        name: `${inserted % 7}`,
        password_hash: 'x',
        team_id: null,
      })
    }),
  )

const remove = (db: Kysely<Tables>, ids: readonly UserId[]) =>
  Promise.all(ids.map((id) => createUserStore(db).delete(id)))

/**
 * Creates users. Every third one will be deleted while the test reads the list,
 * also the first and the last user of pages.
 */
async function createUsers(db: Kysely<Tables>, count: number) {
  const ids = await insert(db, count)
  const deleted = ids.filter((_, n) => n % 3 === 0)
  const permanent = ids.filter((_, n) => n % 3 !== 0)
  /**
   * Deletes `size` users from each end of the list of deletable users, and
   * creates as many.
   */
  const replaceUsers = async (size: number) => {
    await Promise.all([
      remove(db, deleted.splice(0, size)),
      remove(db, deleted.splice(-size)),
      insert(db, 2 * size),
    ])
  }
  return { permanent, replaceUsers, deleted }
}

function expectOnceEach(seen: readonly string[], permanent: readonly string[]) {
  expect(new Set(seen).size, 'a row appears twice').toBe(seen.length)
  expect(seen, 'out of order').toEqual(seen.toSorted())
  const ids = new Set(seen)
  expect(
    permanent.filter((id) => !ids.has(id)),
    'missing rows',
  ).toEqual([])
}

test('pages contain every row that exists throughout exactly once', async ({
  service,
}) => {
  const { permanent, replaceUsers, deleted } = await createUsers(service.db, 90)
  const seen: string[] = []
  let count = 0
  for await (const page of readPages(service, '/users?limit=7')) {
    seen.push(...page.map((user) => user.id))
    count += 1
    // Creates fewer users than a page has: otherwise the list would grow as
    // fast as it is read.
    await replaceUsers(2)
  }
  expect(count).toBeGreaterThan(12)
  expect(deleted).toEqual([])
  expectOnceEach(seen, permanent)
})

test('a streamed list contains every row that exists throughout exactly once', async ({
  service,
}) => {
  const { permanent, replaceUsers } = await createUsers(
    service.db,
    4 * STREAM_PAGE,
  )
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

test('a deleted row is still accepted as the start of a page', async ({
  service,
}) => {
  const [first, second, third] = await insert(service.db, 3)
  await remove(service.db, [second as UserId])
  const response = await service.get(`/users?limit=1&after=${second as UserId}`)
  expect(response.json).toMatchObject([{ id: third as UserId }])
  expect(
    (await service.get(`/users?after=${first as UserId}`)).json,
  ).toMatchObject([{ id: third as UserId }])
})

describe('a user with a page of its own who is deleted meanwhile', () => {
  /**
   * Creates three users, one of whom has 401 roles and is deleted when its
   * rows have been read. Returns an app, and the ids.
   */
  async function appWithDeletion(
    service: Service,
    database: OpenDatabase,
    at: number,
  ) {
    const roles = RoleId.generateMany(401).map((id) => ({
      id,
      name: id,
      description: null,
    }))
    await database.db.insertInto('roles').values(roles).execute()
    const ids: UserId[] = []
    for (let n = 0; n < 3; n += 1) ids.push((await storedUser(service)).id)
    const [user_id] = ids.splice(at, 1) as [UserId]
    const assigned = roles.map(({ id }) => ({ user_id, role_id: id }))
    await database.db.insertInto('user_roles').values(assigned).execute()
    let pages = 0
    const deleteAfterRead = async (query?: RootOperationNode) => {
      if (query?.kind !== 'SelectQueryNode' || !query.limit) return
      pages += 1
      if (pages === at + 1) await remove(database.db, [user_id])
    }
    const { app } = appOn(withSlowRows(database, deleteAfterRead))
    return { ...clientOf(async (path) => app.request(path)), ids }
  }

  test.for([0, 1])(
    'is left out of a list, and no other user appears twice (position %i)',
    async (at, { service, database }) => {
      const { get, ids } = await appWithDeletion(service, database, at)
      expect((await get('/users')).json).toMatchObject(
        ids.map((id) => ({ id })),
      )
    },
  )
})
