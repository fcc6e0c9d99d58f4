import { expect, onTestFinished, test } from 'vitest'
import { createApp } from '../../src/app.ts'
import { PROFILES } from '../../src/composition/variables.ts'
import type { Database } from '../../src/database/database.ts'
import { openDatabase } from '../../src/database/open.ts'
import { createLog } from '../../src/observability/log.ts'
import { createUser } from '../../src/profile-b/store/users.ts'
import { databaseAt } from '../support/database.ts'

test('a response that is aborted while it is sent is logged at error with its method and route', async () => {
  const database = await openDatabase(databaseAt('sqlite::memory:'), PROFILES.b.migrations)
  onTestFinished(() => database.close())
  await database.write(async (tx) => {
    for (let n = 0; n < 201; n += 1) await createUser(tx, { name: 'n', email: 'e', team_id: null })
  })
  let pages = 0
  const db: Database = {
    ...database,
    async execute(statement, values) {
      if (statement.sql.includes('limit')) pages += 1
      if (pages === 2) throw new Error('the second page cannot be read')
      return database.execute(statement, values)
    },
  }
  const lines: string[] = []
  const log = createLog('trace', { write: (line) => lines.push(line) })
  const response = await createApp({ profile: PROFILES.b, db, log }).request('/users')
  await expect(response.text()).rejects.toThrow()
  expect(JSON.parse(lines.at(-1) ?? '{}')).toMatchObject({
    level: 50,
    msg: 'response aborted',
    method: 'GET',
    route: '/users',
    request_id: response.headers.get('x-request-id'),
    err: { message: 'the second page cannot be read' },
  })
})
