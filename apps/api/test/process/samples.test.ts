import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { verify } from '@node-rs/argon2'
import { databaseForTest, emptyDatabaseForTest, PERSISTENT_ENGINES } from 'testkit/engines.ts'
import { limitedDiskBySpace } from 'testkit/limited-disks.ts'
import { runCommand, spawnService } from 'testkit/process.ts'
import { startServiceForTest } from 'testkit/service-process.ts'
import { describe, expect, onTestFinished, test } from 'vitest'
import { seed } from '../../src/commands/seed.ts'
import { readConfig } from '../../src/composition/config.ts'
import type { Database } from '../../src/database/database.ts'
import { RoleId, TeamId, UserId } from '../../src/ids.ts'
import { createSamples } from '../../src/profile-a/store/samples.ts'
import { tables } from '../../src/profile-a/store/schema.ts'
import { createTestLog, createTestTerminal, operatorErrorOf } from '../support/commands.ts'
import { openForTest, readRows } from '../support/http-fixture.ts'

/** Returns the number of rows of each table, in one snapshot. */
const countRows = (db: Database) =>
  db.readSnapshot(async (tx) => {
    const counts: Record<string, number> = {}
    for (const { name } of tables) {
      const { rows } = await tx.selectFrom(name).select(tx.fn.countAll().as('rows')).executeTakeFirstOrThrow()
      counts[name] = Number(rows)
    }
    return counts
  })

const startDemo = (env: Record<string, string>) => startServiceForTest(env, [], ['--demo'])

/** Users have 0, 1, 2, 3, 0, ... roles. */
const assignmentsOf = (users: number) => Math.floor(users / 4) * 6 + Number([0, 0, 1, 3][users % 4])

test.each(PERSISTENT_ENGINES)(
  'start --demo (%s) fills an empty database and serves it, and rejects one with rows in one line',
  async (engine) => {
    const url = await emptyDatabaseForTest(engine)
    const service = await startDemo({ DATABASE_URL: url })
    const users = (await service.get('/users')).json
    expect(users).toHaveLength(200)
    expect(new Set(users.map(({ name }: { name: string }) => name)).size).toBe(200)
    expect(users[1]).toMatchObject({
      name: 'Alan Turing',
      team: { name: 'Payments' },
      roles: [{ name: 'editor' }],
    })
    for (const { id, path } of [
      { id: UserId.example, path: 'users' },
      { id: TeamId.example, path: 'teams' },
    ])
      expect((await service.get(`/${path}/${id}`)).status, 'an example of the OpenAPI document').toBe(200)
    const assigned = await service.post(`/users/${UserId.example}/roles/${RoleId.example}`, {})
    expect(assigned.status, 'an example of the OpenAPI document').toBe(200)
    expect((await service.get('/teams')).json).toHaveLength(12)
    expect((await service.get('/roles')).json).toHaveLength(6)
    const { id } = (await service.post('/teams', { name: 'new' })).json
    expect((await service.get(`/teams?after=${id}`)).json, 'a new id sorts last').toEqual([])
    await service.stop()

    const rows = await readRows(url)
    expect(await verify(String(rows.users?.[0]?.password_hash), 'correct horse battery staple')).toBe(true)
    expect(await runCommand({ DATABASE_URL: url, PORT: '0' }, ['start', '--demo'])).toEqual({
      code: 1,
      stdout: '',
      stderr: '--demo: the database has rows in teams: it must be empty\n',
    })
    expect(await readRows(url)).toEqual(rows)
  },
)

test('start --demo stores the same rows on every engine, ids included, with workers and in memory', async () => {
  const [file, server] = [await emptyDatabaseForTest('sqlite-file'), await emptyDatabaseForTest('postgres')]
  const services = [
    await startDemo({ DATABASE_URL: file }),
    await startDemo({ DATABASE_URL: server, WORKERS: '2' }),
    await startDemo({ DATABASE_URL: 'sqlite::memory:' }),
  ]
  const lists = await Promise.all(services.map(async (service) => (await service.get('/users')).text))
  expect(new Set(lists).size).toBe(1)
  expect(await readRows(file)).toEqual(await readRows(server))
})

describe.each(PERSISTENT_ENGINES)('seed (%s)', (engine) => {
  test('stores the given number of users, and adds to existing rows only with --add', async () => {
    const url = await databaseForTest(engine)
    const db = await openForTest(url)
    const seed = (...args: string[]) => runCommand({ DATABASE_URL: url }, ['seed', '--users', ...args])
    const first = await seed('2345')
    expect(first).toMatchObject({ code: 0, stderr: '' })
    expect(JSON.parse(first.stdout)).toMatchObject({ msg: 'seed completed', users: 2345 })
    const counts = { teams: 24, roles: 6, users: 2345, user_roles: assignmentsOf(2345) }
    expect(await countRows(db)).toEqual(counts)
    expect(await seed('1')).toEqual({
      code: 1,
      stdout: '',
      stderr: 'seed: the database has rows in teams: it must be empty\n',
    })
    expect(await countRows(db)).toEqual(counts)
    expect(await seed('2345', '--add')).toMatchObject({ code: 0 })
    expect(await countRows(db)).toMatchObject({ users: 2 * 2345, roles: 12 })
  })

  test.for(['SIGINT', 'SIGKILL'] as const)('leaves whole batches after %s', async (signal) => {
    const url = await databaseForTest(engine)
    const db = await openForTest(url)
    const child = spawnService({ DATABASE_URL: url }, ['seed', '--users', '1000000'], [])
    const exited = once(child, 'close')
    const stderr = text(child.stderr)
    await expect.poll(async () => (await countRows(db)).users).toBeGreaterThan(2000)
    child.kill(signal)
    expect(await exited).toEqual(signal === 'SIGINT' ? [1, null] : [null, 'SIGKILL'])
    const { users = 0, teams, user_roles } = await countRows(db)
    expect(users).toBeLessThan(1_000_000)
    expect([users % 10_000, teams, user_roles]).toEqual([0, users / 100, assignmentsOf(users)])
    const next = `pnpm --filter api seed --users ${1_000_000 - users} --add`
    const message = `seed: stopped after ${users} of 1000000 users; to continue: ${next}\n`
    expect(await stderr).toBe(signal === 'SIGINT' ? message : '')
  })
})

test('seed ends the line of its progress bar before it reports that it was stopped', async () => {
  const { promise: stopSignal, resolve } = Promise.withResolvers<string>()
  const terminal = createTestTerminal(() => resolve('SIGINT'))
  const config = readConfig({ DATABASE_URL: await emptyDatabaseForTest('sqlite-file') }, '/')
  const seeding = seed(config, createTestLog().log, ['--users', '50000'], terminal, stopSignal)
  expect(await operatorErrorOf(seeding)).toMatch(/^seed: stopped after \d+ of 50000 users; to continue: /)
  expect(terminal.drawn()).toMatch(/^\rseeding +\[\.+\] +0 % of 50000 users[^\n]*\n$/)
})

test.skipIf(process.platform !== 'linux' || process.getuid?.() !== 0)(
  'a full disk ends seed with one line that names the command for the remaining users',
  async () => {
    const disk = await limitedDiskBySpace()
    onTestFinished(disk.remove)
    const config = readConfig({ DATABASE_URL: `sqlite:${disk.folder}/users.db` }, '/')
    const never = new Promise<string>(() => {})
    const seeding = seed(config, createTestLog().log, ['--users', '20000'], process.stderr, never)
    expect(await operatorErrorOf(seeding)).toMatch(
      /^seed: SQLITE_FULL: database or disk is full, after 0 of 20000 users; to continue: .+ seed --users 20000 --add$/,
    )
  },
)

describe('a transaction of seed changes few pages of an index:', () => {
  const batches = [...createSamples({ users: 25_000, fixed: false })]

  test('the users of a batch are in teams of the same batch', () => {
    const strangers = batches.flatMap(({ teams = [], users = [] }) => {
      const ids = new Set([null, ...teams.map(({ id }) => id)])
      return users.filter(({ team_id }) => !ids.has(team_id))
    })
    expect(strangers).toEqual([])
  })

  test('e-mail addresses of the same name are in creation order', () => {
    const last = new Map<unknown, string>()
    const unsorted = batches
      .flatMap(({ users = [] }) => users)
      .filter(({ name, normalized_email }) => {
        const previous = last.get(name) ?? ''
        last.set(name, String(normalized_email))
        return String(normalized_email) <= previous
      })
    expect(unsorted).toEqual([])
    expect(last.size).toBe(400)
  })
})

test.each([
  ['no number', []],
  ['zero', ['--users', '0']],
  ['a number that is too large', ['--users', '10000001']],
  ['another option', ['--users', '1', '--force']],
  ['two numbers', ['--users', '1', '--users', '2']],
])('seed rejects %s in one line', async (_, args) => {
  const config = readConfig({ DATABASE_URL: 'sqlite::memory:' }, '/')
  const seeding = seed(config, createTestLog().log, args, process.stderr, new Promise(() => {}))
  expect(await operatorErrorOf(seeding)).toMatch(/^seed: expected --users with a number from 1 to [^\n]+$/)
})

test('seed rejects a database in memory, which would lose the rows at the end of the command', async () => {
  const { code, stderr } = await runCommand({ DATABASE_URL: 'sqlite::memory:' }, ['seed', '--users', '1'])
  expect([code, stderr]).toEqual([
    1,
    'seed: expected a file or a server as DATABASE_URL, received sqlite::memory:, whose rows end with this process\n',
  ])
})

test.each([
  ['start', '--demo'],
  ['seed', '--users', '1'],
])('"%s %s" rejects a profile without sample data', async (...args) => {
  const { code, stderr } = await runCommand({ PROFILE: 'b', PORT: '0' }, args)
  expect([code, stderr]).toEqual([1, expect.stringMatching(/^[^\n]*: PROFILE=b has no sample data\n$/)])
})
