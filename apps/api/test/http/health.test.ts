import { sql } from 'kysely'
import { databaseForTest } from 'testkit/engines.ts'
import { expect, inject, test } from 'vitest'
import manifest from '../../package.json' with { type: 'json' }
import { PROFILES } from '../../src/app.ts'
import { serviceAt } from '../support/http-fixture.ts'
import { logOf } from '../support/listen.ts'

const startService = async () =>
  serviceAt(await databaseForTest(inject('engine')))

test('/readyz names the reason in its body, and the log has one line per change, not per check', async () => {
  const service = await startService()
  const check = async () => {
    const { status, json, headers } = await service.get('/readyz')
    return [status, json, headers.get('retry-after')]
  }
  const rename = (from: string, to: string) =>
    service.db
      .updateTable('kysely_migration')
      .set({ name: to })
      .where('name', '=', from)
      .execute()
  const [first = ''] = Object.keys(PROFILES.a.migrations)
  await check()
  await rename(first, '9999-later')
  const reason =
    'the schema has a migration that this version does not know: 9999-later'
  const unavailable = { detail: 'Service Unavailable', reason }
  for (const _ of [1, 2]) expect(await check()).toEqual([503, unavailable, '1'])
  await rename('9999-later', first)
  for (const _ of [1, 2])
    expect(await check()).toEqual([200, { status: 'ready' }, null])
  const lines = logOf(service).filter(({ level }) => level >= 30)
  expect(lines).toMatchObject([
    { msg: 'not ready', level: 40, reason },
    { msg: 'ready again', level: 30 },
  ])
})

test('a service whose schema lacks a migration or cannot be read responds 200 on /healthz, and 503 with the reason on /readyz', async () => {
  const service = await startService()
  for (const [statement, reason] of [
    [sql`delete from kysely_migration`, /lacks the migration 0001-/],
    [
      sql`drop table kysely_migration`,
      /^cannot read the schema: (SQLITE_ERROR|42P01)$/,
    ],
  ] as const) {
    await statement.execute(service.db)
    expect(await service.get('/readyz')).toMatchObject({
      status: 503,
      json: { reason: expect.stringMatching(reason) },
    })
    expect(await service.get('/healthz')).toMatchObject({
      status: 200,
      json: { status: 'ok', version: manifest.version },
    })
  }
})
