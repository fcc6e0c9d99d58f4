import fc from 'fast-check'
import pg from 'pg'

/** A random schema with rows, and the columns of each type in it. */
export interface Schema {
  readonly sql: string
  /** One argument of --convert per converted type. */
  readonly arguments: string[]
  /** The prefixes of the converted columns, by `schema.table.column` in SQL's notation. */
  readonly prefixes: Map<string, string>
}

const { escapeIdentifier: quote, escapeLiteral } = pg
const LONG = 'n'.repeat(62)
const NAMES = [
  'users',
  'Order',
  'a b',
  "o'brien",
  'x$$y',
  'c USING d',
  'new\nline',
  'select',
  'é"ö',
  'a\\b',
  LONG,
]
const SCHEMAS = ['public', 'Other "schema"', 'app']
const NULLABLE = 'unique nulls not distinct'
const PREFIXES = ['user', 'team', 'orderLine']

const Actions = fc.constantFrom(
  '',
  'on delete cascade',
  'on delete set null on update cascade',
  'on update restrict',
)
const Timing = fc.constantFrom('', 'deferrable', 'deferrable initially deferred')

const Reference = fc.record({
  to: fc.nat(),
  composite: fc.boolean(),
  options: fc.tuple(fc.constantFrom('', 'match full'), Actions, Timing).map((parts) => parts.join(' ')),
  notValid: fc.boolean(),
  comment: fc.boolean(),
  columnDefault: fc.constantFrom('', "'00000000-0000-7000-8000-000000000001'"),
})

/** Each feature, as statements about the table t and its column c. */
const FEATURES = [
  'create index on @T (@C desc nulls last) include (n)',
  'create index on @T using hash (@C)',
  'create index on @T using brin (@C)',
  'create unique index on @T (@C, n)',
  'create index on @T (n) where @C is not null',
  'create index "idx @N" on @T (lower(label)) with (fillfactor = 70)',
  "create index ix@N on @T (@C); comment on index @S.ix@N is 'o''brien'",
  'create unique index rx@N on @T (@C); alter table @T replica identity using index rx@N',
  'alter table @T replica identity full',
  'create index cx@N on @T (@C, n); alter table @T cluster on cx@N',
  'alter table @T alter @C set statistics 77',
  'alter table @T alter @C set (n_distinct = -0.5)',
  "comment on column @T.@C is $$a 'comment'$$",
  "comment on table @T is 'table'",
  'grant select (@C), update (@C) on @T to reader; grant all on @T to reader',
  'alter table @T add check (@C is not null or n is null)',
  'alter table @T add constraint later check (n is null or @C is not null) not valid',
  'alter table @T add twice int generated always as (n * 2) stored',
  'create trigger touch before update on @T for each row execute function app.touch()',
  'create trigger off before insert on @T for each row execute function app.touch(); alter table @T disable trigger off',
  'create statistics @S.st@N (ndistinct, dependencies) on @C, n from @T',
  'alter table @T set (fillfactor = 80, autovacuum_enabled = false)',
  'alter table @T enable row level security; create policy few on @T using (n is not null)',
  'create view @S.v@N as select label from @T',
  'create publication pub@N for table @T',
  "create function @S.f@N(n int) returns int language plpgsql as 'begin return 1; end'",
  'create unique index on @T (@C) tablespace pg_default; alter table @T add extra text collate "C" default $$x$$',
] as const

/** What must be rejected, with a part of the line that says so. */
export const OBSTACLES: readonly (readonly [statement: string, line: string, since?: number])[] = [
  ['create view @S.v as select @C from @T', 'view'],
  ['create view @S.v as select label, t from @T t', 'view'],
  ['create materialized view @S.v as select @C from @T', 'materialized view'],
  ['create rule r as on insert to @T do also notify x', 'rule'],
  ['alter table @T enable row level security; create policy p on @T using (@C is not null)', 'policy p'],
  ['create policy p on @T using (@B is not null)', 'policy p'],
  ['create trigger w before update of @C on @T for each row execute function app.touch()', 'trigger w'],
  [
    'create trigger w before update on @T for each row when (old.@C <> new.@C) execute function app.touch()',
    'trigger w',
  ],
  [
    'create trigger w after update on @T for each row when (old.* is distinct from new.*) execute function app.touch()',
    'trigger w',
  ],
  ['alter table @T add made text generated always as (@C::text) stored', 'column made'],
  [
    'create table @S.part (n int) partition by list (n); create table @S.p0 partition of @S.part default; alter table @S.part add k uuid references @T (@C)',
    'partition',
  ],
  ['create table @S.child () inherits (@T)', 'inherit'],
  ['create table @S.stored (r @T)', 'row type'],
  ['create table @S.stored (r @T[])', 'row type'],
  ['create domain @S.d as @T check (value is not null)', 'row type'],
  ['create publication cols for table @T (@C, n)', 'publication', 15],
  [
    "create publication rows for table @T where (@C <> '00000000-0000-0000-0000-000000000000')",
    'publication',
    15,
  ],
  ['alter table @T add check (length(@C::text) = 36)', 'check'],
  ["alter table @T add check (@C <> '00000000-0000-0000-0000-000000000000') not valid", 'check'],
  ['create index bad on @T ((@C::text))', 'index'],
  ["create index bad on @T (n) where @C <> '00000000-0000-0000-0000-000000000000'", 'index'],
  ['create index bad on @T using brin (@C uuid_bloom_ops)', 'index', 14],
  ['create statistics @S.ex on (@C::text), n from @T', 'statistics object', 14],
  ['create function @S.atomic() returns uuid begin atomic select @C from @T limit 1; end', 'function', 14],
  [
    'create function @S.named() returns void language plpgsql as $body$ begin perform @C from @T; end $body$',
    'search',
  ],
  [
    'create function @S.g() returns trigger language plpgsql as $body$ begin new.@C := null; return new; end $body$; create trigger g before insert on @T for each row execute function @S.g()',
    'search',
  ],
  ['alter table @T add self uuid references @T (@C); alter table @T disable trigger all', 'disabled'],
  [
    'create domain @S.uu as uuid; create table @S.other (k @S.uu references @T (@C))',
    'expected a column of the type uuid',
  ],
]

export const Schemas = fc.record({
  names: fc.shuffledSubarray(NAMES, { minLength: 5, maxLength: 5 }),
  keyNames: fc.shuffledSubarray(['id', 'ID', ...NAMES], { minLength: 5, maxLength: 5 }),
  tables: fc.array(
    fc.record({
      schema: fc.constantFrom(...SCHEMAS),
      key: fc.constantFrom('primary key', 'unique', NULLABLE),
      sharesKey: fc.option(fc.nat(), { freq: 5 }),
      value: fc.constantFrom(
        '',
        'gen_random_uuid()',
        "'00000000-0000-4000-8000-000000000000'",
        'app."new Id"()',
        'NULL',
      ),
      rows: fc.nat(6),
      references: fc.array(Reference, { maxLength: 3 }),
      features: fc.uniqueArray(fc.constantFrom(...FEATURES), { maxLength: 3 }),
    }),
    { minLength: 1, maxLength: 5 },
  ),
  seed: fc.nat(),
})
export type Plan = typeof Schemas extends fc.Arbitrary<infer T> ? T : never

/** Writes a schema for a version of PostgreSQL, and an obstacle on its first converted column. */
export function writeSchema(
  { names, keyNames, tables, seed }: Plan,
  version: number,
  obstacle?: string,
): Schema {
  let random = seed
  const pick = (count: number) => {
    random = (Math.imul(random, 1103515245) + 12345) >>> 0
    return (random >>> 8) % count
  }
  const uuid = () =>
    `${[8, 4, 4, 4, 12].map((n) => Array.from({ length: n }, () => pick(16).toString(16)).join('')).join('-')}`
  const before = [
    'create schema "Other ""schema"""; create schema app',
    "create function app.touch() returns trigger language plpgsql as 'begin return new; end'",
    `create function app."new Id"() returns uuid language plpgsql as 'begin return gen_random_uuid(); end'`,
  ]
  const after: string[] = []
  const components = tables.map((_, n) => n)
  const columns: { table: number; name: string; component: number }[] = []
  const nameOf = (n: number) => `${quote(tables[n]?.schema ?? '')}.${quote(names[n] ?? '')}`
  const keys: string[][] = []
  for (const [n, table] of tables.entries()) {
    const shared = table.sharesKey === null || n === 0 ? undefined : table.sharesKey % n
    components[n] = shared === undefined ? n : (components[shared] as number)
    keys.push(
      shared === undefined
        ? Array.from({ length: table.rows }, uuid)
        : (keys[shared] ?? []).slice(0, table.rows),
    )
    columns.push({ table: n, name: keyNames[n] ?? '', component: components[n] as number })
    if (shared !== undefined)
      after.push(
        `alter table ${nameOf(n)} add foreign key (${quote(keyNames[n] ?? '')}) references ${nameOf(shared)} (${quote(keyNames[shared] ?? '')})`,
      )
  }
  for (const [n, table] of tables.entries()) {
    const key = quote(keyNames[n] ?? '')
    const definition = version < 15 ? table.key.replace(' nulls not distinct', '') : table.key
    const parts = [
      `${key} uuid ${table.key === NULLABLE ? '' : 'not null'} ${table.value && `default ${table.value}`}`,
      'n int',
      'label text',
      `constraint ${quote(`k${n}${LONG}`.slice(0, 63))} ${definition} (${key})`,
      `unique (${key}, n)`,
    ]
    const values: string[][] = (keys[n] ?? []).map((value, row) => [
      `'${value}'`,
      String(row),
      escapeLiteral(`row ${row} '`),
    ])
    for (const [
      at,
      { to, composite, options, notValid, comment, columnDefault },
    ] of table.references.entries()) {
      const target = to % tables.length
      const [name, number] = [`ref ${at}`, `ref n ${at}`]
      parts.push(`${quote(name)} uuid ${columnDefault && `default ${columnDefault}`}`)
      if (composite) parts.push(`${quote(number)} int`)
      columns.push({ table: n, name, component: components[target] as number })
      const targets = keys[target] ?? []
      for (const value of values) {
        const row = pick(targets.length + 1)
        const orphan = notValid && pick(3) === 0
        value.push(orphan ? `'${uuid()}'` : row < targets.length ? `'${targets[row]}'` : 'null')
        if (composite) value.push(orphan ? '1' : row < targets.length ? String(row) : 'null')
      }
      const constraint = `fk${at}${LONG}`.slice(0, 63)
      const [from, references] = composite
        ? [`${quote(name)}, ${quote(number)}`, `${quote(keyNames[target] ?? '')}, n`]
        : [quote(name), quote(keyNames[target] ?? '')]
      after.push(
        `alter table ${nameOf(n)} add constraint ${quote(constraint)} foreign key (${from}) references ${nameOf(target)} (${references}) ${options} ${notValid ? 'not valid' : ''}`,
      )
      if (comment)
        after.push(
          `comment on constraint ${quote(constraint)} on ${nameOf(n)} is ${escapeLiteral(`it's\n${name}`)}`,
        )
    }
    before.push(`create table ${nameOf(n)} (${parts.join(', ')})`)
    for (const value of values) before.push(`insert into ${nameOf(n)} values (${value.join(', ')})`)
  }
  const fill = (statement: string, n: number) =>
    statement
      .replaceAll('@T', () => nameOf(n))
      .replaceAll('@S', () => quote(tables[n]?.schema ?? ''))
      .replaceAll('@B', () => quote(names[n] ?? ''))
      .replaceAll('@C', () => quote(keyNames[n] ?? ''))
      .replaceAll('@N', String(n))
  for (const [n, { features, key }] of tables.entries())
    for (const feature of features)
      if (!feature.includes('replica identity using') || key !== NULLABLE) after.push(fill(feature, n))
  const converted = [...new Set(components)]
    .filter((_, n) => n === 0 || pick(4) > 0)
    .slice(0, PREFIXES.length)
  const prefixOf = new Map(converted.map((component, n) => [component, PREFIXES[n] ?? '']))
  const prefixes = new Map<string, string>()
  for (const { table, name, component } of columns) {
    const prefix = prefixOf.get(component)
    if (prefix) prefixes.set(`${nameOf(table)}.${quote(name)}`, prefix)
  }
  const args = [...prefixOf].map(
    ([component, prefix]) => `${nameOf(component)}.${quote(keyNames[component] ?? '')}=${prefix}`,
  )
  if (obstacle) after.push(fill(obstacle, converted[0] ?? 0))
  return { sql: `${[...before, ...after].join(';\n')};`, arguments: args, prefixes }
}
