import pg from 'pg'
import { databaseForTest } from 'testkit/engines.ts'
import { createTeamWriter } from 'testkit/team-writer.ts'
import { expect, onTestFinished, test } from 'vitest'
import { PROFILES } from '../../src/composition/variables.ts'
import { openDatabase } from '../../src/database/open.ts'
import { databaseAt } from '../support/database.ts'
import { serviceOn } from '../support/http-fixture.ts'

test('a PostgreSQL that accepts too few connections makes requests without one respond 503, and the others succeed', async () => {
  const url = await databaseForTest('postgres')
  const admin = new pg.Client(url)
  await admin.connect()
  const role = new URL(url).pathname.slice(1)
  await admin.query(`create role ${role} login password 'x' connection limit 2`)
  onTestFinished(async () => {
    await admin.query(`drop owned by ${role}; drop role ${role}`)
    await admin.end()
  })
  await admin.query(`grant all on all tables in schema public to ${role}`)
  const limited = new URL(url)
  limited.username = role
  limited.password = 'x'
  const db = await openDatabase(databaseAt(limited.href), PROFILES.a.migrations)
  onTestFinished(() => db.close())
  const { service } = serviceOn(db)
  const writer = createTeamWriter(() => service)

  const counts = await writer.createTeams(100)
  expect(counts[201]).toBeGreaterThan(0)
  expect(counts[503]).toBeGreaterThan(0)
  await expect.poll(writer.expectConfirmedTeams).toBeUndefined()
  expect(service.logLines.join('\n')).toContain('53300')

  await admin.query(`alter role ${role} connection limit 20`)
  expect(await writer.createTeams(100)).toEqual({ 201: 100, 503: 0 })
  await writer.expectConfirmedTeams()
})
