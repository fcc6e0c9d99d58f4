import { chmod, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { afterAll, beforeAll, expect, inject, onTestFinished, test } from 'vitest'
import { PROFILES } from '../../src/config/variables.ts'
import { openDatabase } from '../../src/database/open.ts'
import { databaseAt } from '../support/database.ts'
import { populate } from '../support/population.ts'
import { runCommand, startService } from '../support/process.ts'

let folder: string
let url: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'api-backup-'))
  url = `sqlite:${folder}/users.db`
  const db = await openDatabase(databaseAt(url), PROFILES.a.migrations)
  await populate(db, 2000)
  await db.close()
})
afterAll(() => rm(folder, { recursive: true }))

const backup = (file: string, env: Record<string, string> = {}) =>
  runCommand({ DATABASE_URL: url, ...env }, ['backup', file])

/** A service that does not outlive its test, however that ends. */
async function serving(database: string) {
  const service = await startService({ DATABASE_URL: database })
  onTestFinished(async () => {
    await service.stop()
  })
  return service
}

const list = async (service: { url: string }) =>
  (await (await fetch(`${service.url}/users`)).json()) as { id: string; roles: unknown[] }[]

test('a backup while users register has all that was answered before, passes the checks, and serves', async () => {
  const service = await serving(url)
  const statuses = new Set<number>()
  const post = async (path: string, body?: unknown) => {
    const headers = { 'content-type': 'application/json' }
    const answer = await fetch(service.url + path, { method: 'POST', headers, body: JSON.stringify(body) })
    statuses.add(answer.status)
    return (await answer.json()) as { id: string }
  }
  const role = await post('/roles', { name: 'of the backup' })
  const answered: string[] = []
  let running = true
  const writers = Array.from({ length: 8 }, async (_, writer) => {
    for (let n = 0; running; n += 1) {
      const user = { email: `writer-${writer}-${n}@example.com`, name: 'x', password: 'x' }
      const { id } = await post('/users', user)
      await post(`/users/${id}/roles/${role.id}`)
      answered.push(id)
    }
  })
  await expect.poll(() => answered.length).toBeGreaterThan(20)
  const before = [...answered]
  const file = join(folder, 'backup.db')
  const { code, stdout, stderr } = await backup(file)
  running = false
  await Promise.all(writers)
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  expect(JSON.parse(stdout)).toMatchObject({ msg: 'backup completed', file, bytes: (await stat(file)).size })
  expect(statuses).toEqual(new Set([200, 201]))
  expect(answered.length).toBeGreaterThan(before.length)

  const copy = new Sqlite(file, { readonly: true })
  expect(copy.pragma('integrity_check', { simple: true })).toBe('ok')
  expect(copy.pragma('foreign_key_check')).toEqual([])
  copy.close()
  expect(await readdir(folder)).not.toContainEqual(expect.stringContaining('partial'))

  const restored = await serving(`sqlite:${file}`)
  const users = new Map((await list(restored)).map((user) => [user.id, user]))
  expect(before.filter((id) => users.get(id)?.roles.length !== 1)).toEqual([])
  const current = new Map((await list(service)).map((user) => [user.id, user]))
  expect([...users.keys()].filter((id) => !current.has(id))).toEqual([])
}, 30_000)

test('a relative FILE counts from where the command was called', async () => {
  const { code } = await backup('relative.db', { INIT_CWD: folder })
  expect(code).toBe(0)
  expect(await readdir(folder)).toContain('relative.db')
})

test('a backup is for the eyes of those who may read the database', async () => {
  const secret = join(folder, 'secret.db')
  await backup(secret)
  await chmod(secret, 0o600)
  await backup(join(folder, 'copy-of-secret.db'), { DATABASE_URL: `sqlite:${secret}` })
  expect((await stat(join(folder, 'copy-of-secret.db'))).mode & 0o777).toBe(0o600)
})

test('a file that is there is not overwritten', async () => {
  const file = join(folder, 'precious.txt')
  await writeFile(file, 'precious')
  expect(await backup(file)).toEqual({
    code: 1,
    stdout: '',
    stderr: `${file} exists already: a backup does not overwrite a file\n`,
  })
  expect(await readFile(file, 'utf8')).toBe('precious')
})

test('a damaged database is not backed up, and nothing is left behind', async () => {
  const damaged = join(folder, 'damaged.db')
  await backup(damaged)
  const db = new Sqlite(damaged)
  db.pragma('foreign_keys = off')
  db.exec(`delete from roles`)
  db.close()
  const { code, stderr } = await backup(join(folder, 'of-damaged.db'), { DATABASE_URL: `sqlite:${damaged}` })
  expect({ code, stderr }).toEqual({
    code: 1,
    stderr: expect.stringMatching(/^cannot back up [^\n]+: user_roles has a broken reference\n$/),
  })
  expect((await readdir(folder)).filter((name) => name.startsWith('of-damaged'))).toEqual([])
})

test('one line and an end with code 1, where there is nothing to back up or nowhere to put it', async () => {
  const file = join(folder, 'never.db')
  const lines = await Promise.all([
    backup(file, { DATABASE_URL: inject('postgresUrl') }),
    backup(file, { DATABASE_URL: 'sqlite::memory:' }),
    backup(file, { DATABASE_URL: `sqlite:${folder}/missing.db` }),
    backup(join(folder, 'no', 'such', 'folder.db')),
    backup(''),
    backup('--force'),
  ])
  expect(lines.map(({ code, stderr }) => ({ code, stderr }))).toEqual(
    [
      /^DATABASE_URL is a PostgreSQL server: back it up with pg_dump [^\n]+\n$/,
      /^DATABASE_URL is in memory: [^\n]+\n$/,
      /^DATABASE_URL: [^\n]+missing\.db does not exist\n$/,
      /^cannot back up [^\n]+folder\.db: ENOENT[^\n]+\n$/,
      /^backup: expected one FILE[^\n]+\n$/,
      /^backup: expected one FILE[^\n]+\n$/,
    ].map((line) => ({ code: 1, stderr: expect.stringMatching(line) })),
  )
  expect(await readdir(folder)).not.toContain('never.db')
  expect(await readdir(folder)).not.toContain('missing.db')
})
