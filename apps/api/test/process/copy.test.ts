import { existsSync } from 'node:fs'
import { sql } from 'kysely'
import { describe, expect, onTestFinished, test } from 'vitest'
import { createApp } from '../../src/app.ts'
import { progressBar } from '../../src/commands/progress-bar.ts'
import { PROFILES } from '../../src/config/variables.ts'
import { openDatabase } from '../../src/database/open.ts'
import { createLog } from '../../src/observability/log.ts'
import { databaseAt } from '../support/database.ts'
import { type Engine, freshDatabase } from '../support/engines.ts'
import { populate } from '../support/population.ts'
import { runCommand, startService } from '../support/process.ts'

/** More than two of the copy's pages, and not a whole number of them. */
const USERS = 2345

const profile = PROFILES.a

async function fresh(engine: Engine): Promise<string> {
  const { url, drop } = await freshDatabase(engine)
  onTestFinished(drop)
  return url
}

async function open(url: string) {
  const db = await openDatabase(databaseAt(url), profile.migrations)
  onTestFinished(() => db.close())
  return db
}

async function populated(engine: Engine, users = USERS): Promise<string> {
  const url = await fresh(engine)
  const db = await openDatabase(databaseAt(url), profile.migrations)
  await populate(db, users)
  await db.close()
  return url
}

const copy = (from: string, to: string) => runCommand({}, ['copy', '--from', from, '--to', to])

/** The body of every answer to a GET that the service of a database can give. */
async function everything(url: string): Promise<string[]> {
  const db = await open(url)
  const app = createApp({ profile, db, log: createLog('silent') })
  const body = async (path: string) => (await app.request(path)).text()
  const lists = await Promise.all(['/users', '/teams', '/roles'].map(body))
  const users: { id: string }[] = JSON.parse(lists[0] as string)
  const teams: { id: string }[] = JSON.parse(lists[1] as string)
  return [
    ...lists,
    ...(await Promise.all(users.map(({ id }) => body(`/users/${id}`)))),
    ...(await Promise.all(teams.map(({ id }) => body(`/users?team_id=${id}`)))),
  ]
}

const rowsOf = async (url: string) => {
  const db = await open(url)
  const tables = profile.tables ?? []
  const rows = await db.readSnapshot((tx) =>
    Promise.all(tables.map(({ name }) => tx.selectFrom(name).selectAll().execute())),
  )
  return rows.map((table) => table.length)
}

const ENGINES: Engine[] = ['sqlite-file', 'postgres']

describe.each(ENGINES.flatMap((from) => ENGINES.map((to) => [from, to] as const)))(
  'from %s to %s',
  (from, to) => {
    test('every answer is the same afterwards, and every hash of a password is', async () => {
      const [source, target] = [await populated(from), await fresh(to)]
      const { code, stdout, stderr } = await copy(source, target)
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
      expect(JSON.parse(stdout)).toMatchObject({
        msg: 'copy completed',
        tables: { users: { rows: USERS, sha256: expect.stringMatching(/^[0-9a-f]{64}$/) } },
      })
      const [ours, theirs] = [await everything(source), await everything(target)]
      expect(ours.length).toBeGreaterThan(USERS)
      expect(theirs).toEqual(ours)
      const hashes = async (url: string) =>
        (await open(url)).readSnapshot((tx) =>
          tx.selectFrom('users').select(['id', 'password_hash']).orderBy('id').execute(),
        )
      expect(await hashes(target)).toEqual(await hashes(source))
    }, 30_000)

    test('rows in the target are left as they are, and so is the source', async () => {
      const [source, target] = [await populated(from, 5), await populated(to, 3)]
      const before = [await everything(source), await everything(target)]
      expect(await copy(source, target)).toMatchObject({
        code: 1,
        stderr: 'the target database has rows in teams: it must be empty\n',
      })
      expect([await everything(source), await everything(target)]).toEqual(before)
    })

    test('what is written to the source meanwhile is copied whole or not at all', async () => {
      const [source, target] = [await populated(from), await fresh(to)]
      const service = await startService({ DATABASE_URL: source })
      onTestFinished(async () => {
        await service.stop()
      })
      const post = async (path: string, body?: unknown) => {
        const headers = { 'content-type': 'application/json' }
        const answer = await fetch(service.url + path, {
          method: 'POST',
          headers,
          body: JSON.stringify(body),
        })
        expect(answer.status).toBeLessThan(300)
        return (await answer.json()) as { id: string }
      }
      const role = await post('/roles', { name: 'meanwhile' })
      const answered: number[] = []
      let copying = true
      const writers = Array.from({ length: 4 }, async (_, writer) => {
        for (let n = 0; copying; n += 1) {
          const user = { email: `meanwhile-${n}@${writer}.example.com`, name: 'x', password: 'x' }
          const { id } = await post('/users', user)
          await post(`/users/${id}/roles/${role.id}`)
          answered[writer] = n
        }
      })
      const counts = () => writers.map((_, writer) => (answered[writer] ?? -1) + 1)
      await expect.poll(() => Math.min(...counts())).toBeGreaterThan(0)
      const before = counts()
      const { code, stderr } = await copy(source, target)
      copying = false
      await Promise.all(writers)
      await service.stop()
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' })

      const copied: { email: string; roles: unknown[] }[] = JSON.parse(
        (await everything(target))[0] as string,
      )
      for (const [writer, after] of counts().entries()) {
        const theirs = copied.filter(({ email }) => email.endsWith(`@${writer}.example.com`))
        expect(theirs.map(({ email }) => email)).toEqual(
          theirs.map((_, n) => `meanwhile-${n}@${writer}.example.com`),
        )
        // The last of them may be there before its role is.
        expect(theirs.slice(0, -1).filter(({ roles }) => roles.length !== 1)).toEqual([])
        expect(theirs.length).toBeGreaterThanOrEqual(before[writer] as number)
        expect(theirs.length).toBeLessThanOrEqual(after)
      }
    }, 30_000)
  },
)

describe('a copy to a PostgreSQL that', () => {
  /** A target whose table has a trigger that does something to one user of the third page. */
  async function triggered(what: string): Promise<{ source: string; target: string }> {
    const [source, target] = [await populated('sqlite-file'), await fresh('postgres')]
    const db = await open(target)
    const trigger = sql.raw(
      `create function interfere() returns trigger language plpgsql as $$ begin
           if lower(new.email) = 'person-2100@example.com' then ${what} end if; return new; end $$;
         create trigger interfere before insert on users for each row execute function interfere()`,
    )
    await db.exclusively((tx) => trigger.execute(tx))
    return { source, target }
  }

  test.for([
    ['refuses a row', "raise exception 'not this one';", /^cannot copy users: not this one\n$/],
    [
      'changes a row',
      "new.name := 'somebody else';",
      /^users differs after the copy, nothing is stored: [^\n]+\n$/,
    ],
    [
      'loses a row',
      'return null;',
      /^cannot copy user_roles: [^\n]*foreign key[^\n]*\n$|^users differs [^\n]+\n$/,
    ],
  ] as const)('%s ends with one line and leaves nothing', async ([, what, line]) => {
    const { source, target } = await triggered(what)
    const { code, stderr } = await copy(source, target)
    expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringMatching(line) })
    expect(await rowsOf(target)).toEqual([0, 0, 0, 0])
  })
})

describe('one line and an end with code 1 for', () => {
  const refused = async (args: string[], line: RegExp) => {
    const { code, stdout, stderr } = await runCommand({}, ['copy', ...args])
    expect({ code, stdout, stderr }).toEqual({ code: 1, stdout: '', stderr: expect.stringMatching(line) })
    expect(stderr).toMatch(/^[^\n]+\n$/)
    expect(stderr).not.toContain('hunter2')
  }
  const usage = /^copy: expected two databases: /
  const secret = 'postgres://ada:hunter2@127.0.0.1:1/users'

  test.for([
    [[], usage],
    [['--from', 'sqlite:a.db'], usage],
    [['--from', 'sqlite:a.db', '--to'], usage],
    [['--from', 'sqlite:a.db', '--to', 'sqlite:b.db', '--force'], usage],
    [[secret, secret], usage],
    [['--from', 'mysql://root:hunter2@db/users', '--to', secret], /^--from: expected sqlite:<file>/],
    [['--from', secret, '--to', 'users.db'], /^--to: expected sqlite:<file>/],
    [['--from', 'sqlite::memory:', '--to', secret], /ends with its process/],
    [['--from', secret, '--to', 'sqlite::memory:'], /ends with its process/],
    [
      ['--from', secret, '--to', 'sqlite:/tmp/never.db'],
      /^--from: cannot use postgres:\/\/127\.0\.0\.1:1\/users: /,
    ],
  ] as const)('the arguments %j', ([args, line]) => refused([...args], line))

  test('a target that is not to be had', async () => {
    await refused(
      ['--from', await populated('sqlite-file', 1), '--to', secret],
      /^--to: cannot use postgres:/,
    )
  })

  test('a source that is not there, which is not created', async () => {
    const [source, target] = [await fresh('sqlite-file'), await fresh('sqlite-file')]
    await refused(
      ['--from', source, '--to', target],
      /^--from: cannot use sqlite:[^\n]+: the file does not exist/,
    )
    expect([source, target].map((url) => existsSync(url.slice('sqlite:'.length)))).toEqual([false, false])
  })

  test('a source whose schema is not of this version', async () => {
    const source = await populated('sqlite-file', 1)
    const db = await open(source)
    await db.exclusively((tx) => tx.deleteFrom('kysely_migration').execute())
    await refused(['--from', source, '--to', await fresh('postgres')], /^--from: [^\n]+ lacks the migration/)
  })

  test('a profile whose records are kept nowhere', async () => {
    const { code, stderr } = await runCommand({ PROFILE: 'b' }, ['copy'])
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: 'copy: PROFILE=b keeps its records in memory, there is nothing to copy\n',
    })
  })
})

test.each(ENGINES)('a copy takes every table and every column of the schema along (%s)', async (engine) => {
  const db = await open(await fresh(engine))
  const there = (await db.readSnapshot((tx) => tx.introspection.getTables())).map(({ name, columns }) => [
    name,
    columns.map((column) => column.name).sort(),
  ])
  const copied = (profile.tables ?? []).map(({ name, columns }) => [name, [...columns].sort()])
  expect(copied.sort()).toEqual(there.sort())
})

test('progress is drawn in one line on a terminal and not elsewhere', () => {
  const drawn: string[] = []
  const terminal = { write: (text: string) => drawn.push(text) > 0 }
  for (const isTTY of [false, true]) {
    const draw = progressBar({ ...terminal, isTTY })
    for (const done of [0, 500, 1000]) draw({ phase: 'copying', done, total: 1000 })
  }
  expect(drawn).toEqual([
    `\rcopying  [${'.'.repeat(30)}]   0 % of 1000 rows`,
    `\rcopying  [${'#'.repeat(15)}${'.'.repeat(15)}]  50 % of 1000 rows`,
    `\rcopying  [${'#'.repeat(30)}] 100 % of 1000 rows\n`,
  ])
})
