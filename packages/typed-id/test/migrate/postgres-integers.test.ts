import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { uuidv7 } from '../../src/index.ts'
import { run } from './command.ts'
import { readSchema, usePostgres } from './postgres-database.ts'

const createDatabase = usePostgres()

/** Keys of three integer types, with a cycle, a self reference, composite keys, and defaults. */
const SCHEMA = `
create table countries (id smallint primary key, name text not null);
create table teams (id bigserial primary key, name text not null, owner_id integer);
create table users (id serial primary key, email text not null unique,
  team_id bigint not null references teams on delete cascade, manager_id integer references users,
  country_id smallint default 7 references countries, check (manager_id <> id));
alter table teams add foreign key (owner_id) references users on delete set null deferrable initially deferred;
create table memberships (team_id bigint references teams, user_id integer references users, role text,
  primary key (team_id, user_id));
create table invitations (id integer primary key, team_id bigint not null, invited_by integer not null,
  foreign key (team_id, invited_by) references memberships (team_id, user_id) on delete cascade);
create index on users (team_id, id desc) include (email);
insert into countries values (7, 'first'), (32767, 'last');
select setval('teams_id_seq', 3000000000);
insert into teams (name) select 'team ' || i from generate_series(1, 5) i;
insert into users (email, team_id) select 'user' || i, 3000000001 + i % 5 from generate_series(1, 300) i;
update users set manager_id = id - 5 where id > 5;
update users set country_id = case when id % 2 = 0 then 32767 end where id % 3 <> 0;
update teams t set owner_id = (select id from users where team_id = t.id order by id limit 1);
insert into memberships select team_id, id, 'member' from users;
insert into invitations select user_id, team_id, user_id from memberships;`

const TYPES = {
  integer: ['--type', 'users.id=user'],
  bigint: ['--type', 'teams.id=team'],
  smallint: ['--type', 'countries.id=country'],
}
const ALL_TYPES = Object.values(TYPES).flat()

/** The names of the columns that contain ids, by prefix; those of the name id by table. */
const PREFIXES: Record<string, string> = {
  'countries.id': 'country',
  'teams.id': 'team',
  'users.id': 'user',
  team_id: 'team',
  country_id: 'country',
  owner_id: 'user',
  manager_id: 'user',
  user_id: 'user',
  invited_by: 'user',
}
const TABLES = ['countries', 'teams', 'users', 'memberships', 'invitations']

type Db = Awaited<ReturnType<typeof createDatabase>>['db']

/** The uuid of an integer: the integer fills the last field of version 8 in RFC 9562, section 5.8, which has 62 bits. */
function uuidOf(integer: bigint | number | string): string {
  const hex = (2n ** 63n + BigInt(integer)).toString(16)
  return `00000000-0000-8000-${hex.slice(0, 4)}-${hex.slice(4)}`
}

async function readRows(db: Db): Promise<Record<string, unknown>[][]> {
  const tables = []
  for (const table of TABLES) {
    const { rows } = await db.query(`select * from ${table}`)
    const sorted = rows.map((row) =>
      Object.fromEntries(Object.entries(row).sort(([a], [b]) => (a < b ? -1 : 1))),
    )
    tables.push(sorted.sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1)))
  }
  return tables
}

const withIds = (tables: Record<string, unknown>[][]) =>
  tables.map((rows, i) =>
    rows
      .map((row) =>
        Object.fromEntries(
          Object.entries(row).map(([name, value]) => {
            const prefix = PREFIXES[name] ?? PREFIXES[`${TABLES[i]}.${name}`]
            return [name, prefix && value !== null ? `${prefix}-${uuidOf(value as number)}` : value]
          }),
        ),
      )
      .sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1)),
  )

/** The sequence of each table, whether the column owns it, and what it returns next. */
async function readSequences(db: Db): Promise<unknown[]> {
  const { rows } = await db.query(`select t, pg_get_serial_sequence(t, 'id') as owned, last_value, data_type
    from unnest(array['teams', 'users']) t join pg_sequences on sequencename = t || '_id_seq' order by t`)
  return rows
}

describe.each(['transaction', 'online'])('the strategy %s', (strategy) => {
  const options = ['--strategy', strategy]

  test('converts integers of all types, and the way back restores columns, defaults and sequences', async () => {
    const { url, db } = await createDatabase(SCHEMA)
    const before = [await readRows(db), await readSchema(db), await readSequences(db)] as const
    expect(await run(['--database', url, ...ALL_TYPES, ...options, '--apply'])).toMatchObject({
      code: 0,
      err: '',
    })
    expect(await readRows(db)).toEqual(withIds(before[0]))
    expect(await readSequences(db)).toEqual(before[2])

    for (const [down, types] of Object.entries(TYPES))
      expect(await run(['--database', url, ...types, ...options, '--down', down, '--apply'])).toMatchObject({
        code: 0,
        err: '',
      })
    expect([await readRows(db), await readSchema(db), await readSequences(db)]).toEqual(before)
    expect((await db.query(`insert into teams (name) values ('new') returning id`)).rows).toEqual([
      { id: '3000000006' },
    ])
  })

  test('a default continues the sequence, an id of version 7 comes after it, and an integer is rejected', async () => {
    const { url, db } = await createDatabase(SCHEMA)
    await run(['--database', url, ...ALL_TYPES, ...options, '--apply'])
    const { rows } = await db.query(
      `insert into users (email, team_id) select 'new', id from teams limit 1 returning id, country_id`,
    )
    expect(rows).toEqual([{ id: `user-${uuidOf(301)}`, country_id: `country-${uuidOf(7)}` }])
    await db.query(`insert into teams (id, name) values ($1, 'new')`, [`team-${uuidv7()}`])
    expect((await db.query('select name from teams order by id desc limit 2')).rows).toEqual([
      { name: 'new' },
      { name: 'team 5' },
    ])
    await expect(db.query(`insert into teams (id, name) values ('6', 'old client')`)).rejects.toThrow(
      'teams_id_typed_id',
    )
  })

  test('prints the SQL that --apply runs, and changes nothing', async () => {
    const [{ url, db }, applied] = [await createDatabase(SCHEMA), await createDatabase(SCHEMA)]
    const schema = await readSchema(db)
    const { code, out } = await run(['--database', url, ...ALL_TYPES, ...options])
    expect(code).toBe(0)
    expect(await readSchema(db)).toEqual(schema)
    expect(out).toContain(
      `--   public.users.team_id: bigint becomes text with 'team-00000000-0000-8000-8<integer>', follows by foreign keys\n`,
    )
    const back = (down: keyof typeof TYPES) =>
      new RegExp(
        `^-- The way back.*: typed-id migrate plan --database … ${TYPES[down].join(' ')} --down ${down}$`,
        'm',
      )
    for (const down of ['smallint', 'integer', 'bigint'] as const) expect(out).toMatch(back(down))
    const statements = out.replace(/^--.*\n/gm, '').match(/(\$\$.*?\$\$|[^;])+;/gs) ?? []
    for (const statement of statements) await db.query(statement)
    await run(['--database', applied.url, ...ALL_TYPES, ...options, '--apply'])
    expect(await readSchema(db)).toEqual(await readSchema(applied.db))
    expect(await readRows(db)).toEqual(await readRows(applied.db))
    expect(await readSequences(db)).toEqual(await readSequences(applied.db))
  })

  test('a CHECK that compares with an integer is one line, and nothing is changed', async () => {
    const { url, db } = await createDatabase(SCHEMA)
    await db.query('alter table users add constraint positive check (id > 0)')
    const before = await readSchema(db)
    expect(await run(['--database', url, ...ALL_TYPES, ...options, '--apply'])).toEqual({
      code: 1,
      out: '',
      err: 'typed-id: the constraint positive of public.users does not accept text (operator does not exist: text > integer): drop it before the migration\n',
    })
    expect(await readSchema(db)).toEqual(before)
  })

  test('the way back lists the ids that do not contain an integer of that type', async () => {
    const { url, db } = await createDatabase(SCHEMA)
    await run(['--database', url, ...ALL_TYPES, ...options, '--apply'])
    const id = `team-${uuidv7()}`
    await db.query(`insert into teams (id, name) values ($1, 'new')`, [id])
    const command = ['--database', url, ...TYPES.bigint, ...options, '--apply', '--down']
    expect(await run([...command, 'bigint'])).toEqual({
      code: 1,
      out: '',
      err: `typed-id: 1 rows of public.teams have a value in id that is not team-00000000-0000-8000-8<bigint>:\n  {"id":"${id}"}: "${id}"\n`,
    })
    expect((await run([...command, 'integer'])).err).toMatch(
      /^typed-id: 300 rows of public.invitations have a value in team_id that is not team-00000000-0000-8000-8<integer>:\n/,
    )
  })
})

test('the row of a client that sends integers gets its id during the strategy online', async () => {
  const { url, db } = await createDatabase(SCHEMA)
  const { out } = await run(['--database', url, ...ALL_TYPES, '--strategy', 'online'])
  const expand = out.slice(out.indexOf('begin;'), out.indexOf('-- 6. '))
  await db.query(expand.replace(/^--.*\n/gm, ''))
  const insert =
    'insert into teams (name, owner_id) values ($1, $2) returning id, id_typed_id, owner_id_typed_id'
  expect((await db.query(insert, ['new', 12])).rows).toEqual([
    { id: '3000000006', id_typed_id: `team-${uuidOf(3000000006)}`, owner_id_typed_id: `user-${uuidOf(12)}` },
  ])
  await expect(db.query(`insert into teams (id, name) values (-1, 'negative')`)).rejects.toThrow(
    'bigint out of range',
  )
})

test('the limits of every type are converted and restored', async () => {
  const limits = {
    smallint: ['0', '1', '32767'],
    integer: ['0', '10', '2147483647'],
    bigint: ['0', '4095', '9007199254740993', '4611686018427387903'],
  }
  for (const [type, integers] of Object.entries(limits)) {
    const { url, db } = await createDatabase(
      `create table t (id ${type} primary key); insert into t values (${integers.join('), (')})`,
    )
    const command = ['--database', url, '--type', 't.id=x', '--apply']
    expect(await run(command)).toMatchObject({ code: 0, err: '' })
    const ids = integers.map((integer) => ({ id: `x-${uuidOf(integer)}` }))
    expect((await db.query('select id from t order by id')).rows).toEqual(ids)
    expect(await run([...command, '--down', type])).toMatchObject({ code: 0, err: '' })
    const { rows } = await db.query('select id::text, pg_typeof(id)::text as type from t order by t.id')
    expect(rows).toEqual(integers.map((id) => ({ id, type })))
  }
})

test('integers out of range are listed, and nothing is changed', async () => {
  const { url, db } = await createDatabase(`create table t (n text, id bigint primary key);
    insert into t select 'x', -i from generate_series(1, 24) i;
    insert into t values ('large', 4611686018427387904), ('fine', 4611686018427387903)`)
  const before = await readSchema(db)
  expect(await run(['--database', url, '--type', 't.id=x', '--apply'])).toEqual({
    code: 1,
    out: '',
    err: [
      'typed-id: 25 rows of public.t have a value in id that is not an integer from 0 to 4611686018427387903:',
      ...Array.from({ length: 20 }, (_, i) => `  {"id":${i - 24}}: "${i - 24}"`),
      '',
    ].join('\n'),
  })
  expect(await readSchema(db)).toEqual(before)
})

describe.each(['transaction', 'online'])('an identity column and the strategy %s', (strategy) => {
  test('becomes a default with a sequence that continues, for every role that may insert', async () => {
    const role = `writer_${randomUUID().slice(0, 8)}`
    const { url, db } = await createDatabase(`
      create table "Orders" ("Id" bigint generated always as identity (start with 1000 increment by 5 cycle) primary key,
        parent bigint references "Orders", note text);
      create table lines (id int generated by default as identity primary key, order_id bigint references "Orders");
      create role ${role}; grant insert (note), select on "Orders" to ${role}; grant insert on lines to public;
      insert into "Orders" (note) values ('a'), ('b'); insert into lines (order_id) values (1005)`)
    const types = ['--database', url, '--type', 'Orders.Id=order', '--type', 'lines.id=line']
    expect(await run([...types, '--strategy', strategy, '--apply'])).toMatchObject({ code: 0, err: '' })
    await db.query(`set role ${role}`)
    const { rows } = await db.query(`insert into "Orders" (note) values ('c') returning "Id"`)
    expect(rows).toEqual([{ Id: `order-${uuidOf(1010)}` }])
    await db.query('insert into lines default values')
    await db.query('reset role')
    expect((await db.query('select id, order_id from lines order by id')).rows).toEqual([
      { id: `line-${uuidOf(1)}`, order_id: `order-${uuidOf(1005)}` },
      { id: `line-${uuidOf(2)}`, order_id: null },
    ])
    const sequences = `select sequencename, data_type, start_value, increment_by, max_value, cycle, last_value,
      pg_get_serial_sequence('"Orders"', 'Id') as owned from pg_sequences order by 1`
    const orders = {
      sequencename: 'Orders_Id_seq',
      data_type: 'bigint',
      start_value: '1000',
      increment_by: '5',
      max_value: '9223372036854775807',
      cycle: true,
      last_value: '1010',
      owned: 'public."Orders_Id_seq"',
    }
    expect((await db.query(sequences)).rows[0]).toEqual(orders)

    const back = [...types.slice(0, 4), '--strategy', strategy, '--down', 'bigint', '--apply']
    expect(await run(back)).toMatchObject({ code: 0, err: '' })
    expect((await db.query(`insert into "Orders" (note) values ('d') returning "Id"`)).rows).toEqual([
      { Id: '1015' },
    ])
    expect(await readSchema(db)).toContain(`"Orders" Id bigint t nextval('"Orders_Id_seq"'::regclass)`)
    expect((await db.query(sequences)).rows[0]).toEqual({ ...orders, last_value: '1015' })
  })
})
