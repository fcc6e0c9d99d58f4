import pg from 'pg'
import { expect, test } from 'vitest'
import { freshDatabase } from '../../support/engines.ts'
import { startService } from '../../support/process.ts'
import { recorderOf } from '../../support/team-writer.ts'

test('a PostgreSQL that takes no more connections is a 503 for whom there is none, and an answer for the others', async () => {
  const { url, drop } = await freshDatabase('postgres')
  const admin = new pg.Client(url)
  await admin.connect()
  const role = new URL(url).pathname.slice(1)
  await admin.query(`create role ${role} login password 'x' connection limit 2`)
  await admin.query(`grant all on schema public to ${role}`)
  const limited = new URL(url)
  limited.username = role
  limited.password = 'x'
  const service = await startService({ DATABASE_URL: limited.href })
  const client = recorderOf(() => service.url)

  const counts = await client.createTeams(100)
  expect(counts[201]).toBeGreaterThan(0)
  expect(counts[503]).toBeGreaterThan(0)
  await expect.poll(client.expectAll).toBeUndefined()
  expect(service.logLines.join('\n')).toContain('53300')

  await admin.query(`alter role ${role} connection limit 20`)
  expect(await client.createTeams(100)).toEqual({ 201: 100, 503: 0 })
  await client.expectAll()
  await service.stop()
  await admin.query(`drop owned by ${role}; drop role ${role}`)
  await admin.end()
  await drop()
})
