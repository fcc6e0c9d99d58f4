import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { afterAll, describe, expect, test } from 'vitest'
import { run, start, waitFor } from './command.ts'

/** A cycle, a self reference, composite keys, a WITHOUT ROWID and a STRICT table, names in another case. */
const SCHEMA = `
create table teams (id text primary key, name text not null unique,
  owner_id text references Users deferrable initially deferred);
create table users (id uuid primary key default (lower(hex(randomblob(4))) || '-0000-4000-8000-' || lower(hex(randomblob(6)))),
  email text not null unique, team_id text not null references teams(ID) on delete cascade,
  manager_id text references users(id), updated_at text, check (manager_id <> id));
create table memberships (team_id text references teams, user_id text references users, role text,
  primary key (team_id, user_id)) without rowid;
create table invitations (id integer primary key, team_id text not null, invited_by text not null,
  foreign key (team_id, invited_by) references memberships (team_id, user_id)) strict;
create index by_team on users (team_id) where email like '%a%';
create trigger touch after update on users begin update users set updated_at = 'touched' where id = new.id; end;`

const ROWS = (users: number) => `
insert into teams values ('00000000-0000-7000-8000-000000000001', 'first', null), ('00000000-0000-7000-8000-000000000002', 'second', null);
with recursive n(i) as (select 1 union all select i + 1 from n where i < ${users})
  insert into users (email, team_id) select 'user' || i, '00000000-0000-7000-8000-00000000000' || (i % 2 + 1) from n;
update teams set owner_id = (select id from users where team_id = teams.id limit 1);
insert into memberships select team_id, id, 'member' from users;
insert into invitations (team_id, invited_by) select team_id, user_id from memberships;`

/** Updating users takes a second: each row formats 500 kB twice for its index. */
const SLOW = `${SCHEMA} ${ROWS(400)} create index slow on users (team_id, length(hex(zeroblob(500000 + length(email)))));`

const folder = mkdtempSync(join(tmpdir(), 'typed-id-migrate-'))
afterAll(() => rmSync(folder, { recursive: true }))
let databases = 0

function createDatabase(sql = SCHEMA + ROWS(100)): { url: string; path: string } {
  databases += 1
  const path = join(folder, `${databases}.db`)
  const db = new Database(path)
  db.exec(sql)
  db.close()
  return { url: `sqlite:${path}`, path }
}

function read(path: string, ...queries: string[]): unknown[] {
  const db = new Database(path)
  try {
    return queries.map((query) => db.prepare(query).all())
  } finally {
    db.close()
  }
}

const TABLES = ['teams', 'users', 'memberships', 'invitations']
const ALL = [
  ...TABLES.map((table) => `select * from ${table} order by 1, 2`),
  'select name, sql from sqlite_schema order by 1',
]
const TYPES = ['--type', 'users.id=user', '--type', 'teams.id=team']

test('converts every column that follows, keeps all other values, and the way back restores all', async () => {
  const { url, path } = createDatabase()
  const before = read(path, ...ALL)
  expect(await run(['--database', url, ...TYPES, '--apply'])).toMatchObject({ code: 0, err: '' })
  const rows = JSON.stringify(read(path, ...ALL.slice(0, -1)))
  expect(rows).toMatch(/"manager_id":null.+"user_id":"user-.+"invited_by":"user-/)
  expect(rows).not.toMatch(/"[0-9a-f]{8}-/)
  expect(rows.replaceAll(/"(user|team)-(?=[0-9a-f]{8}-)/g, '"')).toBe(JSON.stringify(before.slice(0, -1)))
  expect(read(path, 'pragma integrity_check', 'pragma foreign_key_check')).toEqual([
    [{ integrity_check: 'ok' }],
    [],
  ])

  expect(await run(['--database', url, ...TYPES, '--down', 'text', '--apply'])).toMatchObject({
    code: 0,
    err: '',
  })
  expect(read(path, ...ALL)).toEqual(before)
})

test('a new row gets an id by default, and a bare uuid is rejected', async () => {
  const { url, path } = createDatabase()
  await run(['--database', url, ...TYPES, '--apply'])
  const db = new Database(path)
  const insert = db.prepare('insert into users (email, team_id) select ?, id from teams limit 1 returning id')
  expect(insert.get('new')).toEqual({ id: expect.stringMatching(/^user-[0-9a-f]{8}-/) })
  expect(() =>
    db.exec(`insert into teams values ('0190163d-8694-739b-aea5-966c26f8ad91', 'old client', null)`),
  ).toThrow('CHECK constraint failed: teams_id_typed_id')
  db.close()
})

test('prints the SQL that --apply runs, and changes nothing', async () => {
  const [printed, applied] = [createDatabase(), createDatabase()]
  const before = read(printed.path, ...ALL)
  const { code, out } = await run(['--database', printed.url, ...TYPES])
  expect(code).toBe(0)
  expect(read(printed.path, ...ALL)).toEqual(before)
  const db = new Database(printed.path).unsafeMode(true)
  db.exec(out)
  db.close()
  await run(['--database', applied.url, ...TYPES, '--apply'])
  const schema = ALL.slice(-1)
  expect(read(printed.path, ...schema)).toEqual(read(applied.path, ...schema))
  expect(read(printed.path, `select count(*) as rows from users where id like 'user-%'`)).toEqual([
    [{ rows: 100 }],
  ])
})

test('--dry-run runs everything on a copy', async () => {
  const { url, path } = createDatabase()
  const before = read(path, ...ALL)
  const { code, out } = await run(['--database', url, ...TYPES, '--dry-run'])
  expect({ code, out }).toEqual({
    code: 0,
    out: expect.stringMatching(/dry run on a copy: nothing was changed\n$/),
  })
  expect(out).toMatch(/^users: 100 rows, checksum \d+, the same before and after$/m)
  expect(read(path, ...ALL)).toEqual(before)
})

test.concurrent('uses better-sqlite3 where Node has no SQLite', async () => {
  const { url, path } = createDatabase()
  const flags = ['--no-experimental-sqlite']
  expect(await start(['--database', url, ...TYPES, '--apply'], { flags }).result).toMatchObject({
    code: 0,
    err: '',
  })
  expect(read(path, `select count(*) as rows from users where id like 'user-%'`)).toEqual([[{ rows: 100 }]])
  expect(await start(['--database', url, ...TYPES], { flags, cwd: '/' }).result).toMatchObject({
    code: 1,
    err: 'typed-id: SQLite on this version of Node needs the package better-sqlite3 in the current project: npm install better-sqlite3\n',
  })
})

test('SIGKILL in the middle of the transaction changes nothing', async () => {
  const { url, path } = createDatabase(SLOW)
  const { child, result } = start(['--database', url, ...TYPES, '--apply'])
  await waitFor(async () => (existsSync(`${path}-journal`) ? true : undefined))
  child.kill('SIGKILL')
  expect(await result).toMatchObject({ code: 'SIGKILL' })
  expect(
    read(path, `select count(*) as rows from users where id like 'user-%'`, 'pragma integrity_check'),
  ).toEqual([[{ rows: 0 }], [{ integrity_check: 'ok' }]])
  expect(await run(['--database', url, ...TYPES, '--apply'])).toMatchObject({ code: 0, err: '' })
})

test('Ctrl-C changes nothing', async () => {
  const { url, path } = createDatabase(SLOW)
  const { child, result } = start(['--database', url, ...TYPES, '--apply'])
  await waitFor(async () => (existsSync(`${path}-journal`) ? true : undefined))
  child.kill('SIGINT')
  expect(await result).toEqual({ code: 130, out: '', err: 'typed-id: interrupted: nothing was changed\n' })
  expect(read(path, `select count(*) as rows from users where id like 'user-%'`)).toEqual([[{ rows: 0 }]])
})

test.concurrent('a database that another process writes to is not changed', async () => {
  const { url, path } = createDatabase()
  const db = new Database(path)
  db.exec('begin immediate')
  expect(await start(['--database', url, ...TYPES, '--apply']).result).toEqual({
    code: 1,
    out: '',
    err: 'typed-id: database is locked: nothing was changed\n',
  })
  db.close()
})

describe('a database that cannot be migrated is one line, and nothing is changed', () => {
  test.each([
    ['unknown table', '', 'nope.id=user', 'unknown table nope'],
    ['unknown column', '', 'users.nope=user', 'unknown column nope of users'],
    [
      'rows that are no uuids',
      `create table t (id text primary key); insert into t select 'x' || id from invitations`,
      't.id=x',
      [
        '100 rows of t have a value in id that is not a uuid in lowercase:',
        ...Array.from({ length: 20 }, () => '  ["x\\d+"]: "x\\d+"'),
      ].join('\n'),
    ],
    [
      'a default that is no expression',
      `create table t (id text default '(1)', n text default (1))`,
      't.id=x',
      `t.id has a default that cannot be converted: '(1)'`,
    ],
    [
      'a comment in the last line of the definition of a table',
      'create table t (id text) strict -- (a comment)',
      't.id=x',
      'the definition of t ends with a comment: nothing was changed',
    ],
    [
      'a CHECK that ids cannot meet',
      `create table t (id text check (length(id) = 36)); insert into t select id from users`,
      't.id=x',
      'CHECK constraint failed: length(id) = 36: nothing was changed',
    ],
  ])('%s', async (_, sql, type, message) => {
    const { url, path } = createDatabase(SCHEMA + ROWS(100) + sql)
    const before = read(path, ...ALL)
    const { code, out, err } = await run(['--database', url, '--type', type, '--apply'])
    expect({ code, out }).toEqual({ code: 1, out: '' })
    const pattern = message.replace(/[.*+?^${}()|[\]]/g, '\\$&').replaceAll('\\d\\+', '\\d+')
    expect(err).toMatch(new RegExp(`^typed-id: ${pattern}\\n$`))
    expect(read(path, ...ALL)).toEqual(before)
  })

  test.each([
    [['--database', `sqlite:${folder}/nope.db`, ...TYPES], 1, `no such database: ${folder}/nope.db`],
    [
      ['--database', 'sqlite:x.db', ...TYPES, '--down', 'uuid'],
      2,
      'SQLite has no type uuid: use --down text',
    ],
    [
      ['--database', 'sqlite:x.db', ...TYPES, '--down', 'bigint'],
      2,
      'SQLite has no type bigint: use --down integer',
    ],
  ])('the arguments %j', async (args, code, message) => {
    const { err, ...result } = await run(args)
    expect(result).toEqual({ code, out: '' })
    expect(err.split('\n')[0]).toBe(`typed-id: ${message}`)
  })
})
