import { readFileSync } from 'node:fs'
import pg from 'pg'
import { REPOSITORY } from 'testkit/repository.ts'
import { cli } from '../cli/terminal.ts'

/** Returns the printed file. */
export async function printConversion(columns: readonly string[], to: 'id' | 'uuid' = 'id'): Promise<string> {
  const args = columns.flatMap((column) => ['--convert', column])
  const { out, err } = await cli(['sql', 'postgres', ...args, ...(to === 'uuid' ? ['--to', 'uuid'] : [])])
  if (err) throw new Error(err)
  return out
}

let count = 0

/** Calls a function with a client of a new database. */
export async function withDatabase<T>(
  connection: pg.ClientConfig,
  run: (client: pg.Client, connection: pg.ClientConfig) => Promise<T>,
): Promise<T> {
  const admin = new pg.Client(connection)
  await admin.connect()
  const database = `convert_${count++}`
  await admin.query(`create database ${database}`)
  const client = new pg.Client({ ...connection, database })
  try {
    await client.connect()
    return await run(client, { ...connection, database })
  } finally {
    await client.end()
    await admin.query(`drop database ${database} with (force)`)
    await admin.end()
  }
}

export interface Database {
  /** The rows of each table in their physical order. */
  readonly rows: Record<string, Record<string, string | null>[]>
  readonly definitions: string[]
}

/** Written apart from the queries of the file: the definitions as pg_dump reads them, by object. */
const DEFINITIONS = `
  select 'column', a.attrelid::regclass::text, a.attnum::text, jsonb_build_array(a.attname, format_type(a.atttypid, a.atttypmod),
    a.attnotnull, a.attcollation::regcollation, a.attstorage, to_jsonb(a) -> 'attcompression', a.attstattarget, a.attoptions,
    a.attacl, a.attgenerated, a.attidentity, pg_get_expr(d.adbin, d.adrelid), col_description(a.attrelid, a.attnum))::text
  from pg_attribute a left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
  join pg_class k on k.oid = a.attrelid where k.relkind in ('r', 'p', 'v', 'm') and a.attnum > 0
  and not a.attisdropped and k.oid >= 16384
  union all
  select 'class', k.oid::regclass::text, k.relkind::text, jsonb_build_array(k.relacl, k.reloptions, k.relreplident,
    k.relpersistence, k.relrowsecurity, k.relforcerowsecurity, k.relowner::regrole, obj_description(k.oid, 'pg_class'),
    case when k.relkind in ('v', 'm') then pg_get_viewdef(k.oid) end)::text
  from pg_class k where k.oid >= 16384 and k.relkind <> 't' and k.relnamespace::regnamespace::text !~ '^pg_'
  union all
  select 'index', i.indexrelid::regclass::text, pg_get_indexdef(i.indexrelid),
    jsonb_build_array(i.indisclustered, i.indisreplident, i.indisvalid)::text
  from pg_index i where i.indexrelid >= 16384 and i.indrelid::regclass::text !~ '^pg_toast'
  union all
  select 'constraint', conname, pg_get_constraintdef(oid), jsonb_build_array(conrelid::regclass, contypid::regtype, convalidated,
    obj_description(oid, 'pg_constraint'))::text
  from pg_constraint where oid >= 16384
  union all
  select 'trigger', pg_get_triggerdef(oid), tgenabled::text, obj_description(oid, 'pg_trigger') from pg_trigger
  where not tgisinternal
  union all select 'rule', pg_get_ruledef(oid), ev_enabled::text, '' from pg_rewrite where oid >= 16384
  union all select 'policy', polname, polrelid::regclass::text, concat(pg_get_expr(polqual, polrelid)) from pg_policy
  union all select 'statistics', pg_get_statisticsobjdef(oid), stxstattarget::text, '' from pg_statistic_ext
  union all select 'function', oid::regprocedure::text, prosrc, '' from pg_proc where oid >= 16384
  and pronamespace::regnamespace::text !~ '^pg_temp'
  union all select 'publication', p.pubname, r.prrelid::regclass::text, (to_jsonb(r) - 'oid')::text from pg_publication p
  left join pg_publication_rel r on r.prpubid = p.oid`

/** Reads everything. Domains of ids are left out: they remain after the way back, as its last NOTICE says. */
export async function readDatabase(client: pg.Client): Promise<Database> {
  const { rows: found } = await client.query({ text: DEFINITIONS, rowMode: 'array' })
  const { rows: tables } = await client.query<{ schema: string; table: string }>(
    `select n.nspname as schema, k.relname as table from pg_class k join pg_namespace n on n.oid = k.relnamespace
     where k.relkind = 'r' and k.oid >= 16384 order by k.oid`,
  )
  const rows: Database['rows'] = {}
  for (const { schema, table } of tables) {
    const name = `${pg.escapeIdentifier(schema)}.${pg.escapeIdentifier(table)}`
    rows[name] = (await client.query(`select * from ${name} order by ctid`)).rows
  }
  const definitions = found
    .map((line) => JSON.stringify(line))
    .filter((line) => !/^\["constraint","(user|team|orderLine)_id_check"/.test(line))
    .sort()
  return { rows, definitions }
}

const readCode = (page: string) => {
  const text = readFileSync(new URL(`docs/guide/migrate/${page}.md`, REPOSITORY), 'utf8')
  return [...text.matchAll(/^```sql\n([\s\S]+?)^```$/gm)].map(([, code = '']) => code)
}

/** The statements of each block of a page that is for PostgreSQL. */
export function readBlocks(page: string): string[][] {
  return readCode(page)
    .filter((code) => !code.startsWith('.bail'))
    .map(splitStatements)
}

/** The script for the program `sqlite3`. */
export function readSqliteScript(): string {
  return readCode('online').find((code) => code.startsWith('.bail')) ?? ''
}

/** Splits SQL at semicolons that are not in the body of a function. */
function splitStatements(code: string): string[] {
  return (code.match(/(?:\$\$[\s\S]*?\$\$|'[^']*'|[^;$'])+;/g) ?? []).map((statement) => statement.trim())
}
