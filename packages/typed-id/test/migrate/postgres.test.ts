import { describe, expect, test } from 'vitest'
import { run } from './command.ts'
import { readRows, readSchema, usePostgres } from './postgres-database.ts'

const createDatabase = usePostgres()
const TYPES = ['--type', 'users.id=user', '--type', 'teams.id=team']
const UUID = '[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}'

/** The names of the columns that contain ids, by prefix. */
const PREFIXES: Record<string, string> = {
  team_id: 'team',
  owner_id: 'user',
  manager_id: 'user',
  user_id: 'user',
  invited_by: 'user',
  user: 'user',
}

/** The rows as they are after the migration. The tables come in the order of TABLES. */
const withIds = (tables: Record<string, unknown>[][]) =>
  tables.map((rows, table) =>
    rows.map((row) =>
      Object.fromEntries(
        Object.entries(row).map(([name, value]) => {
          const prefix = name === 'id' ? ['team', 'user'][table] : PREFIXES[name]
          return [name, prefix && value !== null ? `${prefix}-${value}` : value]
        }),
      ),
    ),
  )

describe.each(['transaction', 'online'])('the strategy %s', (strategy) => {
  const options = [...TYPES, '--strategy', strategy]

  test('converts every column that follows, keeps all other values and constraints, and the way back restores all', async () => {
    const { url, db } = await createDatabase()
    const [rows, schema] = [await readRows(db), await readSchema(db)]
    expect(await run(['--database', url, ...options, '--apply'])).toMatchObject({ code: 0, err: '' })
    const converted = await readSchema(db)
    expect(await readRows(db)).toEqual(withIds(rows))
    expect(converted).toContain(`users id text t ('user-'::text || (gen_random_uuid())::text) The user's key`)
    expect(converted).toContain(`users users_id_typed_id CHECK ((id ~ '^user-${UUID}$'::text)) t -`)
    // Except for the types, the defaults and the two CHECKs, the schema is the same.
    const shared = (lines: string[]) => lines.filter((line) => !/ (uuid|text) [tf]\b| CHECK /.test(line))
    expect(shared(converted)).toEqual(shared(schema))

    expect(await run(['--database', url, ...options, '--down', 'uuid', '--apply'])).toMatchObject({
      code: 0,
      err: '',
    })
    expect(await readSchema(db)).toEqual(schema)
    expect(await readRows(db)).toEqual(rows)
  })

  test('prints the SQL that --apply runs, and changes nothing', async () => {
    const [{ url, db }, applied] = [await createDatabase(), await createDatabase()]
    const schema = await readSchema(db)
    const { code, out } = await run(['--database', url, ...options])
    expect(code).toBe(0)
    expect(await readSchema(db)).toEqual(schema)
    const statements = out.replace(/^--.*\n/gm, '').match(/(\$\$.*?\$\$|[^;])+;/gs) ?? []
    for (const statement of statements) await db.query(statement)
    await run(['--database', applied.url, ...options, '--apply'])
    expect(await readSchema(db)).toEqual(await readSchema(applied.db))
    expect(
      (await db.query('select count(*) from users where id ~ $1', [`^user-${UUID}$`])).rows[0].count,
    ).toBe('300')
  })

  test('prints the columns, the locks, the figures and the way back', async () => {
    const { url } = await createDatabase()
    const { out } = await run(['--database', url, ...options])
    expect(out).toContain(`--   public.users.id: uuid becomes text with 'user-<uuid>'\n`)
    expect(out).toContain(
      `--   public."Events"."user": uuid becomes text with 'user-<uuid>', follows by foreign keys\n`,
    )
    expect(out).toMatch(/^-- {3}public.memberships: 300 rows, checksum -?\d+$/m)
    expect(out).toMatch(/^-- Locks: ACCESS EXCLUSIVE /m)
    expect(out).toMatch(/^-- The way back, after the migration: .+ --down uuid$/m)
    expect(out).toMatch(/^-- {3}commit;$/m)
  })
})

test.each(['transaction', 'online'])(
  'the strategy %s keeps collations and constraints that are not valid',
  async (strategy) => {
    const { url, db } = await createDatabase(`
    create table accounts (id text collate "C" primary key, parent text collate "C" references accounts);
    insert into accounts values (gen_random_uuid(), null);
    alter table accounts add constraint no_self check (parent <> id) not valid;
    alter table accounts add constraint later foreign key (parent) references accounts not valid`)
    const types = ['--database', url, '--type', 'accounts.id=acc', '--strategy', strategy]
    const before = await readSchema(db)
    expect(await run([...types, '--apply'])).toMatchObject({ code: 0, err: '' })
    const { rows } = await db.query(
      `select collation_name from information_schema.columns where table_name = 'accounts'`,
    )
    expect(rows).toEqual([{ collation_name: 'C' }, { collation_name: 'C' }])
    expect(await run([...types, '--down', 'text', '--apply'])).toMatchObject({ code: 0, err: '' })
    expect(await readSchema(db)).toEqual(before)
  },
)

test('--dry-run runs everything and changes nothing', async () => {
  const { url, db } = await createDatabase()
  const schema = await readSchema(db)
  const { code, out } = await run(['--database', url, ...TYPES, '--dry-run'])
  expect({ code, out }).toEqual({ code: 0, out: expect.stringMatching(/nothing was changed\n$/) })
  expect(out).toMatch(/^public.users: 300 rows, checksum -?\d+, the same before and after$/m)
  expect(await readSchema(db)).toEqual(schema)
})

test('the way back before the switch removes what the earlier steps have added', async () => {
  const { url, db } = await createDatabase()
  const schema = await readSchema(db)
  const { out } = await run(['--database', url, ...TYPES, '--strategy', 'online'])
  const expand = out.slice(out.indexOf('begin;'), out.indexOf('-- 6. '))
  await db.query(expand.replace(/^--.*\n/gm, ''))
  const giveUp = out.slice(out.indexOf('-- To give up'), out.indexOf('-- The way back'))
  await db.query(giveUp.split('\n').slice(1).join('\n').replace(/^-- /gm, ''))
  expect(await readSchema(db)).toEqual(schema)
})

test('a new row gets an id by default, and a bare uuid is rejected', async () => {
  const { url, db } = await createDatabase()
  await run(['--database', url, ...TYPES, '--apply'])
  const { rows } = await db.query(`insert into teams (name) values ('new') returning id`)
  expect(rows[0].id).toMatch(new RegExp(`^team-${UUID}$`))
  await expect(
    db.query(`insert into teams (id, name) values ('0190163d-8694-739b-aea5-966c26f8ad91', 'old client')`),
  ).rejects.toThrow('teams_id_typed_id')
})

test('converts text columns, and columns without a foreign key that are named with a comma', async () => {
  const { url, db } = await createDatabase(`
    create table accounts (id varchar(36) primary key);
    create table logs (account text);
    insert into accounts values ('0190163d-8694-739b-aea5-966c26f8ad91');
    insert into logs values ('0190163d-8694-739b-aea5-966c26f8ad91'), (null)`)
  const types = ['--database', url, '--type', 'accounts.id,logs.account=acc']
  expect(await run([...types, '--apply'])).toMatchObject({ code: 0, err: '' })
  expect((await db.query('select id, account from accounts, logs order by 2')).rows).toEqual([
    { id: 'acc-0190163d-8694-739b-aea5-966c26f8ad91', account: 'acc-0190163d-8694-739b-aea5-966c26f8ad91' },
    { id: 'acc-0190163d-8694-739b-aea5-966c26f8ad91', account: null },
  ])
})
