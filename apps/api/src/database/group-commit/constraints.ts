import type Sqlite from 'better-sqlite3'
import type { CompiledQuery } from 'kysely'
import { findForeignKey, quote } from './foreign-keys.ts'

type Kind = 'primary' | 'unique' | 'foreign'

interface Constraint {
  readonly kind: Kind
  readonly table: string
  readonly columns: readonly string[]
  /** The name given by CREATE UNIQUE INDEX, or null for other constraints. */
  readonly index: string | null
  readonly sql: string
}

/**
 * Returns the name that PostgreSQL gives to the constraint that a statement has
 * violated, or undefined if the name is not certain.
 *
 *   UNIQUE constraint failed: roles.name  roles_name_key
 *   UNIQUE constraint failed: teams.id    teams_pkey, by the PRIMARYKEY code
 *   FOREIGN KEY constraint failed         users_team_id_fkey, found by a search
 */
export function nameConstraint(
  db: Sqlite.Database,
  query: CompiledQuery,
  { code, message }: { code?: string; message: string },
): string | undefined {
  try {
    // Compares the message: the error code of ON DELETE RESTRICT differs.
    if (message === 'FOREIGN KEY constraint failed') {
      const { table, columns } = findForeignKey(db, query) ?? {}
      return findName(
        db,
        'foreign',
        (each) => each.table === table && `${each.columns}` === `${columns}`,
      )
    }
    const kind = code && UNIQUE_KINDS.get(code)
    return kind && findName(db, kind, (each) => message === messageOf(each))
  } catch {
    // An error in this function must not replace the error of the statement.
    return undefined
  }
}

const UNIQUE_KINDS = new Map<string, Kind>([
  ['SQLITE_CONSTRAINT_PRIMARYKEY', 'primary'],
  ['SQLITE_CONSTRAINT_UNIQUE', 'unique'],
])

function messageOf({ table, columns, index }: Constraint): string {
  const names = columns.every((column) => column !== null)
    ? columns.map((column) => `${table}.${column}`).join(', ')
    : `index '${index?.replaceAll("'", "''")}'`
  return `UNIQUE constraint failed: ${names}`
}

/**
 * Selects the constraints of tables in the main database. Omits tables if
 * another database has a table of the same name, because SQLite's error
 * messages do not name the database.
 */
const CONSTRAINTS = `
  with tables as (
    select name, sql from main.sqlite_schema where type = 'table'
    and name not in (select name from pragma_table_list where schema <> 'main'))
  select 'foreign' as kind, t.name as "table", t.sql, null as "index",
    json_group_array(f."from" order by f.seq) as columns
  from tables as t join pragma_foreign_key_list(t.name, 'main') as f group by t.name, f.id
  union all
  select iif(i.origin = 'pk', 'primary', 'unique'), t.name, t.sql, iif(i.origin = 'c', i.name, null),
    (select json_group_array(name order by seqno) from pragma_index_info(i.name, 'main'))
  from tables as t join pragma_index_list(t.name, 'main') as i where i."unique"
  union all
  select 'primary', t.name, t.sql, null, json_group_array(c.name order by c.pk)
  from tables as t join pragma_table_info(t.name, 'main') as c where c.pk > 0
    and not exists (select 1 from pragma_index_list(t.name, 'main') where origin = 'pk')
  group by t.name`

/** Maximum bytes of a name in PostgreSQL, which shortens longer names. */
const MAX_NAME = 63

/**
 * Returns the name of the constraint for which `fits` returns true, or
 * undefined if several constraints fit or the name is not certain.
 */
function findName(
  db: Sqlite.Database,
  kind: Kind,
  fits: (constraint: Constraint) => boolean,
): string | undefined {
  const rows = db.prepare(CONSTRAINTS).all() as Record<string, string>[]
  const constraints = rows.map(
    (row) => ({ ...row, columns: JSON.parse(row.columns ?? '') }) as Constraint,
  )
  const [found, another] = constraints.filter(
    (each) => each.kind === kind && fits(each),
  )
  const name = found && !another ? nameOf(found) : undefined
  // PostgreSQL adds a number to a name that another constraint has, so this
  // name may be wrong.
  const isTaken = constraints.some(
    (each) => each !== found && nameOf(each) === name,
  )
  return isTaken || Buffer.byteLength(name ?? '') > MAX_NAME ? undefined : name
}

/** Matches comments and strings. The group captures quoted identifiers. */
const QUOTED = /("(?:[^"]|"")*")|'(?:[^']|'')*'|--[^\n]*|\/\*.*?\*\//gs

/** Matches a constraint with a name, as Kysely's schema builder writes it. */
const NAMED =
  /\bconstraint "((?:[^"]|"")+)" (?:check|(primary|unique|foreign)(?: key)? \(((?:"(?:[^"]|"")+"(?:, )?)+)\))/gi

/**
 * Returns the name of a constraint in CREATE TABLE, or PostgreSQL's default.
 * Returns undefined if the SQL names constraints in another way than Kysely.
 */
function nameOf(constraint: Constraint): string | undefined {
  const { kind, table, columns, index } = constraint
  if (index !== null) return index
  const sql = constraint.sql.replace(QUOTED, '$1')
  if (/\bconstraint\b|[`[]/i.test(sql.replace(NAMED, ''))) return undefined
  const list = columns.map(quote).join(', ').toLowerCase()
  const named = [...sql.matchAll(NAMED)].filter(
    ([, , type, names]) =>
      type?.toLowerCase() === kind && names?.toLowerCase() === list,
  )
  if (named.length > 0)
    return named.length > 1 ? undefined : named[0]?.[1]?.replaceAll('""', '"')
  if (kind === 'primary') return `${table}_pkey`
  const suffix = kind === 'unique' ? 'key' : 'fkey'
  return [table, ...columns, suffix].join('_')
}
