import { databaseForTest } from 'testkit/engines.ts'
import { startServiceForTest } from 'testkit/service-process.ts'
import { expect, test } from 'vitest'
import { PROFILES } from '../../src/composition/variables.ts'
import { openDatabase } from '../../src/database/open.ts'
import { databaseAt } from '../support/database.ts'
import { populate } from '../support/population.ts'

/** Users that are changed and deleted. */
const USERS = 100

test('a process that streams a list reads what another process on the same file has acknowledged before the request', async () => {
  const DATABASE_URL = await databaseForTest('sqlite-file')
  const db = await openDatabase(databaseAt(DATABASE_URL), PROFILES.a.migrations)
  await populate(db, 2000)
  await db.close()
  const reader = await startServiceForTest({ DATABASE_URL })
  const writer = await startServiceForTest({ DATABASE_URL })
  const ids = (await writer.get(`/users?limit=${USERS}`)).json.map(({ id }: { id: string }) => id)
  let isRunning = true
  const list = async () => {
    while (isRunning) expect((await reader.get('/users')).status).toBe(200)
  }
  const listing = list()
  const stale: unknown[] = []
  for (const [n, id] of ids.entries()) {
    const team = (await writer.post('/teams', { name: 'Payments' })).json
    const created = await reader.get(`/teams/${team.id}`)
    await writer.patch(`/users/${id}`, { name: `changed ${n}` })
    const changed = await reader.get(`/users/${id}`)
    await writer.delete(`/users/${id}`)
    const deleted = await reader.get(`/users/${id}`)
    const seen = `${created.status} ${changed.json.name} ${deleted.status}`
    if (seen !== `200 changed ${n} 404`) stale.push(seen)
  }
  isRunning = false
  await listing
  expect(stale).toEqual([])
})
