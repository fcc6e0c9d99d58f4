import { readdirSync } from 'node:fs'
import Sqlite from 'better-sqlite3'
import { expect, test } from 'vitest'
import { tables } from '../../src/profile-a/store/schema.ts'
import { dumpOf } from '../schemas/dump.ts'
import { MIGRATIONS, releasedMigrations, releaseProblems } from '../schemas/files.ts'

test('released migrations are unchanged, and each was released before the next one was added', () => {
  expect(releasedMigrations()).toContain('0001-initial')
  expect(releaseProblems()).toEqual([])
})

test('every file of migrations/ is a migration of the profile, in the order of the names', () => {
  const files = readdirSync(new URL('../../src/profile-a/migrations/', import.meta.url))
  expect(
    files.map((file) => file.replace('.ts', '')).sort(),
    'profile-a/index.ts lists other migrations',
  ).toEqual(MIGRATIONS)
})

test('the schema that a release would write can be loaded, and has rows in every table', async () => {
  const connection = new Sqlite(':memory:')
  connection.pragma('foreign_keys = on')
  connection.exec(await dumpOf('sqlite'))
  for (const { name } of tables)
    expect(connection.prepare(`select count(*) from ${name}`).pluck().get(), name).toBeGreaterThan(0)
  connection.close()
  expect(await dumpOf('postgres')).toMatch(/insert into "user_roles" .* values \('user-/)
})
