import { existsSync } from 'node:fs'
import { copyFile, readFile } from 'node:fs/promises'
import { sql } from 'kysely'
import {
  connectForTest,
  databaseForTest,
  emptyDatabaseForTest,
  fileOf,
  freshPostgresDatabase,
  PERSISTENT_ENGINES,
  type TestDatabase,
} from 'testkit/engines.ts'
import { runCommand } from 'testkit/process.ts'
import { afterAll, beforeAll, describe, expect, inject, onTestFinished, test } from 'vitest'
import { copy } from '../../src/commands/copy.ts'
import { progressBar } from '../../src/commands/progress-bar.ts'
import { readConfig } from '../../src/composition/config.ts'
import { copyTables } from '../../src/database/copy.ts'
import { OperatorError } from '../../src/errors.ts'
import { createRole } from '../../src/profile-a/store/roles.ts'
import { tables } from '../../src/profile-a/store/schema.ts'
import { createTeam } from '../../src/profile-a/store/teams.ts'
import { assignRole, createUser } from '../../src/profile-a/store/users.ts'
import { createTestLog, createTestTerminal, operatorErrorOf } from '../support/commands.ts'
import { openForTest, populatedDatabase, readRows, serviceAt } from '../support/http-fixture.ts'
import { populate } from '../support/population.ts'

/** More than two of the copy's pages, and not a whole number of them. */
const USERS = 2345

type PersistentEngine = (typeof PERSISTENT_ENGINES)[number]

/** A populated database per engine. Tests read it, or copy it before they write. */
const populated = {} as Record<PersistentEngine, TestDatabase>
beforeAll(async () => {
  for (const engine of PERSISTENT_ENGINES) populated[engine] = await populatedDatabase(engine, USERS)
})
afterAll(async () => {
  for (const { drop } of Object.values(populated)) await drop()
})

async function copyOfPopulated(engine: PersistentEngine): Promise<string> {
  const { url } = populated[engine]
  if (engine === 'sqlite-file') {
    const target = await emptyDatabaseForTest(engine)
    await copyFile(fileOf(url), fileOf(target))
    return target
  }
  const copied = await freshPostgresDatabase(inject('postgresUrl'), new URL(url).pathname.slice(1))
  onTestFinished(copied.drop)
  return copied.url
}

/** Runs the command in this process, as `main.ts` does, and returns its log lines. */
async function runCopy(args: string[], env: Record<string, string> = {}, terminal = createTestTerminal()) {
  const { log, lines } = createTestLog()
  await copy(readConfig(env, '/'), log, args, terminal, '/')
  return lines
}

const copyFromTo = (from: string, to: string, terminal = createTestTerminal()) =>
  runCopy(['--from', from, '--to', to], {}, terminal)

/** The bodies of the lists, which contain everything that clients can read. */
async function responsesOf(url: string): Promise<string[]> {
  const { get } = await serviceAt(url)
  return Promise.all(['/users', '/teams', '/roles'].map(async (path) => (await get(path)).text))
}

const PAIRS = PERSISTENT_ENGINES.flatMap((from) => PERSISTENT_ENGINES.map((to) => [from, to] as const))

describe.each(PAIRS)('a copy from %s to %s', (from, to) => {
  test('has the same rows, password hashes included, and the same responses', async () => {
    const [source, target] = [populated[from].url, await emptyDatabaseForTest(to)]
    const [line] = await copyFromTo(source, target)
    expect(line).toMatchObject({
      msg: 'copy completed',
      tables: { users: { rows: USERS, sha256: expect.stringMatching(/^[0-9a-f]{64}$/) } },
    })
    const copied = await readRows(target)
    expect(copied.users).toHaveLength(USERS)
    expect(copied).toEqual(await readRows(source))
    expect(await responsesOf(target)).toEqual(await responsesOf(source))
  })

  test('is rejected when the target has rows, and changes neither database', async () => {
    const [source, target] = [populated[from].url, await databaseForTest(to)]
    await populate(await openForTest(target), 3)
    const before = await readRows(target)
    expect(await operatorErrorOf(copyFromTo(source, target))).toBe(
      'the target database has rows in teams: it must be empty',
    )
    expect(await readRows(target)).toEqual(before)
    expect((await readRows(source)).users).toHaveLength(USERS)
  })

  test('contains one state of a source that is written meanwhile', async () => {
    const [source, target] = [await copyOfPopulated(from), await emptyDatabaseForTest(to)]
    const db = await openForTest(source)
    const role = await db.write((tx) => createRole(tx, { name: 'meanwhile', description: null }))
    /** The number of users whose role assignment is committed, per writer. */
    const committed = [0, 0, 0, 0]
    let isCopying = true
    const writers = committed.map(async (_, writer) => {
      for (let n = 0; isCopying; n += 1) {
        const user = { name: 'x', password_hash: 'x', team_id: null }
        const email = `meanwhile-${n}@${writer}.example.com`
        const { id } = await db.write((tx) => createUser(tx, { ...user, email }))
        await db.write((tx) => assignRole(tx, id, role.id))
        committed[writer] = n + 1
        await new Promise(setImmediate) // SQLite resolves without I/O: the copy must get a turn
      }
    })
    await expect.poll(() => Math.min(...committed)).toBeGreaterThan(0)
    const before = [...committed]
    await copyFromTo(source, target).finally(() => {
      isCopying = false
    })
    await Promise.all(writers)

    const users: { email: string; roles: unknown[] }[] = (await (await serviceAt(target)).get('/users')).json
    for (const [writer, after] of committed.entries()) {
      const copied = users.filter(({ email }) => email.endsWith(`@${writer}.example.com`))
      expect(copied.map(({ email }) => email)).toEqual(
        copied.map((_, n) => `meanwhile-${n}@${writer}.example.com`),
      )
      // A user and its role are two transactions, so only the last user may lack the role.
      expect(copied.slice(0, -1).filter(({ roles }) => roles.length !== 1)).toEqual([])
      expect(copied.length).toBeGreaterThanOrEqual(before[writer] as number)
      expect(copied.length).toBeLessThanOrEqual(after)
    }
    expect(
      committed.reduce((a, b) => a + b),
      'no row was written during the copy',
    ).toBeGreaterThan(before.reduce((a, b) => a + b))
  })
})

/** Returns a PostgreSQL database that does something when a user of the third page is inserted. */
async function targetThatInterferes(action: string): Promise<string> {
  const target = await databaseForTest('postgres')
  const trigger = sql.raw(
    `create sequence users_seen;
       create function interfere() returns trigger language plpgsql as $$ begin
         if nextval('users_seen') = 2100 then ${action} end if; return new; end $$;
       create trigger interfere before insert on users for each row execute function interfere()`,
  )
  await (await openForTest(target)).exclusively((tx) => trigger.execute(tx))
  return target
}

test('a copy from a PostgreSQL that ends its connections fails in one line, and leaves no row', async () => {
  const source = await copyOfPopulated('postgres')
  const name = new URL(source).pathname.slice(1)
  const target = await targetThatInterferes(
    `perform pg_terminate_backend(pid, 1000) from pg_stat_activity where datname = '${name}';`,
  )
  expect(await operatorErrorOf(copyFromTo(source, target))).toMatch(
    /^copy failed and can be repeated: .*connection/i,
  )
  expect(await readRows(target)).toEqual({ teams: [], roles: [], users: [], user_roles: [] })
})

test.each([
  ['efbfbd', undefined],
  ['41ff42', /^cannot copy users: the name of user-[0-9a-f-]+ is not UTF-8$/],
])('a copy of a name with the bytes %s is exact or rejected', async (bytes, message) => {
  const [source, target] = [await copyOfPopulated('sqlite-file'), await emptyDatabaseForTest('postgres')]
  const change = `update users set name = cast(x'${bytes}' as text) where id = (select max(id) from users)`
  await (await openForTest(source)).exclusively((tx) => sql.raw(change).execute(tx))
  const copying = copyFromTo(source, target)
  if (message) return expect(await operatorErrorOf(copying)).toMatch(message)
  await copying
  expect(await readRows(target)).toEqual(await readRows(source))
})

test('a copy from a PostgreSQL whose row-level security would hide rows is rejected', async () => {
  const source = await copyOfPopulated('postgres')
  const protect = sql`alter table user_roles enable row level security`
  await (await openForTest(source)).exclusively((tx) => protect.execute(tx))
  const copying = copyFromTo(
    `${source}?options=-crole%3Dpg_read_all_data`,
    await emptyDatabaseForTest('postgres'),
  )
  expect(await operatorErrorOf(copying)).toMatch(
    /^copy failed .*row-level security policy for table "user_roles"$/,
  )
})

describe('a copy to a PostgreSQL that', () => {
  test.for([
    ['rejects a row', "raise exception 'not this one';", /^cannot copy users: not this one$/],
    ['changes a row', "new.name := 'changed';", /^users differs after the copy, nothing is stored: /],
    ['drops a row', 'return null;', /^cannot copy user_roles: [^\n]*foreign key|^users differs /],
  ] as const)(
    '%s fails in one line below its progress bar, and leaves no row',
    async ([, action, message]) => {
      const target = await targetThatInterferes(action)
      const terminal = createTestTerminal()
      const copying = copyFromTo(populated['sqlite-file'].url, target, terminal)
      expect(await operatorErrorOf(copying)).toMatch(message)
      expect(terminal.drawn()).toMatch(/[^\n]\n$/)
      expect(await readRows(target)).toEqual({ teams: [], roles: [], users: [], user_roles: [] })
    },
  )
})

describe('a copy is rejected in one line for', () => {
  const usage = /^copy: expected two databases: /
  const secret = 'postgres://ada:hunter2@127.0.0.1:1/users'

  const expectRejected = async (args: string[], message: RegExp) => {
    const received = await operatorErrorOf(runCopy(args))
    expect(received).toMatch(message)
    expect(received).not.toContain('hunter2')
  }

  test.for([
    [[], usage],
    [['--from', 'sqlite:a.db'], usage],
    [['--from', 'sqlite:a.db', '--to'], usage],
    [['--from', 'sqlite:a.db', '--from', 'sqlite:b.db', '--to', 'sqlite:c.db'], usage],
    [['--from', 'sqlite:a.db', '--to', 'sqlite:b.db', '--to', 'sqlite:c.db'], usage],
    [['--from', 'sqlite:a.db', '--to', 'sqlite:b.db', '--force'], usage],
    [[secret, secret], usage],
    ...['/', '?', '#'].map(
      (character) =>
        [
          ['--from', `postgres://ada:1${character}hunter2@127.0.0.1:1/users`, '--to', secret],
          /^--from: cannot use postgres:\/\/…: (expected %2F instead of \/|an option|expected %23)/,
        ] as const,
    ),
    [['--from', 'mysql://root:hunter2@db/users', '--to', secret], /^--from: expected sqlite:<file>/],
    [['--from', secret, '--to', 'users.db'], /^--to: expected sqlite:<file>/],
    [['--from', 'sqlite::memory:', '--to', secret], /ends with its process/],
    [['--from', secret, '--to', 'sqlite::memory:'], /ends with its process/],
    [
      ['--from', secret, '--to', 'sqlite:/tmp/never.db'],
      /^--from: cannot use postgres:\/\/127\.0\.0\.1:1\/users: /,
    ],
  ] as const)('the arguments %j', ([args, message]) => expectRejected([...args], message))

  test('an unreachable target', () =>
    expectRejected(['--from', populated['sqlite-file'].url, '--to', secret], /^--to: cannot use postgres:/))

  test('a missing source, and creates no file', async () => {
    const [source, target] = [
      await emptyDatabaseForTest('sqlite-file'),
      await emptyDatabaseForTest('sqlite-file'),
    ]
    await expectRejected(
      ['--from', source, '--to', target],
      /^--from: cannot use sqlite:[^\n]+: the file does not exist/,
    )
    expect([source, target].filter((url) => existsSync(fileOf(url)))).toEqual([])
  })

  test.each(PERSISTENT_ENGINES)('a source without all migrations (%s)', async (engine) => {
    const source = await databaseForTest(engine)
    await (await openForTest(source)).exclusively((tx) => tx.deleteFrom('kysely_migration').execute())
    await expectRejected(
      ['--from', source, '--to', await emptyDatabaseForTest('sqlite-file')],
      /^--from: [^\n]+ lacks the migration/,
    )
  })

  test('a profile that keeps its records in memory', async () => {
    expect(await operatorErrorOf(runCopy([], { PROFILE: 'b' }))).toBe(
      'copy: PROFILE=b keeps its records in memory, there is nothing to copy',
    )
  })
})

test('the command prints one line of JSON, or an error in one line with code 1', async () => {
  const [source, target] = [populated['sqlite-file'].url, await emptyDatabaseForTest('sqlite-file')]
  const runCopyProcess = () => runCommand({}, ['copy', '--from', source, '--to', target])
  const { code, stdout, stderr } = await runCopyProcess()
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  expect(JSON.parse(stdout)).toMatchObject({ msg: 'copy completed', tables: { users: { rows: USERS } } })
  const copied = await readFile(fileOf(target))
  expect(await runCopyProcess()).toEqual({
    code: 1,
    stdout: '',
    stderr: 'the target database has rows in teams: it must be empty\n',
  })
  expect((await readFile(fileOf(target))).equals(copied)).toBe(true)
})

test('the command ends with one line while a table of the source is locked', async () => {
  const source = await copyOfPopulated('postgres')
  const other = await connectForTest(source)
  await other.query('begin; lock table teams in access exclusive mode')
  const from = `${source}?options=-clock_timeout%3D200`
  const target = await emptyDatabaseForTest('sqlite-file')
  expect(await runCommand({}, ['copy', '--from', from, '--to', target])).toEqual({
    code: 1,
    stdout: '',
    stderr: 'copy failed and can be repeated: canceling statement due to lock timeout\n',
  })
})

test('the progress bar is drawn in one line of a terminal, and not elsewhere', () => {
  const drawn: string[] = []
  const terminal = { write: (text: string) => drawn.push(text) > 0 }
  for (const isTTY of [false, true]) {
    const { draw } = progressBar({ ...terminal, isTTY })
    for (const done of [0, 500, 1000]) draw({ phase: 'copying', done, total: 1000 })
  }
  expect(drawn).toEqual([
    `\rcopying  [${'.'.repeat(30)}]   0 % of 1000 rows`,
    `\rcopying  [${'#'.repeat(15)}${'.'.repeat(15)}]  50 % of 1000 rows`,
    `\rcopying  [${'#'.repeat(30)}] 100 % of 1000 rows\n`,
  ])
})

test('while a copy into a PostgreSQL database runs, a second one is rejected in one line', async () => {
  const [from, other, to] = [
    await openForTest(populated['sqlite-file'].url),
    await openForTest(await databaseForTest('sqlite-file')),
    await openForTest(await databaseForTest('postgres')),
  ]
  // Rows that do not conflict with those of the first copy.
  await other.write((tx) => createTeam(tx, { name: 'of the second copy' }))
  let second: Promise<unknown> | undefined
  await copyTables(from, to, tables, () => {
    second ??= copyTables(other, to, tables, () => {}).catch((error) => error)
  })
  expect(await second).toEqual(
    new OperatorError(
      'the target database is in use: another transaction, such as a copy, writes to its tables',
    ),
  )
  expect(
    await to.readSnapshot((tx) =>
      tx.selectFrom('teams').where('name', '=', 'of the second copy').select('id').execute(),
    ),
  ).toEqual([])
})
