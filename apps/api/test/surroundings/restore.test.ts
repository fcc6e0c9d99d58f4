import { execFile } from 'node:child_process'
import { globSync } from 'node:fs'
import { mkdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import pg from 'pg'
import { folderForTest } from 'testkit/engines.ts'
import { startPostgres } from 'testkit/postgres.ts'
import { REPOSITORY } from 'testkit/repository.ts'
import { startServiceForTest } from 'testkit/service-for-test.ts'
import { expect, onTestFinished, test } from 'vitest'

const run = promisify(execFile)
const page = await readFile(
  new URL('docs/operations/backup.md', REPOSITORY),
  'utf8',
)
/** Returns the commands of a section of docs/operations/databases.md. */
const commandsOf = (section: string): string =>
  new RegExp(
    `^### ${section}$[\\s\\S]*?^\`\`\`sh\\n([\\s\\S]*?)^\`\`\`$`,
    'm',
  ).exec(page)?.[1] ?? ''

test('the commands of the page about backups restore the records of a SQLite file, and none written later', async () => {
  const folder = await folderForTest()
  await mkdir(join(folder, 'backups'))
  const env = { DATABASE_URL: `sqlite:${folder}/data/users.db` }
  const first = await startServiceForTest(env)
  for (const name of ['Engineering', 'Design'])
    await first.post('/teams', { name })
  const saved = (await first.get('/teams')).json
  const execute = (section: string) =>
    run(
      'sh',
      [
        '-euc',
        commandsOf(section).replaceAll('/backups/', `${folder}/backups/`),
      ],
      { cwd: folder },
    )
  await execute('A SQLite file')
  await expect(execute('A SQLite file'), 'overwrites no file').rejects.toThrow(
    'already exists',
  )
  await first.post('/teams', { name: 'after the backup' })
  // The killed service leaves a write-ahead log, which must not be applied to
  // the backup.
  await first.stop('SIGKILL')

  await execute('Restore a SQLite file')
  const second = await startServiceForTest(env)
  expect((await second.get('/teams')).json).toEqual(saved)
  expect(saved).toHaveLength(2)
  expect(
    (await second.post('/teams', { name: 'after the restore' })).status,
  ).toBe(201)
})

/**
 * Uses Debian's newest server, whose package has the matching pg_dump. npm's
 * server has none.
 */
const binaries = globSync('/usr/lib/postgresql/*/bin/pg_dump')
  .sort()
  .at(-1)
  ?.replace('/pg_dump', '')

async function startDebianPostgres(): Promise<string> {
  const server = await startPostgres({ name: 'debian' })
  onTestFinished(server.stop)
  const client = new pg.Client(server.url)
  await client.connect()
  await client.query(`create role "user" superuser login password 'password'`)
  await client.end()
  return new URL(server.url).host
}

test.skipIf(!binaries)(
  'the commands of the page about backups restore the records of a PostgreSQL database, and none written later',
  async () => {
    const folder = await folderForTest()
    const PATH = `${binaries}:${process.env.PATH}`
    const host = await startDebianPostgres()
    const execute = (script: string) =>
      run('sh', ['-euc', script.replaceAll('host:5432', host)], {
        cwd: folder,
        env: { PATH, PGPASSWORD: 'password' },
      })
    const urlOf = (name: string) => ({
      DATABASE_URL: `postgres://user:password@${host}/${name}`,
    })
    await execute(
      'createdb --maintenance-db=postgres://user@host:5432/postgres users',
    )
    const first = await startServiceForTest(urlOf('users'))
    const team = (await first.post('/teams', { name: 'Engineering' })).json
    const user = {
      email: 'ada@example.com',
      name: 'Ada',
      password: 'x',
      team_id: team.id,
    }
    await first.post('/users', user)
    const saved = (await first.get('/users')).json
    await execute(commandsOf('PostgreSQL'))
    await first.post('/teams', { name: 'after the backup' })
    await first.stop('SIGKILL')

    await execute(commandsOf('Restore PostgreSQL'))
    const second = await startServiceForTest(urlOf('restored'))
    expect((await second.get('/users')).json).toEqual(saved)
    expect(saved).toMatchObject([{ email: 'ada@example.com', team }])
    expect((await second.get('/teams')).json).toEqual([team])
    expect((await second.post('/users', user)).status).toBe(400)
    expect(
      (await second.post('/teams', { name: 'after the restore' })).status,
    ).toBe(201)
  },
)
