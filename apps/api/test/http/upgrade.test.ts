import { emptyDatabaseForTest } from 'testkit/engines.ts'
import { describe, expect, inject, test } from 'vitest'
import { UserId } from '../../src/ids.ts'
import { newUser, openForTest, serviceAt } from '../support/http-fixture.ts'
import {
  execute,
  releasedDatabase,
  rowsOf,
} from '../support/released-database.ts'

// A database in memory is not upgraded: it ends with its process.
const engine = inject('engine') === 'postgres' ? 'postgres' : 'sqlite'

describe(`a database of 0001-initial on ${engine}`, () => {
  test('keeps every row when it is upgraded', async () => {
    const url = await releasedDatabase(engine)
    const before = await rowsOf(url)
    await openForTest(url)
    const after = await rowsOf(url)
    for (const table of ['teams', 'roles', 'users', 'user_roles']) {
      expect(before[table], table).not.toEqual([])
      expect(after[table], table).toMatchObject(before[table] ?? [])
    }
  })

  test('rejects the e-mail address of a user from before the upgrade, in any case', async () => {
    const service = await serviceAt(await releasedDatabase(engine))
    const user = newUser({ email: 'aDA@eXAMPLE.com' })
    expect((await service.post('/users', user)).status).toBe(400)
  })

  test('rejects what 0001 would store after the upgrade: an e-mail address in no normalized form', async () => {
    const url = await releasedDatabase(engine)
    await openForTest(url)
    const insert = `insert into users (id, email, name, password_hash) values ('${UserId.generate()}', 'someone@example.com', 'Ada', 'x')`
    await expect(execute(url, insert)).rejects.toThrow(
      /users_normalized_email_filled/,
    )
  })
})

test('a database with a table of another program is migrated', async () => {
  const url = await emptyDatabaseForTest(
    engine === 'postgres' ? 'postgres' : 'sqlite-file',
  )
  await execute(url, 'create table others (id text)')
  const service = await serviceAt(url)
  expect(await service.get('/teams')).toMatchObject({ status: 200, json: [] })
})
