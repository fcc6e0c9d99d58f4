import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { afterAll, describe, expect, test } from 'vitest'
import { uuidv7 } from '../../src/index.ts'
import { run } from './command.ts'

/** Rowid aliases in three spellings, a cycle, composite keys, a WITHOUT ROWID and a STRICT table, a view, comments. */
const SCHEMA = `
create table teams (id integer primary key autoincrement, -- the key, (see "docs")
  name text not null unique, owner_id integer /* may, be null */, foreign key (owner_id) references Users);
create table "users" ([ID] INTEGER NOT NULL PRIMARY KEY, email varchar(100) default 'a, b' check (email <> ')'),
  \`team_id\` int(11) not null references teams on delete cascade, manager_id integer references users(id),
  shout text generated always as (upper(email)) stored, updated_at text, check (manager_id <> id));
create table memberships (team_id bigint references teams, user_id integer references users, role text,
  primary key (team_id, user_id)) without rowid;
create table invitations (id text primary key, team_id integer not null, invited_by integer not null,
  foreign key (team_id, invited_by) references memberships (team_id, user_id)) strict;
create table notes (id integer, text text, primary key (id));
create index by_team on users (team_id, id desc) where email like '%a%';
create view owners as select teams.name, users.email from teams join users on users.id = owner_id;
create trigger touch after update on users begin update users set updated_at = 'touched' where id = new.id; end;
insert into teams (name) values ('first'), ('second');
with recursive n(i) as (select 1 union all select i + 1 from n where i < 100)
  insert into users (email, team_id) select 'user' || i, i % 2 + 1 from n;
insert into users (id, email, team_id, manager_id) values (9007199254740991, 'last', 2, 1);
update teams set owner_id = 9007199254740991 where id = 2;
insert into memberships select team_id, id, 'member' from users;
insert into invitations select 'invitation ' || user_id, team_id, user_id from memberships;
insert into notes (text) values ('x');`

const folder = mkdtempSync(join(tmpdir(), 'typed-id-migrate-'))
afterAll(() => rmSync(folder, { recursive: true }))
let databases = 0

function createDatabase(sql = SCHEMA): { url: string; db: Database.Database } {
  databases += 1
  const path = join(folder, `${databases}.db`)
  const db = new Database(path)
  db.exec(sql)
  return { url: `sqlite:${path}`, db }
}

const TYPES = ['--type', 'users.id=user', '--type', 'teams.id=team', '--type', 'notes.id=note']
const TABLES = ['teams', 'users', 'memberships', 'invitations', 'notes', 'owners']

const readSchema = (db: Database.Database) =>
  db
    .prepare(
      `select type, name, tbl_name, sql from sqlite_schema where name <> 'sqlite_sequence' order by 1, 2`,
    )
    .all()
const readAll = (db: Database.Database) => [
  ...TABLES.map((table) => db.prepare(`select * from ${table} order by 1, 2`).all()),
  readSchema(db),
]

function uuidOf(integer: bigint | number): string {
  const hex = (2n ** 63n + BigInt(integer)).toString(16)
  return `00000000-0000-8000-${hex.slice(0, 4)}-${hex.slice(4)}`
}

test('converts INTEGER keys and what follows, and the way back restores all', async () => {
  const { url, db } = createDatabase()
  const before = readAll(db)
  expect(await run(['--database', url, ...TYPES, '--apply'])).toMatchObject({ code: 0, err: '' })
  const [teams, users, memberships, , notes, owners] = readAll(db)
  expect(teams).toEqual([
    { id: `team-${uuidOf(1)}`, name: 'first', owner_id: null },
    { id: `team-${uuidOf(2)}`, name: 'second', owner_id: `user-${uuidOf(9007199254740991)}` },
  ])
  expect(users).toHaveLength(101)
  expect(users?.at(-1)).toEqual({
    ID: `user-${uuidOf(9007199254740991)}`,
    email: 'last',
    team_id: `team-${uuidOf(2)}`,
    manager_id: `user-${uuidOf(1)}`,
    shout: 'LAST',
    updated_at: null, // the trigger has not fired
  })
  expect(memberships?.[0]).toEqual({
    team_id: `team-${uuidOf(1)}`,
    user_id: `user-${uuidOf(2)}`,
    role: 'member',
  })
  expect([notes, owners]).toEqual([[{ id: `note-${uuidOf(1)}`, text: 'x' }], before[5]])
  expect([db.pragma('integrity_check'), db.pragma('foreign_key_check')]).toEqual([
    [{ integrity_check: 'ok' }],
    [],
  ])

  expect(await run(['--database', url, ...TYPES, '--down', 'integer', '--apply'])).toMatchObject({
    code: 0,
    err: '',
  })
  expect(readAll(db)).toEqual(before)
  expect(db.pragma('integrity_check')).toEqual([{ integrity_check: 'ok' }])
  expect(db.prepare(`insert into teams (name) values ('new') returning id`).get()).toEqual({ id: 3 })
})

test('accepts ids, and rejects integers and rows without an id', async () => {
  const { url, db } = createDatabase()
  await run(['--database', url, ...TYPES, '--apply'])
  const id = `team-${uuidv7()}`
  db.prepare('insert into teams (id, name) values (?, ?)').run(id, 'new')
  expect(db.prepare('select id from teams order by id desc limit 1').get()).toEqual({ id })
  expect(() => db.exec(`insert into teams (id, name) values (3, 'old client')`)).toThrow('teams_id_typed_id')
  expect(() => db.exec(`insert into teams (name) values ('no id')`)).toThrow('NOT NULL')
  expect(() => db.exec(`insert into notes (text) values ('no id')`)).toThrow('NOT NULL')
  const down = ['--database', url, ...TYPES, '--down', 'integer', '--apply']
  expect(await run(down)).toEqual({
    code: 1,
    out: '',
    err: `typed-id: 1 rows of teams have a value in id that is not team-00000000-0000-8000-8<integer>:\n  ["${id}"]: "${id}"\n`,
  })
})

test('prints the SQL that --apply runs, and changes nothing', async () => {
  const [printed, applied] = [createDatabase(), createDatabase()]
  const before = readAll(printed.db)
  const { code, out } = await run(['--database', printed.url, ...TYPES])
  expect(code).toBe(0)
  expect(readAll(printed.db)).toEqual(before)
  expect(out).toMatch(/^-- The way back: .+ --down integer$/m)
  printed.db.unsafeMode(true).exec(out)
  await run(['--database', applied.url, ...TYPES, '--apply'])
  expect(readAll(printed.db)).toEqual(readAll(applied.db))
})

test('finds a column in any definition', async () => {
  const { url, db } = createDatabase(`
    create table "odd (t" ("we""ird" Integer constraint "a, b" primary key on conflict abort not null, -- ), (
      [x y] unsigned big int(20) default null references "odd (t" /* , */, z text default ('(,)'), \`id\` int unique,
      constraint "id" check ("we""ird" <> [x y]), unique (z, [x y]) -- end )
    );
    insert into "odd (t" values (4611686018427387903, null, 'z', 7), (0, 4611686018427387903, 'z', null)`)
  const read = () => [readSchema(db), db.prepare('select * from "odd (t" order by 1').safeIntegers().all()]
  const before = read()
  const types = ['--database', url, '--type', 'odd (t.we"ird=x', '--type', 'odd (t.id=y', '--apply']
  expect(await run(types)).toMatchObject({ code: 0, err: '' })
  const max = `x-${uuidOf(2n ** 62n - 1n)}`
  expect(read()[1]).toEqual([
    { 'we"ird': `x-${uuidOf(0)}`, 'x y': max, z: 'z', id: null },
    { 'we"ird': max, 'x y': null, z: 'z', id: `y-${uuidOf(7)}` },
  ])
  expect(await run([...types, '--down', 'integer'])).toMatchObject({ code: 0, err: '' })
  expect(read()).toEqual(before)
})

test('converts uuids and integers together, and prints a way back for each', async () => {
  const { url, db } = createDatabase(`
    create table tags (id text primary key, note_id int references notes);
    create table notes (id integer primary key, tag_id text not null references tags);
    insert into tags values ('0190163d-8694-739b-aea5-966c26f8ad91', null);
    insert into notes values (1, '0190163d-8694-739b-aea5-966c26f8ad91');
    update tags set note_id = 1`)
  const read = () => [
    readSchema(db),
    db.prepare('select * from tags').all(),
    db.prepare('select * from notes').all(),
  ]
  const before = read()
  const database = ['--database', url]
  const [tags, notes] = [
    ['--type', 'tags.id=tag'],
    ['--type', 'notes.id=note'],
  ] as const
  const { out } = await run([...database, ...tags, ...notes])
  for (const way of ['--type tags.id=tag --down text', '--type notes.id=note --down integer'])
    expect(out).toContain(`-- The way back: typed-id migrate plan --database … ${way}`)
  expect(await run([...database, ...tags, ...notes, '--apply'])).toMatchObject({ code: 0, err: '' })
  const tag = 'tag-0190163d-8694-739b-aea5-966c26f8ad91'
  expect(read().slice(1)).toEqual([
    [{ id: tag, note_id: `note-${uuidOf(1)}` }],
    [{ id: `note-${uuidOf(1)}`, tag_id: tag }],
  ])
  expect((await run([...database, ...tags, '--down', 'integer', '--apply'])).code).toBe(1)
  for (const down of [
    [...tags, '--down', 'text'],
    [...notes, '--down', 'integer'],
  ])
    expect(await run([...database, ...down, '--apply'])).toMatchObject({ code: 0, err: '' })
  expect(read()).toEqual(before)
})

describe('what cannot be converted is one line, and nothing is changed', () => {
  test.each([
    [
      'integers out of range',
      `create table t (id integer primary key); insert into t values (-1), (4611686018427387904), (1)`,
      '2 rows of t have a value in id that is not an integer from 0 to 4611686018427387903:\n  [-1]: "-1"\n  [4611686018427387904]: "4611686018427387904"',
    ],
    [
      'another value in an INTEGER column',
      `create table t (id integer unique); insert into t values ('x')`,
      '1 rows of t have a value in id that is not an integer from 0 to 4611686018427387903:\n  [1]: "x"',
    ],
    ['a default', 'create table t (id integer default 5)', 't.id has a default that cannot be converted: 5'],
    [
      'a comment in the definition of the column',
      'create table t (id integer /* the key */ primary key)',
      't.id has a comment in its definition, which cannot be converted: remove it',
    ],
  ])('%s', async (_, sql, message) => {
    const { url, db } = createDatabase(sql)
    const read = () => [readSchema(db), db.prepare('select * from t').safeIntegers().all()]
    const before = read()
    expect(await run(['--database', url, '--type', 't.id=x', '--apply'])).toEqual({
      code: 1,
      out: '',
      err: `typed-id: ${message}\n`,
    })
    expect(read()).toEqual(before)
  })
})
