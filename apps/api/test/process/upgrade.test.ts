import { connectForTest, countBlocked } from 'testkit/engines.ts'
import { runCommand } from 'testkit/process.ts'
import { expect, test } from 'vitest'
import { PROFILES } from '../../src/profiles.ts'
import { releasedDatabase, rowsOf } from '../support/released-database.ts'

// An empty database hides a lock that is missing: creating its tables twice fails and is repeated.
test.each(['sqlite', 'postgres'] as const)(
  'a database of 0001-initial on %s is upgraded once by eight processes at the same time',
  async (engine) => {
    const url = await releasedDatabase(engine)
    const migrateAll = () =>
      Promise.all(Array.from({ length: 8 }, () => runCommand({ DATABASE_URL: url }, ['migrate'])))
    const migrateAfterLock = async () => {
      const client = await connectForTest(url)
      await client.query('begin; lock table kysely_migration_lock')
      const migrating = migrateAll()
      await expect.poll(() => countBlocked(client)).toBe(8)
      await client.query('commit')
      return migrating
    }
    const results = await (engine === 'sqlite' ? migrateAll() : migrateAfterLock())
    expect(results.map(({ code, stderr }) => ({ code, stderr }))).toEqual(
      Array.from({ length: 8 }, () => ({ code: 0, stderr: '' })),
    )
    const { kysely_migration: executed } = await rowsOf(url)
    expect(executed?.map((row) => row.name)).toEqual(Object.keys(PROFILES.a.migrations))
  },
)

test('PostgreSQL is not migrated while an instance of the version before is connected', async () => {
  const url = await releasedDatabase('postgres')
  const migrate = () => runCommand({ DATABASE_URL: url }, ['migrate'])
  const before = await connectForTest(`${url}?application_name=typed-id-api`)
  expect(await migrate()).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(
      /^DATABASE_URL: cannot use \S+: instances of another version use the database \(1 connection of typed-id-api\): stop them before 0002-normalized-email is applied\n$/,
    ),
  })
  const executed = (await rowsOf(url)).kysely_migration
  expect(executed?.map(({ name }) => name)).toEqual(['0001-initial'])
  await before.end()
  await expect.poll(async () => (await migrate()).code).toBe(0)
})
