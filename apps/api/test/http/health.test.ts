import { CompiledQuery } from 'kysely'
import { databaseForTest } from 'testkit/engines.ts'
import { expect, inject, test } from 'vitest'
import manifest from '../../package.json' with { type: 'json' }
import { PROFILES } from '../../src/app.ts'
import { serviceAt } from '../support/http-fixture.ts'

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
  for (let n = 0; n < 2; n += 1)
    expect(await check()).toEqual([503, unavailable, '1'])
  await rename('9999-later', first)
  for (let n = 0; n < 2; n += 1)
    expect(await check()).toEqual([200, { status: 'ready' }, null])
  const lines = service.logLines
    .map((line) => JSON.parse(line))
    .filter(({ level }) => level >= 30)
  expect(lines).toMatchObject([
    { msg: 'not ready', level: 40, reason },
    { msg: 'ready again', level: 30 },
  ])
})

test.for([
  ['lacks a migration', 'delete from', /lacks the migration 0001-/],
  // The reason has only the code, because the message of an error can contain
  // secrets.
  [
    'cannot be read',
    'drop table',
    /^cannot read the schema: (SQLITE_ERROR|42P01)$/,
  ],
] as const)(
  'a service whose schema %s is alive, but not ready',
  async ([, statement, reason]) => {
    const service = await startService()
    expect((await service.get('/readyz')).status).toBe(200)
    const sql = `${statement} kysely_migration`
    await service.db.executeQuery(CompiledQuery.raw(sql))
    expect(await service.get('/readyz')).toMatchObject({
      status: 503,
      json: { reason: expect.stringMatching(reason) },
    })
    expect(await service.get('/healthz')).toMatchObject({
      status: 200,
      json: { status: 'ok', version: manifest.version },
    })
  },
)
