/*
 * Prints how long `typed-id sql postgres --convert` locks five tables: `pnpm --filter typed-id run bench:convert`
 *
 * `--rows N` sets the number of rows, 1,000,000 by default. `--write` also writes the table into the page on tables in use.
 */
import { parseArgs } from 'node:util'
import pg from 'pg'
import { startPostgres } from 'testkit/sockets/start-postgres.ts'
import { formatTable } from 'testkit/tables.ts'
import { printConversion } from '../src/cli/sql/convert.ts'
import { defineId } from '../src/index.ts'
import { dateAndMachine, publish } from './documents.ts'

/** The tables with their share of the rows and the tables that they refer to. */
const TABLES = [
  { name: 'teams', share: 0.01, references: [] },
  { name: 'users', share: 0.09, references: ['teams'] },
  { name: 'projects', share: 0.1, references: ['teams', 'users'] },
  { name: 'tasks', share: 0.3, references: ['projects', 'users'] },
  { name: 'comments', share: 0.5, references: ['tasks', 'users'] },
] as const

const { values } = parseArgs({
  options: { rows: { type: 'string', default: '1000000' }, write: { type: 'boolean' } },
})
const rows = Number(values.rows)
const rowsOf = (name: string) => rows * (TABLES.find((table) => table.name === name)?.share ?? 0)
const server = await startPostgres(undefined, { isDurable: true, flags: ['-c', 'max_wal_size=4GB'] })
const client = new pg.Client(server.connection)
await client.connect()
for (const { name, references } of TABLES) {
  const columns = references.map((table) => `${table}_id uuid not null references ${table}`)
  await client.query(
    `create table ${name} (id uuid primary key default gen_random_uuid(), text text not null${columns.map((column) => `, ${column}`).join('')})`,
  )
  /** The id of a row: in the order of the rows, as those of version 7. */
  const uuid = (table: string, n: string) =>
    `left(lpad(to_hex(${n}), 12, '0') || '7' || md5('${table}' || ${n}), 32)::uuid`
  await client.query(
    `insert into ${name} select ${uuid(name, 'n')}, md5(n::text)${references.map((table) => `, ${uuid(table, `(n * 7919::bigint % ${rowsOf(table)} + 1)::int`)}`).join('')}
     from generate_series(1, ${rowsOf(name)}) n`,
  )
  for (const table of references) await client.query(`create index on ${name} (${table}_id)`)
}
await client.query('vacuum analyze')

const columns = TABLES.map(({ name }) => ({ table: name, column: 'id', type: defineId(name.slice(0, -1)) }))
const results = []
for (const toUuid of [false, true]) {
  const size = await readSize()
  const start = performance.now()
  const seconds = () => (performance.now() - start) / 1000
  let converted = 0
  const listen = ({ message = '' }: { message?: string | undefined }) => {
    if (/^public\.\w+: \d+ rows/.test(message)) converted = seconds()
  }
  client.on('notice', listen)
  await client.query(printConversion(columns, toUuid))
  client.off('notice', listen)
  results.push({ toUuid, converted, total: seconds(), before: size, after: await readSize() })
}
await client.end()
await server.stop()

const text = [
  formatTable({
    columns: [
      'conversion',
      'columns and indexes, s',
      'foreign keys, comparison, statistics, s',
      'all tables locked, s',
      'MB before',
      'MB after',
    ],
    rows: results.map(({ toUuid, converted, total, before, after }) => [
      toUuid ? '`--to uuid`' : 'to ids',
      converted.toFixed(1),
      (total - converted).toFixed(1),
      total.toFixed(1),
      before,
      after,
    ]),
  }),
  '',
  `${rows.toLocaleString('en')} rows in five tables with 12 ids and references, 12 indexes and 7 foreign keys, on PostgreSQL 18 with \`max_wal_size = 4GB\`,`,
  `measured on ${dateAndMachine()}. \`pnpm --filter typed-id run bench:convert --write\` writes this text.`,
].join('\n')
publish('guide/migrate/live-tables.md', 'convert', text, values.write)

async function readSize(): Promise<number> {
  const result = await client.query(
    `select round(sum(pg_total_relation_size(oid)) / 1e6)::int as size from pg_class where relkind = 'r' and oid >= 16384`,
  )
  return result.rows[0].size
}
