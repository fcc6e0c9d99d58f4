import Sqlite from 'better-sqlite3'
import { databaseForTest, fileOf } from 'testkit/engines.ts'
import { createTeamWriter } from 'testkit/team-writer.ts'
import { expect, onTestFinished, test } from 'vitest'
import { PROFILES } from '../../src/composition/variables.ts'
import { openDatabase } from '../../src/database/open.ts'
import { operatorErrorOf, startAndStop } from '../support/commands.ts'
import { databaseAt } from '../support/database.ts'
import { serviceOn } from '../support/http-fixture.ts'

test('while another connection has locked the file, writes and starts wait for 5 s and fail, and reads succeed', async () => {
  const url = await databaseForTest('sqlite-file')
  const db = await openDatabase(databaseAt(url), PROFILES.a.migrations)
  onTestFinished(() => db.close())
  const { service } = serviceOn(db)
  const writer = createTeamWriter(() => service)
  await writer.createTeams(10)
  const other = new Sqlite(fileOf(url))
  onTestFinished(() => void other.close())
  other.exec('begin exclusive')

  const starting = operatorErrorOf(startAndStop({ DATABASE_URL: url }))
  const started = performance.now()
  // More than two groups: a group does not wait for another 5 s after the one before it.
  const first = writer.createTeams(1).then(() => performance.now() - started)
  const writes = writer.createTeams(600)
  await writer.expectConfirmedTeams()
  expect(await writes).toEqual({ 201: 0, 503: 600 })
  expect(await first).toBeGreaterThan(4500)
  expect(performance.now() - started).toBeLessThan(2 * (await first))
  expect(await starting).toMatch(/^DATABASE_URL: cannot use .*database is locked$/)

  const waiting = writer.createTeams(20)
  await writer.expectConfirmedTeams() // its response comes after the writes have started to wait
  other.exec('rollback')
  expect(await waiting).toEqual({ 201: 20, 503: 0 })
  await writer.expectConfirmedTeams()
})
