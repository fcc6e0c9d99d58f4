import { execFileSync } from 'node:child_process'
import { copyFile, open, readdir, readFile, stat, truncate } from 'node:fs/promises'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { databaseForTest, fileOf, folderForTest } from 'testkit/engines.ts'
import { runCommand } from 'testkit/process.ts'
import { startServiceForTest } from 'testkit/service-process.ts'
import { beforeEach, describe, expect, test } from 'vitest'
import type { OpenDatabase } from '../../src/open-database.ts'
import { createTeam } from '../../src/profile-a/store/teams.ts'
import { operatorErrorOf, startAndStop } from '../support/commands.ts'
import { openForTest, serviceAt } from '../support/http-fixture.ts'

const PAGE_BYTES = 4096
const TEAMS = 500

let url: string
let file: string
beforeEach(async () => {
  url = await databaseForTest('sqlite-file')
  file = fileOf(url)
})

/** Stores teams in several commits and returns their names in the order of the commits. */
async function storeTeams({ db }: OpenDatabase): Promise<string[]> {
  const names = Array.from({ length: TEAMS }, (_, n) => `team ${n} ${'x'.repeat(80)}`)
  for (let n = 0; n < TEAMS; n += 100)
    await Promise.all(names.slice(n, n + 100).map((name) => createTeam(db, { name })))
  return names
}

async function storeTeamsAndClose(): Promise<void> {
  const db = await openForTest(url)
  await storeTeams(db)
  await db.close()
}

async function overwrite(path: string, at: number, bytes: number): Promise<void> {
  const handle = await open(path, 'r+')
  await handle.write(Buffer.alloc(bytes, 0xa5), 0, bytes, at)
  await handle.close()
}

describe('a start is rejected in one line, and the file stays unchanged, when the file has', () => {
  test.each([
    ['a damaged header', () => overwrite(file, 0, 100)],
    ['a damaged schema', () => overwrite(file, 100, 3900)],
    [
      'lost its second half',
      async () => truncate(file, Math.floor((await stat(file)).size / PAGE_BYTES / 2) * PAGE_BYTES),
    ],
  ])('%s', async (_, damage) => {
    await storeTeamsAndClose()
    await damage()
    const before = await readFile(file)
    expect(await operatorErrorOf(startAndStop({ DATABASE_URL: url }))).toMatch(
      /^DATABASE_URL: cannot use .*(malformed|not a database)/,
    )
    expect((await readFile(file)).equals(before)).toBe(true)
  })
})

test('a damaged page makes requests that read it respond 500, and no others', async () => {
  await storeTeamsAndClose()
  const connection = new Sqlite(file)
  const page = connection
    .prepare("select rootpage from sqlite_master where name = 'teams'")
    .pluck()
    .get() as number
  connection.close()
  const start = (page - 1) * PAGE_BYTES
  await overwrite(file, start, PAGE_BYTES)
  const damaged = await readFile(file)
  const service = await serviceAt(url)
  for (const response of [await service.get('/teams'), await service.post('/teams', { name: 'x' })])
    expect(response).toMatchObject({ status: 500, json: { detail: 'Internal Server Error' } })
  expect(service.logLines.join('\n')).toContain('SQLITE_CORRUPT')
  expect((await service.get('/roles')).status).toBe(200)
  expect((await service.post('/roles', { name: 'admin' })).status).toBe(201)
  await service.database.close()
  const pageOf = (content: Buffer) => content.subarray(start, start + PAGE_BYTES)
  expect(pageOf(await readFile(file)).equals(pageOf(damaged))).toBe(true)
})

test('after a crash with a damaged -wal file, the commits before the damage are stored, and no part of another', async () => {
  // A copy of the files of an open database is what a killed process leaves.
  const crashed = await openForTest(url)
  const names = await storeTeams(crashed)
  const copy = fileOf(await databaseForTest('sqlite-file'))
  for (const suffix of ['', '-wal']) await copyFile(`${file}${suffix}`, `${copy}${suffix}`)
  await crashed.close()
  await overwrite(`${copy}-wal`, Math.floor((await stat(`${copy}-wal`)).size / 2), 100)

  const service = await serviceAt(`sqlite:${copy}`)
  const stored: string[] = (await service.get('/teams')).json.map(({ name }: { name: string }) => name)
  expect(stored.length).toBeGreaterThan(0)
  expect(stored.length).toBeLessThan(TEAMS)
  expect(new Set(stored)).toEqual(new Set(names.slice(0, stored.length)))
  const connection = new Sqlite(copy)
  expect(connection.pragma('integrity_check', { simple: true })).toBe('ok')
  connection.close()
})

/** Runs a command without a umask, which would hide the modes that the service asks for. */
const WITHOUT_UMASK = ['sh', '-c', 'umask 0; exec "$@"', 'sh']

test('only the owner may read the files and folders that the service and a backup create, except the time of a backup', async () => {
  const folder = await folderForTest()
  const data = join(folder, 'new', 'data')
  const DATABASE_URL = `sqlite:${data}/users.db`
  const service = await startServiceForTest({ DATABASE_URL }, WITHOUT_UMASK)
  await service.post('/teams', { name: 'x' })
  const run = (...args: string[]) => runCommand({ DATABASE_URL }, args, WITHOUT_UMASK)
  expect(await run('backup', join(data, 'backup.db'))).toMatchObject({ code: 0 })

  const modes: Record<string, string> = {}
  for (const name of await readdir(folder, { recursive: true }))
    modes[name] = ((await stat(join(folder, name))).mode & 0o777).toString(8)
  expect(modes).toEqual({
    new: '700',
    'new/data': '700',
    'new/data/users.db': '600',
    'new/data/users.db.last-backup': '644',
    'new/data/users.db-shm': '600',
    'new/data/users.db-wal': '600',
    'new/data/backup.db': '600',
  })
})

function canTrace(): boolean {
  try {
    execFileSync('strace', ['-D', '-o', '/dev/null', 'true'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

const WRITES = 20

/** Needs strace, and the permission to use it. */
test.skipIf(!canTrace())(
  'the -wal file is flushed to the disk between its last write and the response',
  async () => {
    const folder = await folderForTest()
    const trace = join(folder, 'trace')
    const calls = 'trace=pwrite64,fdatasync,fsync,write,writev'
    const service = await startServiceForTest({ DATABASE_URL: `sqlite:${folder}/users.db` }, [
      ...['strace', '-D', '-f', '-y', '-s', '20', '-o', trace, '-e', calls],
    ])
    for (let n = 0; n < WRITES; n += 1)
      expect((await service.post('/teams', { name: `${n}` })).status).toBe(201)
    await service.stop()

    // One letter for each call of interest, in their order: write, flush, respond.
    const letters: [RegExp, string][] = [
      [/ pwrite64\(\d+<[^>]*\.db-wal>/, 'w'],
      [/ f(data)?sync\(\d+<[^>]*\.db-wal>/, 'f'],
      [/ writev?\(\d+<socket:.*HTTP\/1\.1 201/, 'r'],
    ]
    const order = async () => {
      const lines = (await readFile(trace, 'utf8')).split('\n')
      return lines.map((line) => letters.find(([call]) => call.test(line))?.[1] ?? '').join('')
    }
    // strace may write its last lines after the service has ended.
    await expect.poll(order).toMatch(new RegExp(`(w+f+r){${WRITES}}`))
  },
)
