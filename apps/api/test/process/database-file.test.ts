import { chmod, readdir, readFile, rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import Sqlite from 'better-sqlite3'
import { databaseForTest, fileOf } from 'testkit/engines.ts'
import { runService } from 'testkit/process.ts'
import { createTeamWriter } from 'testkit/team-writer.ts'
import { expect, onTestFinished, test } from 'vitest'
import { PROFILES } from '../../src/composition/variables.ts'
import { openDatabase } from '../../src/database/open.ts'
import { databaseAt } from '../support/database.ts'
import { type Service, serviceOn } from '../support/http-fixture.ts'

type Change = (file: string) => Promise<void>

/** The service on a file, in this process. */
async function open(url: string) {
  const db = await openDatabase(databaseAt(url), PROFILES.a.migrations)
  return { db, service: serviceOn(db).service }
}

test.each<[string, Change]>([
  ['is removed with its folder', (file) => rm(dirname(file), { recursive: true })],
  ['is moved away', (file) => rename(file, `${file}.moved`)],
  ['is replaced by another', replace],
  ['loses its -wal', (file) => rm(`${file}-wal`)],
])(
  'a file that %s accepts no more writes: they and /readyz respond 503, since a commit would be lost',
  async (_, change) => {
    const url = await databaseForTest('sqlite-file')
    const { db, service } = await open(url)
    onTestFinished(() => db.close())
    const writer = createTeamWriter(() => service)
    expect(await writer.createTeams(10)).toEqual({ 201: 10, 503: 0 })
    expect((await service.get('/readyz')).status).toBe(200)
    await change(fileOf(url))
    expect(await writer.createTeams(10)).toEqual({ 201: 0, 503: 10 })
    expect((await service.get('/readyz')).status).toBe(503)
    expect((await service.get('/healthz')).status).toBe(200)
    expect(service.logLines.join('\n')).toContain('removed or replaced')
  },
)

test.each<[string, Change, Change]>([
  [
    'was moved away and back',
    (file) => rename(file, `${file}.moved`),
    (file) => rename(`${file}.moved`, file),
  ],
  ['has lost its -wal', (file) => rm(`${file}-wal`), async () => {}],
])('a file that %s has every confirmed write after the next start', async (_, change, undo) => {
  const url = await databaseForTest('sqlite-file')
  let service: Service
  const writer = createTeamWriter(() => service)
  const first = await open(url)
  service = first.service
  await writer.createTeams(10)
  await change(fileOf(url))
  await writer.createTeams(10)
  await undo(fileOf(url))
  await first.db.close()
  const second = await open(url)
  onTestFinished(() => second.db.close())
  service = second.service
  await writer.expectConfirmedTeams()
})

async function replace(file: string): Promise<void> {
  const other = new Sqlite(`${file}.new`)
  other.exec('create table other (n)')
  other.close()
  await rename(`${file}.new`, file)
}

/** Root may write everywhere, unless the process gives up these capabilities. */
const WITHOUT_PRIVILEGES =
  process.getuid?.() === 0
    ? [
        'setpriv',
        '--bounding-set=-dac_override,-dac_read_search',
        '--inh-caps=-dac_override,-dac_read_search',
      ]
    : []

test.each([
  ['the file', (file: string) => chmod(file, 0o444)],
  ['its folder', (file: string) => chmod(dirname(file), 0o555)],
])('a start is rejected in one line when %s is read-only, and changes nothing', async (_, makeReadOnly) => {
  const url = await databaseForTest('sqlite-file')
  const file = fileOf(url)
  onTestFinished(() => chmod(dirname(file), 0o755))
  const before = await readFile(file)
  await makeReadOnly(file)
  const { code, stderr } = await runService({ DATABASE_URL: url, PORT: '0' }, [], WITHOUT_PRIVILEGES)
  expect({ code, stderr }).toEqual({
    code: 1,
    stderr: expect.stringMatching(/^DATABASE_URL: cannot use [^\n]*(EACCES|SQLITE_READONLY)[^\n]*\n$/),
  })
  expect((await readFile(file)).equals(before)).toBe(true)
  expect(await readdir(dirname(file))).toEqual(['users.db'])
})
