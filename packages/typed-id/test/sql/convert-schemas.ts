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

/** A table of a plan, with its names and those of its columns of ids in SQL's notation. */
type Built = Plan['tables'][number] & {
  /** The name without the schema. */
  readonly base: string
  readonly name: string
  readonly id: string
  readonly ids: readonly string[]
  /** The number of the first table whose key this one shares: their ids have one type. */
  readonly component: number
  readonly columns: { name: string; component: number }[]
}

/** Writes a schema for a version of PostgreSQL, and an obstacle on its first converted column. */
export function writeSchema(
  { names, keyNames, tables: plans, seed }: Plan,
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
  const built: Built[] = []
  for (const [n, plan] of plans.entries()) {
    const shared = plan.sharesKey === null ? undefined : built[plan.sharesKey % Math.max(n, 1)]
    const [schema, base] = [quote(plan.schema), quote(names[n] as string)]
    const table = { ...plan, schema, base, name: `${schema}.${base}`, id: quote(keyNames[n] as string) }
    const ids = shared ? shared.ids.slice(0, plan.rows) : Array.from({ length: plan.rows }, uuid)
    const component = shared?.component ?? n
    built.push({ ...table, ids, component, columns: [{ name: table.id, component }] })
    if (shared)
      after.push(
        `alter table ${table.name} add foreign key (${table.id}) references ${shared.name} (${shared.id})`,
      )
  }
  for (const [n, { name: table, id, key, value: initial, ids, references, columns }] of built.entries()) {
    const definition = version < 15 ? key.replace(' nulls not distinct', '') : key
    const parts = [
      `${id} uuid ${key === NULLABLE ? '' : 'not null'} ${initial && `default ${initial}`}`,
      'n int',
      'label text',
      `constraint ${quote(`k${n}${LONG}`.slice(0, 63))} ${definition} (${id})`,
      `unique (${id}, n)`,
    ]
    const values = ids.map((value, row) => [`'${value}'`, String(row), escapeLiteral(`row ${row} '`)])
    for (const [at, reference] of references.entries()) {
      const { to, composite, options, notValid, comment, columnDefault } = reference
      const target = built[to % built.length] as Built
      const [name, number] = [quote(`ref ${at}`), quote(`ref n ${at}`)]
      parts.push(`${name} uuid ${columnDefault && `default ${columnDefault}`}`)
      if (composite) parts.push(`${number} int`)
      columns.push({ name, component: target.component })
      for (const value of values) {
        const row = pick(target.ids.length + 1)
        const orphan = notValid && pick(3) === 0
        const found = target.ids[row]
        value.push(orphan ? `'${uuid()}'` : found ? `'${found}'` : 'null')
        if (composite) value.push(orphan ? '1' : found ? String(row) : 'null')
      }
      const constraint = quote(`fk${at}${LONG}`.slice(0, 63))
      const [from, key] = composite ? [`${name}, ${number}`, `${target.id}, n`] : [name, target.id]
      after.push(
        `alter table ${table} add constraint ${constraint} foreign key (${from}) references ${target.name} (${key}) ${options} ${notValid ? 'not valid' : ''}`,
      )
      if (comment)
        after.push(`comment on constraint ${constraint} on ${table} is ${escapeLiteral(`it's\nref ${at}`)}`)
    }
    before.push(`create table ${table} (${parts.join(', ')})`)
    for (const value of values) before.push(`insert into ${table} values (${value.join(', ')})`)
  }
  const fill = (statement: string, n: number) => {
    const { name, schema, base, id } = built[n] as Built
    const parts: Record<string, string> = { T: name, S: schema, B: base, C: id, N: String(n) }
    return statement.replace(/@([TSBCN])/g, (_, part: string) => parts[part] as string)
  }
  for (const [n, { features, key }] of built.entries())
    for (const feature of features)
      if (!feature.includes('replica identity using') || key !== NULLABLE) after.push(fill(feature, n))
  const converted = [...new Set(built.map(({ component }) => component))]
    .filter((_, n) => n === 0 || pick(4) > 0)
    .slice(0, PREFIXES.length)
  const prefixOf = new Map(converted.map((component, n) => [component, PREFIXES[n] as string]))
  const prefixes = new Map<string, string>()
  for (const { name: table, columns } of built)
    for (const { name, component } of columns) {
      const prefix = prefixOf.get(component)
      if (prefix) prefixes.set(`${table}.${name}`, prefix)
    }
  const args = [...prefixOf].map(([n, prefix]) => `${built[n]?.name}.${built[n]?.id}=${prefix}`)
  if (obstacle) after.push(fill(obstacle, converted[0] ?? 0))
  return { sql: `${[...before, ...after].join(';\n')};`, arguments: args, prefixes }
}
