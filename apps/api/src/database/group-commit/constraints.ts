import type Sqlite from 'better-sqlite3'
import type { CompiledQuery } from 'kysely'
import { type ForeignKey, findForeignKey } from './foreign-keys.ts'

interface Constraint extends ForeignKey {
  readonly kind: 'primary' | 'unique' | 'foreign'
  readonly index: string | null
  readonly sql: string
}

/**
 * Returns the name that PostgreSQL would give the violated constraint, so that
 * callers need one name for both databases. Returns undefined if the name is
 * uncertain. Examples:
 *
 *   UNIQUE constraint failed: roles.name  roles_name_key
 *   UNIQUE constraint failed: teams.id    teams_pkey
 *   FOREIGN KEY constraint failed         users_team_id_fkey
 */
export function nameConstraint(
  db: Sqlite.Database,
  query: CompiledQuery,
  message: string,
): string | undefined {
  if (!message.includes('constraint failed')) return undefined
  try {
    const all = readConstraints(db)
    const violated =
      message === 'FOREIGN KEY constraint failed'
        ? [
            findForeignKey(
              db,
              query,
              all.filter(({ kind }) => kind === 'foreign'),
            ),
          ]
        : all.filter((each) => message === messageOf(each))
    const [found, another] = violated
    const name = found && !another ? nameOf(found) : undefined
    // PostgreSQL adds a number to one of two equal default names. Which
    // constraint gets the number is uncertain here, so returns no name.
    const isTaken = all.some((each) => each !== found && nameOf(each) === name)
    const isLong = Buffer.byteLength(name ?? '') > POSTGRES_NAME_BYTES
    return isTaken || isLong ? undefined : name
  } catch {
    return undefined // the error of the statement must not be replaced
  }
}

const POSTGRES_NAME_BYTES = 63

/**
 * `id desc` sorts foreign keys as defined, because SQLite gives a table's last
 * foreign key the id 0. The order matters: of several violated keys, PostgreSQL
 * reports the first.
 */
const CONSTRAINTS = `
  with tables as (
    select name, sql from main.sqlite_schema where type = 'table')
  select 'foreign' as kind, t.name as "table", t.sql, null as "index",
    json_group_array(f."from" order by f.seq) as columns,
    f.id, f."table" as parent,
    iif(f."to" is null,
      (select json_group_array(name order by pk) from pragma_table_info(f."table", 'main') where pk > 0),
      json_group_array(f."to" order by f.seq)) as parentColumns
  from tables as t join pragma_foreign_key_list(t.name, 'main') as f group by t.name, f.id
  union all
  select iif(i.origin = 'pk', 'primary', 'unique'), t.name, t.sql, iif(i.origin = 'c', i.name, null),
    (select json_group_array(name order by seqno) from pragma_index_info(i.name, 'main')), 0, null, null
  from tables as t join pragma_index_list(t.name, 'main') as i where i."unique"
  union all
  select 'primary', t.name, t.sql, null, json_array(c.name), 0, null, null
  from tables as t join pragma_table_info(t.name, 'main') as c where c.pk > 0
    and not exists (select 1 from pragma_index_list(t.name, 'main') where origin = 'pk')
  order by id desc`

function readConstraints(db: Sqlite.Database): Constraint[] {
  const rows = db.prepare<[], Record<string, string>>(CONSTRAINTS).all()
  const parse = (text?: string) => JSON.parse(text ?? 'null')
  return rows.map(
    (row) =>
      ({
        ...row,
        columns: parse(row.columns),
        parentColumns: parse(row.parentColumns),
      }) as unknown as Constraint,
  )
}

function messageOf({ kind, table, columns, index }: Constraint) {
  if (kind === 'foreign') return undefined
  const names = columns.every((column) => column !== null)
    ? columns.map((column) => `${table}.${column}`).join(', ')
    : `index '${index?.replaceAll("'", "''")}'`
  return `UNIQUE constraint failed: ${names}`
}

const NAMED_CHECK_OR_KEY = /\bconstraint "(?:[^"]|"")+" (?:check|primary key)/g

function nameOf({ kind, table, columns, index, sql }: Constraint) {
  if (index !== null) return index
  const others = kind === 'primary' ? sql : sql.replace(NAMED_CHECK_OR_KEY, '')
  if (/\bconstraint\b/i.test(others)) return undefined
  if (kind === 'primary') return `${table}_pkey`
  const suffix = kind === 'unique' ? 'key' : 'fkey'
  return [table, ...columns, suffix].join('_')
}
