import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import {
  chmod,
  link,
  readdir,
  readFile,
  readlink,
  rename,
  rm,
  stat,
} from 'node:fs/promises'
import { dirname, join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { databaseForTest, fileOf, folderForTest } from 'testkit/engines.ts'
import { migrate, runService, spawnService } from 'testkit/process.ts'
import { startServiceForTest } from 'testkit/service-for-test.ts'
import { describe, expect, onTestFinished, test } from 'vitest'
import { operatorErrorOf, startAndStop } from '../support/commands.ts'
import { serviceAt } from '../support/http-fixture.ts'
import { limitedDiskByFileSize, limitedDiskBySpace } from './limited-disks.ts'
import { createTeamWriter } from './team-writer.ts'

test('while another connection has locked the file, writes wait for 5 s and fail, and reads and starts succeed', async () => {
  const url = await databaseForTest('sqlite-file')
  const service = await serviceAt(url)
  const writer = createTeamWriter(() => service)
  await writer.createTeams(10)
  const other = new Sqlite(fileOf(url))
  onTestFinished(() => void other.close())
  other.exec('begin exclusive')

  const starting = startAndStop({ DATABASE_URL: url })
  const started = performance.now()
  // Writes that fill more than two groups. Only the first group may wait 5 s
  // for the lock.
  const first = writer.createTeams(1).then(() => performance.now() - started)
  const writes = writer.createTeams(600)
  await writer.expectConfirmedTeams()
  expect(await writes).toEqual({ 201: 0, 503: 600 })
  expect(await first).toBeGreaterThan(4500)
  expect(performance.now() - started).toBeLessThan(2 * (await first))
  await starting

  const waiting = writer.createTeams(20)
  // A list whose response comes after the writes have started to wait.
  await writer.expectConfirmedTeams()
  other.exec('rollback')
  expect(await waiting).toEqual({ 201: 20, 503: 0 })
  await writer.expectConfirmedTeams()
})

describe.each([
  [
    'a disk of 2 MB',
    limitedDiskBySpace,
    process.platform !== 'linux' || process.getuid?.() !== 0,
  ],
  [
    'a limit to the size of files',
    limitedDiskByFileSize,
    process.platform !== 'linux',
  ],
] as const)('a full disk (%s)', (_, createDisk, isSkipped) => {
  test.skipIf(isSkipped)(
    'makes writes respond 503 and reads succeed until there is space; SIGKILL after that loses no confirmed write',
    async () => {
      const { folder, through, fill, freeSpace, remove } = await createDisk()
      onTestFinished(remove)
      const env = { DATABASE_URL: `sqlite:${folder}/users.db` }
      let service = await startServiceForTest(env, through)
      const writer = createTeamWriter(() => service)
      expect(await writer.createTeams(20)).toEqual({ 201: 20, 503: 0 })
      await fill(service)
      await expect
        .poll(() => writer.createTeams(40))
        .toEqual({ 201: 0, 503: 40 })
      await writer.expectConfirmedTeams()
      expect((await service.get('/readyz')).status).toBe(200)

      await freeSpace(service)
      expect(await writer.createTeams(40)).toEqual({ 201: 40, 503: 0 })
      await writer.expectConfirmedTeams()

      await service.stop('SIGKILL')
      service = await startServiceForTest(env)
      await writer.expectConfirmedTeams()
      expect(await service.stop()).toBe(0)
      const file = new Sqlite(`${folder}/users.db`)
      expect(file.pragma('integrity_check', { simple: true })).toBe('ok')
      file.close()
    },
  )
})

/**
 * Copies `.new` over a file in another process: closing a database file in this
 * process would release SQLite's locks.
 */
const overwrite = (file: string, ...options: string[]) =>
  void execFileSync('cp', [...options, `${file}.new`, file])

test.each([
  [
    'is removed with its folder',
    (file: string) => rm(dirname(file), { recursive: true }),
  ],
  ['is replaced', (file: string) => rename(`${file}.new`, file)],
  ['loses its -wal', (file: string) => rm(`${file}-wal`)],
  ['loses its -shm', (file: string) => rm(`${file}-shm`)],
  ['is overwritten by a backup', overwrite],
  [
    'is overwritten by a backup with its time of change',
    (file: string) => overwrite(file, '--preserve=timestamps'),
  ],
  ['is emptied', (file: string) => execFileSync('truncate', ['-s0', file])],
  [
    'is emptied without a change of its time',
    (file: string) =>
      execFileSync('sh', [
        '-c',
        'touch -r "$0" "$0.new"; truncate -s0 "$0"; touch -r "$0.new" "$0"',
        file,
      ]),
  ],
])(
  'a file that %s accepts no more writes: a commit would be lost',
  async (_, change) => {
    const url = await databaseForTest('sqlite-file')
    const service = await serviceAt(url)
    const writer = createTeamWriter(() => service)
    expect(await writer.createTeams(10)).toEqual({ 201: 10, 503: 0 })
    execFileSync('cp', [fileOf(url), `${fileOf(url)}.new`])
    await writer.createTeams(10)
    await change(fileOf(url))
    for (let n = 0; n < 3; n += 1)
      expect(await writer.createTeams(10)).toEqual({ 201: 0, 503: 10 })
    expect(service.logLines.join()).toMatch(
      /(replaced|overwritten) while in use/,
    )
  },
)

test.runIf(process.getuid?.() === 0)(
  'a file over which a snapshot of its file system is mounted accepts no more writes',
  async () => {
    const [folder, snapshot] = [await folderForTest(), await folderForTest()]
    for (const path of [folder, snapshot]) {
      execFileSync('mount', ['-t', 'tmpfs', 'tmpfs', path])
      onTestFinished(() => void execFileSync('umount', ['--lazy', path]))
    }
    const file = join(folder, 'users.db')
    const service = await serviceAt(`sqlite:${file}`)
    const writer = createTeamWriter(() => service)
    expect(await writer.createTeams(10)).toEqual({ 201: 10, 503: 0 })
    const listed = () =>
      execFileSync('ls', ['-i', folder], { encoding: 'utf8' })
    const before = listed()
    // Copies the files in the order of their inode numbers, so that each copy
    // gets the same number.
    for (let n = 2; n < 20; n += 1) {
      const [, name] = new RegExp(`\\b${n} (users.*)`).exec(before) ?? []
      const from = name ? join(folder, name) : '/dev/null'
      const to = join(snapshot, name ?? `${n}`)
      execFileSync('cp', ['--preserve=timestamps', from, to])
    }
    execFileSync('sh', ['-c', 'rm "$0"/[0-9]*', snapshot])

    execFileSync('mount', ['--bind', snapshot, folder])
    onTestFinished(() => void execFileSync('umount', ['--lazy', folder]))
    expect(listed()).toBe(before)
    expect(await writer.createTeams(10)).toEqual({ 201: 0, 503: 10 })
  },
)

test('a file that is overwritten after a crash accepts no more writes', async () => {
  const url = await databaseForTest('sqlite-file')
  const crashing = await startServiceForTest({ DATABASE_URL: url })
  await createTeamWriter(() => crashing).createTeams(10)
  await crashing.stop('SIGKILL')
  const service = await serviceAt(url)
  const writer = createTeamWriter(() => service)
  expect(await writer.createTeams(10)).toEqual({ 201: 10, 503: 0 })
  execFileSync('cp', [fileOf(url), `${fileOf(url)}.new`])
  overwrite(fileOf(url))
  expect(await writer.createTeams(10)).toEqual({ 201: 0, 503: 10 })
})

test.each(['passive', 'full', 'restart', 'truncate'])(
  'writes and %s checkpoints of another connection, and of the service, stop no writes',
  async (mode) => {
    const url = await databaseForTest('sqlite-file')
    const service = await serviceAt(url)
    const writer = createTeamWriter(() => service)
    const other = new Sqlite(fileOf(url))
    onTestFinished(() => void other.close())
    other.pragma('wal_autocheckpoint = 5')
    other.exec('create table other (n integer, text text)')
    for (let n = 0; n < 30; n += 1) {
      other
        .prepare('insert into other values (?, ?)')
        .run(n, 'x'.repeat((n % 3) * 10_000))
      if (n % 2) other.pragma(`wal_checkpoint(${mode})`)
      expect(await writer.createTeams(n)).toEqual({ 201: n, 503: 0 })
      if (n % 3) other.pragma(`wal_checkpoint(${mode})`)
    }
    // Writes more than the 1,000 pages after which SQLite makes a checkpoint.
    expect(await writer.createTeams(300)).toEqual({ 201: 300, 503: 0 })
    for (let n = 0; n < 20; n += 1)
      expect(
        (
          await service.post('/roles', {
            name: `${n}`,
            description: 'x'.repeat(200),
          })
        ).status,
      ).toBe(201)
    other.exec('vacuum')
    expect(await writer.createTeams(10)).toEqual({ 201: 10, 503: 0 })
    await writer.expectConfirmedTeams()
  },
)

test.each([
  ['/dev/null', 'a device or a pipe'],
  ['/tmp', 'a folder'],
])(
  'a start with sqlite:%s says in one line that it is %s',
  async (path, what) => {
    const { code, stderr } = await runService({
      DATABASE_URL: `sqlite:${path}`,
    })
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: `DATABASE_URL: cannot use sqlite:${path}: this is ${what}: expected a file\n`,
    })
  },
)

test('a start that waits for a locked file ends at SIGTERM, and without one fails in one line', async () => {
  const url = await databaseForTest('sqlite-file')
  const holder = new Sqlite(fileOf(url)).exec('begin exclusive')
  const env = { DATABASE_URL: url, PORT: '0' }
  const started = spawnService(env, ['start'], [])
  const exited = once(started, 'exit')
  onTestFinished(() => {
    started.kill('SIGKILL')
    holder.close()
  })
  const files = `/proc/${started.pid}/fd`
  const openFiles = async () =>
    Promise.all(
      (await readdir(files)).map((fd) =>
        readlink(join(files, fd)).catch(() => ''),
      ),
    )
  await expect.poll(openFiles).toContain(fileOf(url))
  started.kill('SIGTERM')
  expect(await exited).toEqual([0, null])
  expect(await runService(env)).toEqual({
    code: 1,
    stderr: `DATABASE_URL: cannot use ${url}: SQLITE_BUSY: database is locked\n`,
  })
})

test('a start is rejected where no folder can be created, as in /proc', async () => {
  const DATABASE_URL = 'sqlite:/proc/none/data/users.db'
  expect(await runService({ DATABASE_URL })).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(
      /^DATABASE_URL: cannot use \S+: ENOENT: [^\n]+\n$/,
    ),
  })
})

test('a start is rejected when the file has two hard links: each would have a -wal file of its own', async () => {
  const url = await databaseForTest('sqlite-file')
  await migrate(url)
  await link(fileOf(url), `${fileOf(url)}.link`)
  const message = await operatorErrorOf(startAndStop({ DATABASE_URL: url }))
  expect(message).toContain('hard links')
})

/**
 * Starts a process without the capabilities by which root may write everywhere.
 */
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
])(
  'a start is rejected in one line when %s is read-only, and changes nothing',
  async (_, makeReadOnly) => {
    const url = await databaseForTest('sqlite-file')
    const file = fileOf(url)
    onTestFinished(() => chmod(dirname(file), 0o755))
    await migrate(url)
    const before = await readFile(file)
    await makeReadOnly(file)
    const { code, stderr } = await runService(
      { DATABASE_URL: url, PORT: '0' },
      [],
      WITHOUT_PRIVILEGES,
    )
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: expect.stringMatching(
        /^DATABASE_URL: cannot use [^\n]*(EACCES|SQLITE_READONLY)[^\n]*\n$/,
      ),
    })
    expect((await readFile(file)).equals(before)).toBe(true)
    expect(await readdir(dirname(file))).toEqual(['users.db'])
  },
)

/**
 * Runs a command without a umask, which would hide the modes that the service
 * asks for.
 */
const WITHOUT_UMASK = ['sh', '-c', 'umask 0; exec "$@"', 'sh']

test('only the owner may read the files and folders that the service creates', async () => {
  const folder = await folderForTest()
  const data = join(folder, 'new', 'data')
  const DATABASE_URL = `sqlite:${data}/users.db`
  const service = await startServiceForTest({ DATABASE_URL }, WITHOUT_UMASK)
  await service.post('/teams', { name: 'x' })

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
})

function canTrace(): boolean {
  try {
    execFileSync('strace', ['-D', '-o', '/dev/null', 'true'], {
      stdio: 'ignore',
    })
    return true
  } catch {
    return false
  }
}

const WRITES = 20

test.skipIf(!canTrace())(
  'the -wal file is flushed to the disk between its last write and the response',
  async () => {
    const folder = await folderForTest()
    const trace = join(folder, 'trace')
    const calls = 'trace=pwrite64,fdatasync,fsync,write,writev'
    const service = await startServiceForTest(
      { DATABASE_URL: `sqlite:${folder}/users.db` },
      [...['strace', '-D', '-f', '-y', '-s', '20', '-o', trace, '-e', calls]],
    )
    for (let n = 0; n < WRITES; n += 1)
      expect((await service.post('/teams', { name: `${n}` })).status).toBe(201)
    await service.stop()

    // One letter for each system call of interest, in order: write, flush,
    // respond.
    const letters: [RegExp, string][] = [
      [/ pwrite64\(\d+<[^>]*\.db-wal>/, 'w'],
      [/ f(data)?sync\(\d+<[^>]*\.db-wal>/, 'f'],
      [/ writev?\(\d+<socket:.*HTTP\/1\.1 201/, 'r'],
    ]
    const order = async () => {
      const lines = (await readFile(trace, 'utf8')).split('\n')
      return lines
        .map((line) => letters.find(([call]) => call.test(line))?.[1] ?? '')
        .join('')
    }
    // strace may write its last lines after the service has ended.
    await expect.poll(order).toMatch(new RegExp(`(w+f+r){${WRITES}}`))
  },
)
