import { execFileSync } from 'node:child_process'
import { readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { folderForTest } from 'testkit/engines.ts'
import { runCommand } from 'testkit/process.ts'
import { startServiceForTest } from 'testkit/service-process.ts'
import { expect, test } from 'vitest'

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
