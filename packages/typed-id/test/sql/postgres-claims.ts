import fc from 'fast-check'
import pg from 'pg'
import { startPostgres } from 'testkit/postgres.ts'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { VECTORS } from '../../build-vectors.ts'
import { firstIdAt, lastIdAt } from '../../src/generate/range.ts'
import { defineId, idRegistry } from '../../src/index.ts'
import { defineTypeId } from '../../src/typeid.ts'
import { cli } from '../cli/terminal.ts'
import { near } from '../fuzz/values.ts'

const UserId = defineId('user')
const MemberId = defineTypeId('team_member')
const PlanId = defineTypeId('plan')
const ids = idRegistry([UserId, defineId('orderLine'), MemberId])
const { valid, invalid } = VECTORS

export const printSql = async (...args: string[]): Promise<string> =>
  (await cli(['sql', 'postgres', ...args])).out
const union = '--types user,orderLine,team_member --union Subject'.split(' ')
const file = await printSql(...union)
const planFile = await printSql('--typeid', '--types', 'plan')

const invalidForAllTypes = invalid.filter(({ form, text }) => {
  const prefix = /^[a-zA-Z0-9]{1,63}(?=[-_])/.exec(text)?.[0]
  const type = prefix && defineId(prefix)
  if (!type) return true
  return form === 'short'
    ? !type.isEitherForm(text) || type.is(text)
    : !type.is(text)
})

const randomIds = [
  ...valid.map(({ uuid }) => UserId.fromUuid(uuid)),
  ...Array.from({ length: 1000 }, () =>
    UserId.fromBytes(crypto.getRandomValues(new Uint8Array(16))),
  ),
]

const changed = [
  ...fc.sample(near, 2000),
  ...randomIds,
  ...invalid.map(({ text }) => text),
  ...[UserId, MemberId, PlanId, defineId('role')].flatMap((type) => {
    const id: string = type.generate()
    const wrong = [`${id}0`, `${id}\n`, id.slice(0, -1), id.toUpperCase()]
    return [id, ...wrong, id.replace(/.$/, 'u')]
  }),
  UserId.toShort(UserId.example),
].filter((text) => !/[\0\p{Surrogate}]/u.test(text))

type Server = Awaited<ReturnType<typeof startPostgres>>

export function testPostgres(npmPackage?: string): () => Server {
  let server: Server
  let client: pg.Client

  beforeAll(async () => {
    server = await startPostgres({ name: npmPackage })
    client = new pg.Client(server.url)
    await client.connect()
    await client.query(file)
    await client.query(file) // the file can be run twice
    await client.query(planFile)
    await client.query(
      "set timezone = 'America/St_Johns'; set datestyle = 'German'",
    )
  })
  afterAll(async () => {
    await client.end()
    await server.stop()
  })

  const query = async (text: string) =>
    (await client.query({ text, rowMode: 'array' })).rows

  async function useSchema(): Promise<void> {
    await client.query('create schema own; set search_path = own')
    onTestFinished(async () => {
      await client.query('reset search_path; drop schema own cascade')
    })
    await client.query(file)
  }

  async function map(
    expressionOfA: string,
    values: readonly string[],
  ): Promise<(string | null)[]> {
    const { rows } = await client.query({
      text: `select (${expressionOfA})::text from unnest($1::text[]) with ordinality as t(a, n) order by n`,
      values: [values],
      rowMode: 'array',
    })
    return rows.map(([result]) => result)
  }

  test('return the times of the vectors, and null for all versions but 7', async () => {
    const times = await map(
      'round(extract(epoch from typed_id_time(a)) * 1000)::bigint',
      valid.map(({ standard }) => standard),
    )
    expect(times.map((ms) => (ms === null ? null : Number(ms)))).toEqual(
      valid.map(({ ms }) => ms),
    )
  })

  test.each([
    ['the short form', UserId.toShort, 'to_short(a)', 'from_short(a)'],
    ['uuids', UserId.toUuid, 'to_uuid(a)', "from_uuid('user', a::uuid)"],
  ])(
    'convert ids to %s and back like the library',
    async (_, convert, to, from) => {
      const converted = randomIds.map(convert)
      expect(await map(`typed_id_${to}`, randomIds)).toEqual(converted)
      expect(await map(`typed_id_${from}`, converted)).toEqual(randomIds)
    },
  )

  test('return the bounds of milliseconds like the library', async () => {
    const times = [0, 1, 999, 2 ** 48 - 1]
    for (let i = 0; i < 1000; i++)
      times.push(Math.floor(Math.random() * 2 ** 48))
    const texts = times.map(
      (ms) =>
        `${new Date(ms).toISOString().replace(/^\+0?/, '').slice(0, -1)}999Z`,
    )
    for (const [sql, bound] of [
      ['first_at', firstIdAt],
      ['last_at', lastIdAt],
    ] as const)
      expect(
        await map(`typed_id_${sql}('user', a::timestamptz)`, texts),
      ).toEqual(times.map((ms) => bound(UserId, ms)))
  })

  test('generate different version 7 ids with the current time and random bits', async () => {
    const before = Date.now()
    const prefixes = Array<string>(1000).fill('user')
    const generated = await map('typed_id_generate(a)', prefixes)
    const found = generated.map((id) => UserId.parse(id))
    expect(new Set(found).size).toBe(1000)
    if (!npmPackage) expect(found.toSorted()).toEqual(found)
    const time = UserId.timestamp(found[0] as never)?.getTime()
    expect(time).toBeGreaterThanOrEqual(before - 1)
    expect(time).toBeLessThanOrEqual(Date.now() + 1)
    // Each random bit must be set in about half of the 1,000 ids (500, standard
    // deviation 16).
    for (let bit = 66; bit < 128; bit++) {
      const set = found.filter(
        (id) =>
          ((UserId.toBytes(id)[bit >> 3] as number) >> (7 - (bit & 7))) & 1,
      ).length
      expect(Math.abs(set - 500), `bit ${bit}`).toBeLessThan(128)
    }
  })

  test('return null for null, and are immutable except typed_id_generate', async () => {
    const functions = `select count(*)::int, provolatile, proisstrict, proparallel
      from pg_proc where proname like 'typed_id_%' group by 2, 3, 4 order by 1`
    expect(await query(functions)).toEqual([
      [1, 'v', true, 's'],
      [7, 'i', true, 's'],
    ])
  })

  test('reject malformed ids with an error that contains the value', async () => {
    for (const { form, text } of invalidForAllTypes) {
      const functions =
        form === 'short' ? ['from_short'] : ['to_short', 'to_uuid', 'time']
      for (const name of functions) {
        const { message } = await errorOf(map(`typed_id_${name}(a)`, [text]))
        if (/^[ !#-[\]-~]*$/.test(text))
          expect(message).toContain(text.slice(0, 40))
      }
    }
  })

  test.each([
    ["generate('us-er')", '22023', 'us-er'],
    ["generate('')", '22023', 'expected'],
    ["generate(repeat('a', 64))", '22023', 'aaa'],
    [
      `from_uuid('us er', '${UserId.toUuid(UserId.example)}')`,
      '22023',
      'us er',
    ],
    ["from_uuid('user', '0190163d')", '22P02', '0190163d'],
    ["first_at('user', '1969-12-31 12:00:00')", '22008', '1969'],
    ["first_at('user', 'infinity')", '22008', 'infinity'],
    ["last_at('user', '1969-12-31 12:00:00')", '22008', '1969'],
    ["last_at('', '2024-06-14')", '22023', 'expected'],
    ["to_short('user-1')", '22P02', 'user-1'],
    ["from_short('user_1')", '22P02', 'user_1'],
    ["generate(repeat('-', 999))", '22023', '---'],
    ["to_short(repeat('-', 999))", '22P02', '---'],
    ["from_short(repeat('-', 999))", '22P02', '---'],
  ])(
    'typed_id_%s fails with %s in a short message',
    async (call, code, text) => {
      const error = await errorOf(query(`select typed_id_${call}`))
      expect(error).toMatchObject({
        code,
        message: expect.stringContaining(text),
      })
      expect(error.message.length).toBeLessThan(200)
    },
  )

  test.each([
    ['user_id', UserId.is],
    ['team_member_id', MemberId.is],
    ['plan_id', PlanId.is],
    ['"Subject"', ids.is],
  ])(
    'the domain %s accepts the strings that `is` accepts, and rejects all others with 23514',
    async (domain, is) => {
      await query(`create function pg_temp.code_of(value text) returns text language plpgsql as $$ begin
      perform value::${domain};
      return 'accepted';
    exception when others then
      return sqlstate;
    end $$`)
      onTestFinished(() => void query('drop function pg_temp.code_of'))
      const found = await map('pg_temp.code_of(a)', changed)
      const different = changed.filter(
        (text, i) => found[i] !== (is(text) ? 'accepted' : '23514'),
      )
      expect(different).toEqual([])
    },
  )

  test('defaults, generated columns, functional indexes and foreign keys use the functions and domains', async () => {
    await useSchema()
    await query(`
      create table lines (id "orderLine_id" primary key default typed_id_generate('orderLine'));
      create table members (
        id user_id primary key default typed_id_generate('user'),
        short_id text generated always as (typed_id_to_short(id)) stored,
        line_id "orderLine_id" references lines
      );
      create index members_short on members (typed_id_to_short(id));
      create index members_created on members (typed_id_time(id));
      with line as (insert into lines default values returning id)
      insert into members (line_id) select line.id from line, generate_series(1, 2000);
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
    // Every domain must have the collation C, which sorts ids alike in all
    // databases.
    const collations = `select collation_name from information_schema.domains
      where domain_schema = 'own' and collation_name is distinct from 'C'`
    expect(await query(collations)).toEqual([])
    const insert = "insert into members (id) values (typed_id_generate('team'))"
    await expect(query(insert)).rejects.toThrow(
      'value for domain user_id violates check constraint',
    )
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
    const [found] = (await query(
      `select typed_id_generate('user'), typed_id_from_short('user_01j0b3v1mmeedtx9cpdgkfhbch'),
        typed_id_from_uuid('user', '0190163d-8694-739b-aea5-966c26f8ad91'), typed_id_first_at('user', now())`,
    )) as [string[]]
    expect(found.map(UserId.is)).toEqual([true, true, true, true])
    await query('drop domain pg_temp.uuid')
  })

  test.each([
    ['project', '--types project'],
    ['plan', '--types plan'],
    ['user', '--types user --union Subject'],
    [
      'user, team_member, role',
      '--types user,team_member,role --union Subject',
    ],
  ])(
    'the file reports another type with the name of the domain of %s',
    async (types, args) => {
      await useSchema()
      await query(planFile)
      await query('create domain project_id as bigint')
      const text = await printSql(...args.split(' '))
      await expect(query(text)).rejects.toThrow(
        `exists, but is not the domain of the ids of the type "${types}"`,
      )
    },
  )

  test('the file of --drop is one statement, fails while a table uses a domain, and then removes everything', async () => {
    await useSchema()
    await query('create table users (id user_id)')
    const text = await printSql(...union, '--drop')
    // PostgreSQL rejects a named query of several statements, so this query
    // checks that `text` is a single statement.
    const drop = client.query({ name: 'drop', text })
    await expect(drop).rejects.toThrow('other objects depend on it')
    await query('drop table users')
    await query(text)
    await query(text)
    const left = `select proname from pg_proc where pronamespace = 'own'::regnamespace
      union all select typname from pg_type where typnamespace = 'own'::regnamespace`
    expect(await query(left)).toEqual([])
  })

  return () => server
}

const errorOf = (statement: Promise<unknown>): Promise<Error> =>
  statement.then(
    (result) =>
      expect.fail(`accepted, with the result ${JSON.stringify(result)}`),
    (error) => error,
  )
