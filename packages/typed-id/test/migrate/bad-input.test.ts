import { describe, expect, test } from 'vitest'
import { run, start } from './command.ts'
import { readSchema, usePostgres } from './postgres-database.ts'

const createDatabase = usePostgres()
const NOWHERE = 'postgres://localhost:1/x'

test.each([
  [['--type', 'users.id=user'], 'migrate plan requires --database'],
  [['--database', NOWHERE], 'migrate plan requires --type TABLE.COLUMN=PREFIX'],
  [
    ['--database', NOWHERE, '--type', 'users=user'],
    '--type expects TABLE.COLUMN=PREFIX, received "users=user"',
  ],
  [
    ['--database', NOWHERE, '--type', 'users.id=us-er'],
    'invalid prefix: expected [a-zA-Z0-9]{1,63}, received "us-er"',
  ],
  [
    ['--database', NOWHERE, '--type', 'users.id=user', '--type', 'teams.id=user'],
    'each prefix may be given once, received users.id=user and teams.id=user (columns follow by foreign keys, or with a comma)',
  ],
  [
    ['--database', 'mysql://x', '--type', 'users.id=user'],
    '--database expects a URL: postgres://… or sqlite:<path>',
  ],
  [
    ['--database', NOWHERE, '--type', 'users.id=user', '--batch', '0'],
    '--batch expects a number of rows, received "0"',
  ],
  [
    ['--database', NOWHERE, '--type', 'users.id=user', '--down', 'int'],
    '--down expects uuid or text or smallint or integer or bigint, received "int"',
  ],
  [
    ['--database', NOWHERE, '--type', 'users.id=user', '--apply', '--dry-run'],
    '--apply and --dry-run exclude each other',
  ],
])('the arguments %j are an error of the command line', async (args, message) => {
  const { code, out, err } = await run(args)
  expect({ code, out }).toEqual({ code: 2, out: '' })
  expect(err).toBe(`typed-id: ${message.replace('…', '\\u{2026}')}\nTry: typed-id --help\n`)
})

test('--help prints the help of the command', async () => {
  const { code, out } = await run(['--help'])
  expect(code).toBe(0)
  expect(out).toMatch(/^Turn bare uuids and integer keys in a database into typed ids\.\n/)
  for (const option of ['database', 'type', 'strategy', 'batch', 'dry-run', 'apply', 'down'])
    expect(out).toMatch(new RegExp(`^ +--${option}\\b`, 'm'))
})

test('a missing driver is named with the command that installs it', async () => {
  expect(await start(['--database', NOWHERE, '--type', 'users.id=user'], { cwd: '/' }).result).toEqual({
    code: 1,
    out: '',
    err: 'typed-id: PostgreSQL needs the package pg in the current project: npm install pg\n',
  })
})

test('a server that cannot be reached is one line without the URL', async () => {
  const { code, err } = await run([
    '--database',
    'postgres://me:secret@127.0.0.1:1/x',
    '--type',
    'users.id=user',
  ])
  expect(code).toBe(1)
  expect(err).toMatch(/^typed-id: cannot connect to PostgreSQL: .+\n$/)
  expect(err).not.toContain('secret')
})

describe('a database that cannot be migrated is one line, and nothing is changed', () => {
  const bad = Array.from({ length: 25 }, (_, i) => `('${i + 100}', 'x')`).join(', ')
  test.each([
    ['unknown table', '', 'nope.id=user', 'unknown table nope'],
    ['unknown column', '', 'users.nope=user', 'unknown column nope of users'],
    [
      'two types',
      '',
      'users.id=user;teams.id=team;memberships.user_id=member',
      'public.memberships.user_id would get two types by its foreign keys: member and user',
    ],
    [
      'a view',
      'create view v as select id from users',
      'users.id=user',
      'view public.v depends on public.users.id: drop it, and create it again after the migration',
    ],
    [
      'a key of another type',
      'create table t (id numeric primary key)',
      't.id=x',
      'public.t.id has the type numeric: expected uuid, text, smallint, integer or bigint',
    ],
    [
      'partitions',
      'create table p (id uuid) partition by hash (id)',
      'p.id=part',
      'public.p is not a plain table: partitions, inheritance and views are not supported',
    ],
    [
      'rows that are no uuids',
      `create table t (id text, n text, primary key (n, id)); insert into t values ${bad}`,
      't.id=x',
      [
        '25 rows of public.t have a value in id that is not a uuid in lowercase:',
        ...Array.from({ length: 20 }, (_, i) => `  {"n":"x","id":"${i + 100}"}: "${i + 100}"`),
      ].join('\n'),
    ],
  ])('%s', async (_, sql, types, message) => {
    const { url, db } = await createDatabase()
    if (sql) await db.query(sql)
    const schema = await readSchema(db)
    const args = types.split(';').flatMap((type) => ['--type', type])
    expect(await run(['--database', url, ...args, '--apply'])).toEqual({
      code: 1,
      out: '',
      err: `typed-id: ${message}\n`,
    })
    expect(await readSchema(db)).toEqual(schema)
  })

  test('an index that the strategy online cannot copy', async () => {
    const { url, db } = await createDatabase()
    await db.query('create index odd on users (md5(id::text))')
    const schema = await readSchema(db)
    expect(
      await run(['--database', url, '--type', 'users.id=user', '--strategy', 'online', '--apply']),
    ).toEqual({
      code: 1,
      out: '',
      err: 'typed-id: the index odd of public.users has id in an expression or a predicate: the strategy online cannot copy it, use --strategy transaction\n',
    })
    expect(await readSchema(db)).toEqual(schema)
  })

  test('a CHECK that ids cannot meet', async () => {
    const { url, db } = await createDatabase(
      'create table t (id text primary key check (length(id) = 36)); insert into t values (gen_random_uuid())',
    )
    const schema = await readSchema(db)
    expect(await run(['--database', url, '--type', 't.id=x', '--apply'])).toMatchObject({
      code: 1,
      out: '',
      err: expect.stringMatching(
        /^typed-id: check constraint "t_id_check" of relation "t" is violated by some row: nothing was changed\n$/,
      ),
    })
    expect(await readSchema(db)).toEqual(schema)
  })
})
