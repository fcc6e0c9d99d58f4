import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { runCommand } from 'testkit/process.ts'
import { REPOSITORY } from 'testkit/repository.ts'
import { startServiceForTest } from 'testkit/service-process.ts'
import { expect, onTestFinished, test } from 'vitest'

const run = promisify(execFile)
const page = await readFile(new URL('docs/operations/backup.md', REPOSITORY), 'utf8')
const [, commands = ''] = /^### A SQLite file$[\s\S]*?^```sh\n([\s\S]*?)^```$/m.exec(page) ?? []

test('the commands of the page about backups restore the records of the backup, and none written later', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'api-restore-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  await mkdir(join(folder, 'backups'))
  const env = { DATABASE_URL: `sqlite:${folder}/data/users.db` }
  const first = await startServiceForTest(env)
  for (const name of ['Engineering', 'Design']) await first.post('/teams', { name })
  const saved = (await first.get('/teams')).json
  const backup = await runCommand({ ...env, INIT_CWD: folder }, ['backup', 'backups/users.db'])
  expect(backup.code).toBe(0)
  await first.post('/teams', { name: 'after the backup' })
  await first.stop('SIGKILL') // leaves the write-ahead log, which must not be applied to the backup

  await run('sh', ['-euc', commands.replaceAll('/backups/', `${folder}/backups/`)], { cwd: folder })
  const second = await startServiceForTest(env)
  expect((await second.get('/teams')).json).toEqual(saved)
  expect(saved).toHaveLength(2)
  expect((await second.post('/teams', { name: 'after the restore' })).status).toBe(201)
})
