import fc from 'fast-check'
import pg from 'pg'
import { FEATURES } from './convert-features.ts'

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
