import { databaseForTest } from 'testkit/engines.ts'
import { expect, inject, onTestFinished, test as plainTest } from 'vitest'
import { PROFILES } from '../../src/composition/variables.ts'
import { openDatabase } from '../../src/database/open.ts'
import { databaseAt } from '../support/database.ts'
import { serviceOn, test } from '../support/http-fixture.ts'

test('a service is alive and ready, and its health stays out of the documentation', async ({ service }) => {
  expect(await service.get('/healthz')).toMatchObject({ status: 200 })
  expect(await service.get('/readyz')).toMatchObject({ status: 200 })
  expect(Object.keys((await service.get('/openapi.json')).json.paths)).not.toContain('/healthz')
})

plainTest.for([
  ['has an unknown migration', "insert into kysely_migration values ('9999-later', '2030-01-01')"],
  ['lacks a migration', 'delete from kysely_migration'],
  ['cannot be read', 'drop table kysely_migration'],
] as const)('a service whose schema %s is alive, but not ready', async ([, sql]) => {
  const url = await databaseForTest(inject('engine'))
  const db = await openDatabase(databaseAt(url), PROFILES.a.migrations)
  onTestFinished(() => db.close())
  const { service } = serviceOn(db)
  expect((await service.get('/readyz')).status).toBe(200)
  await db.execute({ sql, name: '' }, [])
  const { status, headers } = await service.get('/readyz')
  expect(status).toBe(503)
  expect(headers.get('retry-after')).toMatch(/^\d+$/)
  expect((await service.get('/healthz')).status).toBe(200)
})
