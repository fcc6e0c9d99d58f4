import { rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import Sqlite from 'better-sqlite3'
import { expect, test } from 'vitest'
import { freshDatabase } from '../../support/engines.ts'
import { startService } from '../../support/process.ts'
import { recorderOf } from '../../support/team-writer.ts'

test.each<[string, (file: string) => Promise<void>]>([
  ['is removed with its folder', (file) => rm(dirname(file), { recursive: true })],
  ['is moved away', (file) => rename(file, `${file}.moved`)],
  ['is replaced by another', replace],
  ['loses its -wal', (file) => rm(`${file}-wal`)],
])(
  'a file that %s takes no more writes: 503, readyz too, since the answer would be a lie',
  async (_, harm) => {
    const { url, drop } = await freshDatabase('sqlite-file')
    const file = url.slice('sqlite:'.length)
    const service = await startService({ DATABASE_URL: url })
    const client = recorderOf(() => service.url)
    expect(await client.createTeams(10)).toEqual({ 201: 10, 503: 0 })
    expect((await client.get('/readyz')).status).toBe(200)
    await harm(file)
    expect(await client.createTeams(10)).toEqual({ 201: 0, 503: 10 })
    expect((await client.get('/readyz')).status).toBe(503)
    expect((await client.get('/healthz')).status).toBe(200)
    expect(service.logLines.join('\n')).toContain('removed or replaced')
    expect(await service.stop()).toBe(0)
    await drop().catch(() => {})
  },
)

test.each<[string, (file: string) => Promise<void>, (file: string) => Promise<void>]>([
  [
    'was moved away and back',
    (file) => rename(file, `${file}.moved`),
    (file) => rename(`${file}.moved`, file),
  ],
  ['has lost its -wal', (file) => rm(`${file}-wal`), async () => {}],
])('a file that %s has everything that was answered after the next start', async (_, harm, mend) => {
  const { url, drop } = await freshDatabase('sqlite-file')
  const file = url.slice('sqlite:'.length)
  let service = await startService({ DATABASE_URL: url })
  const client = recorderOf(() => service.url)
  await client.createTeams(10)
  await harm(file)
  await client.createTeams(10)
  await mend(file)
  await service.stop()
  service = await startService({ DATABASE_URL: url })
  await client.expectAll()
  await service.stop()
  await drop()
})

async function replace(file: string): Promise<void> {
  const other = new Sqlite(`${file}.new`)
  other.exec('create table other (n)')
  other.close()
  await rename(`${file}.new`, file)
}
