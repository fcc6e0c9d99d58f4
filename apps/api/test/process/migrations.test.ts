import { sql } from 'kysely'
import { databaseForTest, emptyDatabaseForTest, PERSISTENT_ENGINES } from 'testkit/engines.ts'
import { runService } from 'testkit/process.ts'
import { expect, test } from 'vitest'
import { PROFILES } from '../../src/composition/variables.ts'
import { openDatabase } from '../../src/database/open.ts'
import { databaseAt } from '../support/database.ts'

test('a migration may take longer than DATABASE_STATEMENT_TIMEOUT_MS, and an instance waits for it as long', async () => {
  const url = await emptyDatabaseForTest('postgres')
  const slow = { '0001-slow': { up: async (db: never) => void (await sql`select pg_sleep(3)`.execute(db)) } }
  const start = async () => (await openDatabase(databaseAt(url, { statementTimeoutMs: 200 }), slow)).close()
  expect(await Promise.allSettled([start(), start()])).toEqual([
    { status: 'fulfilled', value: undefined },
    { status: 'fulfilled', value: undefined },
  ])
})

test.each(PERSISTENT_ENGINES.flatMap((engine) => ['start', 'never'].map((MIGRATE) => ({ engine, MIGRATE }))))(
  'after a rollback, a version that does not know a migration does not start ($engine, MIGRATE=$MIGRATE)',
  async ({ engine, MIGRATE }) => {
    const DATABASE_URL = await databaseForTest(engine)
    const newer = { ...PROFILES.a.migrations, '9999-newer': { async up() {} } }
    await (await openDatabase(databaseAt(DATABASE_URL), newer)).close()
    const { code, stderr } = await runService({ DATABASE_URL, MIGRATE, PORT: '0' })
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: expect.stringMatching(
        /^DATABASE_URL: cannot use \S+: the schema has a migration that this version does not know: 9999-newer\n$/,
      ),
    })
  },
)
