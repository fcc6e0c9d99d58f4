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
