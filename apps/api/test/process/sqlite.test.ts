import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import {
  chmod,
  copyFile,
  link,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  symlink,
  utimes,
  writeFile,
} from 'node:fs/promises'
import { dirname, join } from 'node:path'
import Sqlite from 'better-sqlite3'
import type { Client } from 'testkit/client.ts'
import { databaseForTest, fileOf, folderForTest } from 'testkit/engines.ts'
import { runService } from 'testkit/process.ts'
import { startServiceForTest } from 'testkit/service-for-test.ts'
import { expect, onTestFinished, test } from 'vitest'
import { serviceAt } from '../support/http-fixture.ts'
import { operatorErrorOf, startAndStop } from '../support/listen.ts'

function createTeamWriter(service: Client) {
  const confirmed: string[] = []
  let requested = 0
  async function createTeam(): Promise<number> {
    requested += 1
    const name = `team ${requested} ${'x'.repeat(80)}`
    const { status, headers, text } = await service.post('/teams', { name })
    if (status === 201) confirmed.push(name)
    else
      expect(`${status} ${headers.get('retry-after')} ${text}`).toMatch(
        /^503 \d+ {"detail":"Service Unavailable"}$/,
      )
    return status
  }
  return {
    createTeams: async (count: number) => [
      ...new Set(await Promise.all(Array.from({ length: count }, createTeam))),
    ],
    async expectConfirmedTeams(client = service): Promise<void> {
      const teams: { name: string }[] = (await client.get('/teams')).json
      expect(teams.map(({ name }) => name).sort()).toEqual(confirmed.toSorted())
    },
  }
}

async function open() {
  const url = await databaseForTest('sqlite-file')
  const service = await serviceAt(url)
  return { url, file: fileOf(url), service, ...createTeamWriter(service) }
}

function connect(file: string): Sqlite.Database {
  const connection = new Sqlite(file)
  onTestFinished(() => void connection.close())
  return connection
}

test('while another connection has locked the file, writes wait for 5 s and fail, and reads and starts succeed', async () => {
  const { url, file, createTeams, expectConfirmedTeams } = await open()
  await createTeams(10)
  const other = connect(file).exec('begin exclusive')

  const starting = startAndStop({ DATABASE_URL: url })
  const started = performance.now()
  const first = createTeams(1).then(() => performance.now() - started)
  const writes = createTeams(600)
  await expectConfirmedTeams()
  expect(await writes).toEqual([503])
  expect(await first).toBeGreaterThan(4500)
  // All 600 writes must be rejected after one wait for the lock: a second wait
  // would double the time.
  expect(performance.now() - started).toBeLessThan(2 * (await first))
  await starting

  const waiting = createTeams(20)
  await expectConfirmedTeams()
  other.exec('rollback')
  expect(await waiting).toEqual([201])
  await expectConfirmedTeams()
})

/**
 * Ignores SIGXFSZ, so that a write beyond the file size limit fails with EFBIG
 * instead of ending the process.
 */
const IGNORING_SIGXFSZ = ['sh', '-c', `trap '' XFSZ; exec "$@"`, 'sh']

test.skipIf(process.platform !== 'linux')(
  'a full disk makes writes respond 503 and reads succeed until there is space; SIGKILL after that loses no confirmed write',
  async () => {
    const url = await databaseForTest('sqlite-file')
    const env = { DATABASE_URL: url }
    const service = await startServiceForTest(env, IGNORING_SIGXFSZ)
    const { createTeams, expectConfirmedTeams } = createTeamWriter(service)
    const limitFiles = (bytes: string) =>
      execFileSync('prlimit', [
        `--pid=${service.process.pid}`,
        `--fsize=${bytes}:unlimited`,
      ])
    expect(await createTeams(20)).toEqual([201])
    limitFiles('100000')
    await expect.poll(() => createTeams(40)).toEqual([503])
    await expectConfirmedTeams()
    expect((await service.get('/readyz')).status).toBe(200)

    limitFiles('unlimited')
    expect(await createTeams(40)).toEqual([201])
    await service.stop('SIGKILL')
    await expectConfirmedTeams(await serviceAt(url))
    expect(
      connect(fileOf(url)).pragma('integrity_check', { simple: true }),
    ).toBe('ok')
  },
)

test.each([
  ['file', (file: string) => rename(`${file}.new`, file)],
  ['-wal', (file: string) => rm(`${file}-wal`)],
  ['-shm', (file: string) => rm(`${file}-shm`)],
])(
  'a file that was replaced or lost its -wal or -shm accepts no more writes, and the service is not ready, which the log has once (%s)',
  async (_, change) => {
    const file = fileOf(await databaseForTest('sqlite-file'))
    const link = `${file}.link`
    await symlink(file, link)
    const service = await serviceAt(`sqlite:${link}`)
    const { createTeams } = createTeamWriter(service)
    expect(await createTeams(10)).toEqual([201])
    await copyFile(file, `${file}.new`)
    await createTeams(10)
    await change(file)
    const reason = `${link} was removed or replaced while in use: restart the service`
    const notReady = { status: 503, json: { reason } }
    for (let n = 0; n < 3; n += 1) {
      expect(await createTeams(10)).toEqual([503])
      expect(await service.get('/readyz')).toMatchObject(notReady)
    }
    const lines = service.logLines.filter((line) => line.includes('not ready'))
    expect(lines).toEqual([expect.stringContaining(reason)])
    expect((await service.get('/teams')).status).toBe(200)
  },
)

test.each([
  ['-shm', 'at a write', ['before', 'after']],
  ['-shm', 'at a health check', ['before', 'after']],
  ['-shm', 'at its stop', ['before', 'after']],
  // The team "before" is lost: only the removed -wal file contained the team.
  ['-shm and -wal', 'at its stop', ['after']],
])(
  'a service whose %s was removed, which it notices %s, overwrites no write of another instance when it stops',
  async (removed, moment, stored) => {
    const url = await databaseForTest('sqlite-file')
    const first = await startServiceForTest({ DATABASE_URL: url })
    await first.post('/teams', { name: 'before' })
    for (const suffix of removed.split(' and '))
      await rm(`${fileOf(url)}${suffix}`)
    if (moment === 'at a write')
      expect((await first.post('/teams', { name: 'x' })).status).toBe(503)
    if (moment === 'at a health check')
      expect((await first.get('/readyz')).status).toBe(503)
    const second = await serviceAt(url)
    await second.post('/teams', { name: 'after' })
    await second.database.close()
    expect(await first.stop()).toBe(0)
    const db = connect(fileOf(url))
    const names = db.prepare('select name from teams').pluck().all()
    expect(names).toEqual(stored)
    expect(db.pragma('integrity_check', { simple: true })).toBe('ok')
  },
)

test('a changed time of the file, writes of another connection, and checkpoints stop no writes', async () => {
  const { file, createTeams, expectConfirmedTeams } = await open()
  await utimes(file, 0, 0)
  const other = connect(file)
  for (const statement of [
    'create table other (bytes)',
    'pragma wal_checkpoint(truncate)',
    'vacuum',
    // Without automatic checkpoints of this connection, only the service can
    // checkpoint the inserted pages.
    'pragma wal_autocheckpoint = 0; insert into other values (zeroblob(5e6))',
  ]) {
    other.exec(statement)
    for (const _ of [1, 2]) expect(await createTeams(10)).toEqual([201])
  }
  const [{ log = 0 } = {}] = other.pragma('wal_checkpoint') as { log: number }[]
  expect(log, 'pages since the checkpoint of the service').toBeLessThan(500)
  await expectConfirmedTeams()
})

const replaceBy = (sql: string) => async (file: string) => {
  await rm(file)
  connect(file).exec(sql)
}

test.each<[string, (file: string) => unknown, reason: string]>([
  ['a folder', () => '/tmp', 'this is a folder: expected a file'],
  ['a device', () => '/dev/null', 'this is a device or a pipe: expected a'],
  ['below a folder that cannot be created', () => '/proc/none/x', 'ENOENT: '],
  ['not a database', () => {}, 'SQLITE_NOTADB: '],
  // SQLite would use a separate -wal file for each hard link, and lose writes.
  ['linked twice', (file) => link(file, `${file}.link`), 'several hard links'],
  [
    'in UTF-16',
    replaceBy("pragma encoding = 'UTF-16'; create table x (x)"),
    'expected the encoding UTF-8, but it is UTF-16le',
  ],
  ['locked', replaceBy('begin exclusive'), 'SQLITE_BUSY: database is locked'],
])(
  'a start is rejected in one line for a file that is %s, and changes nothing',
  async (_, prepare, reason) => {
    const file = join(await folderForTest(), 'users.db')
    await writeFile(file, 'not a database')
    const path = (await prepare(file)) ?? file
    const before = [await readdir(dirname(file)), await readFile(file)]
    const DATABASE_URL = `sqlite:${path}`
    const message = await operatorErrorOf(startAndStop({ DATABASE_URL }))
    expect(message).toMatch(`DATABASE_URL: cannot use ${DATABASE_URL}: `)
    expect(message).toContain(reason)
    expect([await readdir(dirname(file)), await readFile(file)]).toEqual(before)
  },
)

const PRIVILEGES = '-dac_override,-dac_read_search'
const WITHOUT_PRIVILEGES =
  process.getuid?.() === 0
    ? ['setpriv', `--bounding-set=${PRIVILEGES}`, `--inh-caps=${PRIVILEGES}`]
    : []

test.each([
  ['file', (file: string) => chmod(file, 0o444)],
  ['folder', (file: string) => chmod(dirname(file), 0o555)],
])(
  'a start is rejected in one line when the file or its folder is read-only, and changes nothing (%s)',
  async (_, makeReadOnly) => {
    const url = await databaseForTest('sqlite-file')
    const file = fileOf(url)
    onTestFinished(() => chmod(dirname(file), 0o755))
    await startAndStop({ DATABASE_URL: url })
    const before = await readFile(file)
    await makeReadOnly(file)
    const env = { DATABASE_URL: url, PORT: '0' }
    expect(await runService(env, [], WITHOUT_PRIVILEGES)).toEqual({
      code: 1,
      stderr: expect.stringMatching(
        /^DATABASE_URL: cannot use [^\n]*(EACCES|SQLITE_READONLY)[^\n]*\n$/,
      ),
    })
    expect((await readFile(file)).equals(before)).toBe(true)
    expect(await readdir(dirname(file))).toEqual(['users.db'])
  },
)

test('only the owner may read the files and folders that the service creates, and a close removes -shm and -wal', async () => {
  const folder = await folderForTest()
  const umask = process.umask(0)
  onTestFinished(() => void process.umask(umask))
  const { database } = await serviceAt(`sqlite:${folder}/new/data/users.db`)
  const modes: Record<string, string> = {}
  for (const name of await readdir(folder, { recursive: true }))
    modes[name] = ((await stat(join(folder, name))).mode & 0o777).toString(8)
  expect(modes).toEqual({
    new: '700',
    'new/data': '700',
    'new/data/users.db': '600',
    'new/data/users.db-shm': '600',
    'new/data/users.db-wal': '600',
  })
  await database.close()
  expect(existsSync(`${folder}/new/data/users.db-wal`)).toBe(false)
})

const canTrace =
  spawnSync('strace', ['-D', '-o', '/dev/null', 'true']).status === 0

test.skipIf(!canTrace)(
  'the -wal file is flushed to the disk between its last write and the response',
  async () => {
    const folder = await folderForTest()
    const trace = join(folder, 'trace')
    const calls = 'trace=pwrite64,fdatasync,fsync,write,writev'
    const service = await startServiceForTest(
      { DATABASE_URL: `sqlite:${folder}/users.db` },
      ['strace', '-D', '-f', '-y', '-s', '20', '-o', trace, '-e', calls],
    )
    for (let n = 0; n < 20; n += 1)
      expect((await service.post('/teams', { name: `${n}` })).status).toBe(201)
    await service.stop()

    const letters: [RegExp, string][] = [
      [/ pwrite64\(\d+<[^>]*\.db-wal>/, 'w'],
      [/ f(data)?sync\(\d+<[^>]*\.db-wal>/, 'f'],
      [/ writev?\(\d+<socket:.*HTTP\/1\.1 201/, 'r'],
    ]
    const order = async () =>
      (await readFile(trace, 'utf8'))
        .split('\n')
        .map((line) => letters.find(([call]) => call.test(line))?.[1])
        .join('')
    // strace may write its last lines after the service ends.
    await expect.poll(order).toMatch(/(w+f+r){20}/)
  },
)
