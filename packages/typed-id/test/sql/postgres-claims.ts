import fc from 'fast-check'
import pg from 'pg'
import { startPostgres } from 'testkit/postgres.ts'
import {
  afterAll,
  beforeAll,
  describe,
  expect,
  onTestFinished,
  test,
} from 'vitest'
import { VECTORS } from '../../build-vectors.ts'
import { firstIdAt, lastIdAt } from '../../src/generate/range.ts'
import { defineId } from '../../src/index.ts'
import { cli } from '../cli/terminal.ts'
import { near } from '../fuzz/values.ts'

const UserId = defineId('user')
const { valid, invalid } = VECTORS
const command = ['sql', 'postgres', '--types', 'user,team,orderLine']
const { out: file } = await cli(command)

/** The vectors that are not valid for any type. */
const malformed = invalid.filter(({ form, text }) => {
  const prefix = /^[a-zA-Z0-9]{1,63}(?=[-_])/.exec(text)?.[0]
  const type = prefix && defineId(prefix)
  return (
    !type ||
    (form === 'short'
      ? !type.isEitherForm(text) || type.is(text)
      : !type.is(text))
  )
})

const randomIds = [
  ...valid.map(({ uuid }) => UserId.fromUuid(uuid)),
  ...Array.from({ length: 10_000 }, () =>
    UserId.fromBytes(crypto.getRandomValues(new Uint8Array(16))),
  ),
]
const column = (values: readonly string[]) =>
  values.map((value) => [value] as const)

type Server = Awaited<ReturnType<typeof startPostgres>>

/**
 * Tests the SQL file on a PostgreSQL server from a package. Returns a function
 * that returns the server, for use in tests.
 */
export function testPostgres(name?: string): () => Server {
  let server: Server
  let client: pg.Client

  beforeAll(async () => {
    server = await startPostgres({ name })
    client = new pg.Client(server.url)
    await client.connect()
    await client.query(file)
    await client.query(file) // the file can be run twice
    await client.query('create table users (id user_id primary key)')
    await client.query(`create function pg_temp.code_of(value text) returns text language plpgsql as $$ begin
      perform value::user_id;
      return 'accepted';
    exception when others then
      return sqlstate;
    end $$`)
    await client.query(
      "set timezone = 'America/St_Johns'; set datestyle = 'German'",
    )
  })
  afterAll(async () => {
    await client.end()
    await server.stop()
  })

  /** Runs the SQL file in a schema of this test, which other tests do not see. */
  async function useSchema(): Promise<void> {
    await client.query('create schema own; set search_path = own')
    onTestFinished(async () => {
      await client.query('reset search_path; drop schema own cascade')
    })
    await client.query(file)
  }

  /** Evaluates an SQL expression of the columns a and b for many rows. */
  async function map(
    expression: string,
    rows: readonly (readonly [a: string | null, b?: string])[],
  ): Promise<(string | null)[]> {
    const { rows: results } = await client.query({
      text: `select (${expression})::text from unnest($1::text[], $2::text[]) with ordinality as t(a, b, n) order by n`
        .replace('uuid(a, b)', 'uuid(a, b::uuid)')
        .replace("uuid('user', a)", "uuid('user', a::uuid)")
        .replace("_at('user', a)", "_at('user', a::timestamptz)"),
      values: [rows.map(([a]) => a), rows.map(([, b]) => b)],
      rowMode: 'array',
    })
    return results.map(([result]) => result)
  }

  test('return the times of the vectors, and null for all versions but 7', async () => {
    const times = await map(
      'round(extract(epoch from typed_id_time(a)) * 1000)::bigint',
      valid.map(({ standard }) => [standard]),
    )
    expect(times.map((ms) => (ms === null ? null : Number(ms)))).toEqual(
      valid.map(({ ms }) => ms),
    )
  })

  test.each([
    ['the short form', UserId.toShort, 'to_short(a)', 'from_short(a)'],
    ['uuids', UserId.toUuid, 'to_uuid(a)', "from_uuid('user', a)"],
  ])(
    'convert 10,000 random ids to %s and back like the library',
    async (_, convert, to, from) => {
      const converted = randomIds.map(convert)
      expectSame(await map(`typed_id_${to}`, column(randomIds)), converted)
      expectSame(await map(`typed_id_${from}`, column(converted)), randomIds)
    },
  )

  test('return the bounds of 10,000 random milliseconds like the library', async () => {
    const times = Array.from({ length: 10_000 }, () =>
      Math.floor(Math.random() * 2 ** 48),
    )
    times.push(0, 1, 999, 2 ** 48 - 1)
    const rows = column(
      times.map(
        (ms) =>
          `${new Date(ms).toISOString().replace(/^\+0?/, '').slice(0, -1)}999Z`,
      ),
    )
    const expected = (bound: typeof firstIdAt) =>
      times.map((ms) => bound(UserId, ms))
    expect(await map("typed_id_first_at('user', a)", rows)).toEqual(
      expected(firstIdAt),
    )
    expect(await map("typed_id_last_at('user', a)", rows)).toEqual(
      expected(lastIdAt),
    )
  })

  test('generate 10,000 different version 7 ids with the current time and random bits', async () => {
    const before = Date.now()
    const generated = await map(
      'typed_id_generate(a)',
      Array.from({ length: 10_000 }, () => ['user'] as const),
    )
    const found = generated.map((id) => UserId.parse(id))
    expect(new Set(found).size).toBe(10_000)
    for (const time of [found[0], found.at(-1)].map((id) =>
      UserId.timestamp(id as never)?.getTime(),
    )) {
      expect(time).toBeGreaterThanOrEqual(before - 1)
      expect(time).toBeLessThanOrEqual(Date.now() + 1)
    }
    // Each random bit must be set in about half of the 10,000 ids (5,000,
    // standard deviation 50).
    for (let bit = 66; bit < 128; bit++) {
      const set = found.filter(
        (id) =>
          ((UserId.toBytes(id)[bit >> 3] as number) >> (7 - (bit & 7))) & 1,
      ).length
      expect(Math.abs(set - 5000), `bit ${bit}`).toBeLessThan(400)
    }
  })

  test('return null for null', async () => {
    for (const call of [
      ...['generate', 'to_short', 'from_short', 'to_uuid', 'time'].map(
        (name) => `${name}(null)`,
      ),
      ...['from_uuid', 'first_at', 'last_at'].flatMap((name) => [
        `${name}(null, null)`,
        `${name}('user', null)`,
      ]),
      `from_uuid(null, '${UserId.toUuid(UserId.example)}')`,
    ])
      expect(await map(`typed_id_${call}`, [[null]]), call).toEqual([null])
  })

  describe('reject with an error that contains the value', () => {
    test.each(malformed)('the $form form, $why', async ({ form, text }) => {
      const functions =
        form === 'short' ? ['from_short'] : ['to_short', 'to_uuid', 'time']
      for (const name of functions) {
        const error = await messageOf(map(`typed_id_${name}(a)`, [[text]]))
        if (/^[ !#-[\]-~]*$/.test(text))
          expect(error).toContain(text.slice(0, 40))
      }
    })

    test.each([
      ["typed_id_generate('us-er')", 'us-er'],
      ["typed_id_generate('')", 'expected'],
      ["typed_id_generate(repeat('a', 64))", 'aaa'],
      [
        "typed_id_from_uuid('us er', '0190163d-8694-739b-aea5-966c26f8ad91')",
        'us er',
      ],
      [
        "typed_id_from_uuid('user', '0190163d-8694-739b-aea5-966c26f8ad9')",
        '0190163d-8694-739b-aea5-966c26f8ad9',
      ],
      ["typed_id_first_at('user', '1969-12-31 12:00:00')", '1969'],
      ["typed_id_last_at('user', '1969-12-31 12:00:00')", '1969'],
      ["typed_id_last_at('', '2024-06-14')", 'expected'],
    ])('%s', async (expression, value) => {
      expect(await messageOf(map(expression, [['']]))).toContain(value)
    })
  })

  const query = async (text: string) =>
    (await client.query({ text, rowMode: 'array' })).rows

  test('the domain accepts the same strings as is() among changed ids, and rejects all others with 23514', async () => {
    const changed = [
      ...fc.sample(near, 20_000),
      ...randomIds,
      ...invalid.map(({ text }) => text),
    ].filter((text) => !/[\0\p{Surrogate}]/u.test(text))
    const expected = changed.map((text) =>
      UserId.is(text) ? 'accepted' : '23514',
    )
    expectSame(await map('pg_temp.code_of(a)', column(changed)), expected)
  })

  test('defaults, generated columns, functional indexes and foreign keys use the functions and domains', async () => {
    await useSchema()
    await query(`
      create table teams (id team_id primary key default typed_id_generate('team'));
      create table members (
        id user_id primary key default typed_id_generate('user'),
        short_id text generated always as (typed_id_to_short(id)) stored,
        team_id team_id references teams
      );
      create index members_short on members (typed_id_to_short(id));
      create index members_created on members (typed_id_time(id));
      with team as (insert into teams default values returning id)
      insert into members (team_id) select team.id from team, generate_series(1, 2000);
      analyze members`)
    const [[id, short]] = (await query(
      'select id, short_id from members limit 1',
    )) as [[never, string]]
    expect(short).toBe(UserId.toShort(id))
    const byShort = `id = typed_id_from_short('${short}')`
    expect(await query(`select id from members where ${byShort}`)).toEqual([
      [id],
    ])
    for (const [condition, plan] of [
      [byShort, 'Index Scan using members_pkey'],
      [`typed_id_to_short(id) = '${short}'`, 'Index Scan using members_short'],
      [
        "id >= typed_id_first_at('user', '2024-06-14Z') and id < typed_id_first_at('user', '2024-06-15Z')",
        /Index Scan using members_pkey[\s\S]+Index Cond: \(\(\(?id\)?::text >= 'user-0190140b-4000-7000[\s\S]+< 'user-01901931-9c00-7000/,
      ],
    ] as const) {
      const rows = await query(
        `explain (costs off) select * from members where ${condition}`,
      )
      expect(rows.join('\n')).toMatch(plan)
    }
    expect(
      await messageOf(
        query("insert into members (id) values (typed_id_generate('team'))"),
      ),
    ).toContain('value for domain user_id violates check constraint')
  })

  test('ids of a domain sort by code units, whatever the collation of the database', async () => {
    const collation =
      "select collation_name from information_schema.domains where domain_name = 'user_id' and domain_schema = 'public'"
    expect(await query(collation)).toEqual([['C']])
  })

  test('the functions work in any schema with an empty search path, as in a restore', async () => {
    await useSchema()
    await query(`create table a (id user_id default typed_id_generate('user'));
      set search_path = ''; insert into own.a default values;
      create index on own.a (own.typed_id_to_short(id))`)
    const [[id]] = (await query(
      'select own.typed_id_from_short(own.typed_id_to_short(id)) from own.a',
    )) as [[string]]
    expect(UserId.is(id)).toBe(true)
  })

  test('an operator for text and uuid in the search path, and a temporary type uuid, change no result', async () => {
    await useSchema()
    await query(`create domain pg_temp.uuid as text;
      create function own.cat(text, pg_catalog.uuid) returns text language sql as 'select ''''';
      create operator own.|| (leftarg = text, rightarg = pg_catalog.uuid, function = own.cat)`)
    const [ids] = (await query(
      `select typed_id_generate('user'), typed_id_from_short('user_01j0b3v1mmeedtx9cpdgkfhbch'),
        typed_id_from_uuid('user', '0190163d-8694-739b-aea5-966c26f8ad91'), typed_id_first_at('user', now())`,
    )) as [string[]]
    expect(ids.map(UserId.is)).toEqual([true, true, true, true])
    await query('drop domain pg_temp.uuid')
  })

  test('the file reports a type with the name of a domain', async () => {
    await useSchema()
    await query('create domain project_id as bigint')
    const { out } = await cli(['sql', 'postgres', '--types', 'project'])
    expect(await messageOf(query(out))).toBe(
      'the type project_id exists, but is not the domain of the ids of the type "project"',
    )
  })

  test('errors have the SQLSTATE for invalid text', async () => {
    for (const [call, code] of [
      ["to_short('user-1')", '22P02'],
      ["from_short('user_1')", '22P02'],
      ["generate('-')", '22023'],
      ["first_at('user', 'infinity')", '22008'],
    ] as const)
      await expect(
        query(`select typed_id_${call}`),
        call,
      ).rejects.toMatchObject({ code })
  })

  test('the file of --drop is one statement, fails while a table uses a domain, and then removes everything', async () => {
    await useSchema()
    await query('create table users (id user_id)')
    const { out } = await cli([...command, '--drop'])
    // As a prepared statement, `out` cannot contain a second statement.
    const drop = client.query({ name: 'drop', text: out })
    expect(await messageOf(drop)).toContain('other objects depend on it')
    await query('drop table users')
    await query(out)
    await query(out)
    expect(
      await query(
        "select proname from pg_proc where proname like 'typed_id%' and pronamespace = 'own'::regnamespace",
      ),
    ).toEqual([])
    expect(
      await query(
        "select typname from pg_type where typname like any ('{user_id,team_id,orderLine_id}') and typnamespace = 'own'::regnamespace",
      ),
    ).toEqual([])
  })

  return () => server
}

/**
 * Compares lists. Reports only the index of the first difference, not 10,000
 * lines.
 */
function expectSame(
  found: readonly unknown[],
  expected: readonly unknown[],
): void {
  expect(found).toHaveLength(expected.length)
  const index = found.findIndex((value, i) => value !== expected[i])
  expect([index, found[index]]).toEqual([-1, undefined])
}

function messageOf(statement: Promise<unknown>): Promise<string> {
  return statement.then(
    (result) =>
      expect.fail(`accepted, with the result ${JSON.stringify(result)}`),
    (error) => String(error.message),
  )
}
