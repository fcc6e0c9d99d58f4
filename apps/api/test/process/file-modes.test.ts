import { mkdtemp, readdir, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { runCommand } from 'testkit/process.ts'
import { startServiceForTest } from 'testkit/service-process.ts'
import { expect, onTestFinished, test } from 'vitest'

/** Runs a command without a umask, which would hide the modes that the service asks for. */
const WITHOUT_UMASK = ['sh', '-c', 'umask 0; exec "$@"', 'sh']

test('only the owner may read the files and folders that the service, a backup and a copy create', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'api-modes-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const data = join(folder, 'new', 'data')
  const DATABASE_URL = `sqlite:${data}/users.db`
  const service = await startServiceForTest({ DATABASE_URL }, WITHOUT_UMASK)
  await service.post('/teams', { name: 'x' })
  const run = (...args: string[]) => runCommand({ DATABASE_URL }, args, WITHOUT_UMASK)
  const copy = `sqlite:${join(folder, 'copies', 'copy.db')}`
  expect(await run('backup', join(data, 'backup.db'))).toMatchObject({ code: 0 })
  expect(await run('copy', '--from', DATABASE_URL, '--to', copy)).toMatchObject({ code: 0 })

  const modes: Record<string, string> = {}
  for (const name of await readdir(folder, { recursive: true }))
    modes[name] = ((await stat(join(folder, name))).mode & 0o777).toString(8)
  expect(modes).toEqual({
    new: '700',
    'new/data': '700',
    'new/data/users.db': '600',
    'new/data/users.db.last-backup': '600',
    'new/data/users.db-shm': '600',
    'new/data/users.db-wal': '600',
    'new/data/backup.db': '600',
    copies: '700',
    'copies/copy.db': '600',
  })
})
