import { CompiledQuery } from 'kysely'
import { databaseForTest } from 'testkit/engines.ts'
import { expect, inject, test as plainTest } from 'vitest'
import manifest from '../../package.json' with { type: 'json' }
import { PROFILES } from '../../src/app.ts'
import { serviceAt, test } from '../support/http-fixture.ts'

const INFO = 30

plainTest(
  '/readyz names the reason in its body, and the log has one line per change, not per check',
  async () => {
    const service = await serviceAt(await databaseForTest(inject('engine')))
    const check = async () => {
      const { status, json, headers } = await service.get('/readyz')
      return [status, json, headers.get('retry-after')]
    }
    const setName = (from: string, to: string) =>
      service.db
        .updateTable('kysely_migration')
        .set({ name: to })
        .where('name', '=', from)
        .execute()
    const [first = ''] = Object.keys(PROFILES.a.migrations)
    await check()
    await setName(first, '9999-later')
    const reason =
      'the schema has a migration that this version does not know: 9999-later'
    for (let n = 0; n < 3; n += 1)
      expect(await check()).toEqual([
        503,
        { detail: 'Service Unavailable', reason },
        '1',
      ])
    await setName('9999-later', first)
    for (let n = 0; n < 3; n += 1)
      expect(await check()).toEqual([200, { status: 'ready' }, null])
    await service.get('/healthz')
    const lines = service.logLines
      .map((line) => JSON.parse(line))
      .filter(({ level }) => level >= INFO)
    expect(
      lines.map(({ msg, level, reason }) => ({ msg, level, reason })),
    ).toEqual([
      { msg: 'not ready', level: 40, reason },
      { msg: 'ready again', level: INFO, reason: undefined },
    ])
  },
)

test('a service is alive and ready, and its health stays out of the documentation', async ({
  service,
}) => {
  const { version } = manifest
  expect(await service.get('/healthz')).toMatchObject({
    status: 200,
    json: { status: 'ok', version },
  })
  expect(await service.get('/readyz')).toMatchObject({ status: 200 })
  expect(
    Object.keys((await service.get('/openapi.json')).json.paths),
  ).not.toContain('/healthz')
})

plainTest.for([
  [
    'has an unknown migration',
    "insert into kysely_migration values ('9999-later', '2030-01-01')",
    /does not know: 9999-later$/,
  ],
  [
    'lacks a migration',
    'delete from kysely_migration',
    /lacks the migration 0001-/,
  ],
  // The reason has only the code, because the message of an error can contain
  // secrets.
  [
    'cannot be read',
    'drop table kysely_migration',
    /^cannot read the schema: (SQLITE_ERROR|42P01)$/,
  ],
] as const)(
  'a service whose schema %s is alive, but not ready',
  async ([, sql, reason]) => {
    const service = await serviceAt(await databaseForTest(inject('engine')))
    expect((await service.get('/readyz')).status).toBe(200)
    await service.db.executeQuery(CompiledQuery.raw(sql))
    expect(await service.get('/readyz')).toMatchObject({
      status: 503,
      json: { reason: expect.stringMatching(reason) },
    })
    expect((await service.get('/healthz')).status).toBe(200)
  },
)
