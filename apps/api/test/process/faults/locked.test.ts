import Sqlite from 'better-sqlite3'
import { expect, test } from 'vitest'
import { freshDatabase } from '../../support/engines.ts'
import { runService, startService } from '../../support/process.ts'
import { recorderOf } from '../../support/team-writer.ts'

test('a file that another process has locked is waited for, then writes get 503 and a start ends; reads go on', async () => {
  const { url, drop } = await freshDatabase('sqlite-file')
  const service = await startService({ DATABASE_URL: url })
  const client = recorderOf(() => service.url)
  await client.createTeams(10)
  const other = new Sqlite(url.slice('sqlite:'.length))
  other.exec('begin exclusive')

  const starting = runService({ DATABASE_URL: url, PORT: '0' })
  const started = performance.now()
  // More than one group: those behind the first do not wait their own five seconds after its.
  const writes = client.createTeams(600)
  await client.expectAll()
  expect(await writes).toEqual({ 201: 0, 503: 600 })
  expect(performance.now() - started).toBeGreaterThan(4500)
  expect(performance.now() - started).toBeLessThan(9500)

  const { code, stderr } = await starting
  expect({ code, stderr }).toEqual({
    code: 1,
    stderr: expect.stringMatching(/^DATABASE_URL: cannot use [^\n]*database is locked\n$/),
  })

  const waiting = client.createTeams(20)
  await client.expectAll() // which is answered after these have come in
  other.exec('rollback')
  expect(await waiting).toEqual({ 201: 20, 503: 0 })
  await client.expectAll()

  other.close()
  await service.stop()
  await drop()
}, 30_000)
