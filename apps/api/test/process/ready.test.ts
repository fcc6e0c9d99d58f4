import Sqlite from 'better-sqlite3'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { clientOf } from '../support/client.ts'
import { freshDatabase } from '../support/engines.ts'
import { type Running, startService } from '../support/process.ts'

let database: Awaited<ReturnType<typeof freshDatabase>>
let service: Running
const { get } = clientOf((path) => fetch(service.url + path))

beforeEach(async () => {
  database = await freshDatabase('sqlite-file')
  service = await startService({ DATABASE_URL: database.url, DRAIN_MS: '1000' })
})
afterEach(async () => {
  await service.stop()
  await database.drop()
})

test('a service that is told to stop is not ready from then on, and answers all else until it has drained', async () => {
  expect((await get('/readyz')).status).toBe(200)
  const stopped = service.stop()
  await expect.poll(async () => (await get('/readyz')).status).toBe(503)
  const { status, headers } = await get('/teams')
  expect(status).toBe(200)
  expect(headers.get('connection')).toBe('close')
  expect((await get('/healthz')).status).toBe(200)
  expect(await stopped).toBe(0)
})

test.each([
  [
    'has a migration that it does not know',
    `insert into kysely_migration values ('9999_later', '2030-01-01')`,
  ],
  ['lacks one of its migrations', 'delete from kysely_migration'],
  ['cannot be read', 'drop table kysely_migration'],
])('a service whose schema %s is not ready', async (_, sql) => {
  const connection = new Sqlite(database.url.slice('sqlite:'.length))
  connection.exec(sql)
  connection.close()
  const { status, headers } = await get('/readyz')
  expect(status).toBe(503)
  expect(headers.get('retry-after')).toMatch(/^\d+$/)
  expect((await get('/healthz')).status).toBe(200)
})
