import { copyFile, readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { fileOf, folderForTest } from 'testkit/engines.ts'
import { runCommand } from 'testkit/process.ts'
import { beforeAll, beforeEach, expect, inject, test } from 'vitest'
import { backup } from '../../src/commands/backup.ts'
import { readConfig } from '../../src/config.ts'
import { createRole } from '../../src/profile-a/store/roles.ts'
import { assignRole, createUser } from '../../src/profile-a/store/users.ts'
import { createTestLog, operatorErrorOf } from '../support/commands.ts'
import { populatedDatabase, serviceAt } from '../support/http-fixture.ts'

/** A file with 2000 users, which each test copies. */
let populated: string
let folder: string
let url: string

beforeAll(async () => {
  const { url, drop } = await populatedDatabase('sqlite-file', 2000)
  populated = fileOf(url)
  return drop
})
beforeEach(async () => {
  folder = await folderForTest()
  url = `sqlite:${folder}/users.db`
  await copyFile(populated, fileOf(url))
})

/** Runs the command in this process, as `main.ts` does. */
const runBackup = (file: string, DATABASE_URL = url) =>
  backup(readConfig({ DATABASE_URL }, '/'), createTestLog().log, [file], folder)

test('a backup during writes has every row committed before it, passes the integrity checks, and can be served', async () => {
  const service = await serviceAt(url)
  const { db } = service
  const role = await createRole(db, { name: 'of the backup', description: null })
  /** Users whose role assignment is committed. */
  const committed: string[] = []
  let isRunning = true
  const writers = Array.from({ length: 8 }, async (_, writer) => {
    for (let n = 0; isRunning; n += 1) {
      const email = `writer-${writer}-${n}@example.com`
      const id = await createUser(db, { email, name: 'x', password_hash: 'x', team_id: null })
      await assignRole(db, id, role.id)
      committed.push(id)
      await new Promise(setImmediate) // SQLite resolves without I/O: the backup must get a turn
    }
  })
  await expect.poll(() => committed.length).toBeGreaterThan(20)
  const before = [...committed]
  const file = join(folder, 'backup.db')
  const { stdout } = await runCommand({ DATABASE_URL: url }, ['backup', file]).finally(() => {
    isRunning = false
  })
  await Promise.all(writers)
  expect(JSON.parse(stdout)).toMatchObject({ msg: 'backup completed', file, bytes: (await stat(file)).size })
  expect(committed.length, 'no row was written during the backup').toBeGreaterThan(before.length)

  const copy = new Sqlite(file, { readonly: true })
  expect(copy.pragma('integrity_check', { simple: true })).toBe('ok')
  expect(copy.pragma('foreign_key_check')).toEqual([])
  copy.close()
  expect(await readdir(folder)).not.toContainEqual(expect.stringContaining('partial'))

  const usersOf = async ({ get }: typeof service) =>
    new Map(((await get('/users')).json as { id: string; roles: unknown[] }[]).map((user) => [user.id, user]))
  const users = await usersOf(await serviceAt(`sqlite:${file}`))
  expect(before.filter((id) => users.get(id)?.roles.length !== 1)).toEqual([])
  const current = await usersOf(service)
  expect([...users.keys()].filter((id) => !current.has(id))).toEqual([])
})

test('the command prints one line of JSON, or an error in one line with code 1; a relative FILE starts at the folder of the caller', async () => {
  const runBackupProcess = () =>
    runCommand({ DATABASE_URL: url, INIT_CWD: folder }, ['backup', 'relative.db'])
  const { code, stdout, stderr } = await runBackupProcess()
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  const file = join(folder, 'relative.db')
  expect(JSON.parse(stdout)).toMatchObject({ msg: 'backup completed', file })
  const before = await readFile(file)
  expect(await runBackupProcess()).toEqual({
    code: 1,
    stdout: '',
    stderr: `${file} exists already: a backup does not overwrite a file\n`,
  })
  expect((await readFile(file)).equals(before)).toBe(true)
})

test('a database with a broken reference is not backed up, and no file is left', async () => {
  const db = new Sqlite(fileOf(url))
  db.pragma('foreign_keys = off')
  db.exec('delete from roles')
  db.close()
  const before = await readdir(folder)
  expect(await operatorErrorOf(runBackup('backup.db'))).toMatch(
    /^cannot back up .+: user_roles has a broken reference$/,
  )
  expect(await readdir(folder)).toEqual(before)
})

test('a backup beside the write-ahead log of another database, which SQLite would read with it, is rejected', async () => {
  await writeFile(join(folder, 'backup.db-wal'), 'of another database')
  expect(await operatorErrorOf(runBackup('backup.db'))).toMatch(/backup\.db-wal exists already: /)
  expect(await readdir(folder)).toEqual(['backup.db-wal', 'users.db'])
})

test.each([
  ['of PostgreSQL', () => inject('postgresUrl'), 'x.db', /^DATABASE_URL is a PostgreSQL server: .*pg_dump /],
  ['of a database in memory', () => 'sqlite::memory:', 'x.db', /^DATABASE_URL is in memory: /],
  ['of a missing file', () => `sqlite:${folder}/no.db`, 'x.db', /^DATABASE_URL: .+no\.db does not exist$/],
  ['into a missing folder', () => url, 'no/such/folder.db', /^cannot back up .+folder\.db: ENOENT/],
  ['into an empty name', () => url, '', /^backup: expected one FILE/],
  ['into an option', () => url, '--force', /^backup: expected one FILE/],
])('a backup %s is rejected and creates no file', async (_, urlOf, file, message) => {
  expect(await operatorErrorOf(runBackup(file, urlOf()))).toMatch(message)
  expect(await readdir(folder)).toEqual(['users.db'])
})
