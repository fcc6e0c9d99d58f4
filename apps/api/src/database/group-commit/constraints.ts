import type Sqlite from 'better-sqlite3'
import type { CompiledQuery } from 'kysely'
import { findForeignKey, type Key } from './foreign-keys.ts'

/** The first word of the definition of a constraint. */
type Kind = 'primary' | 'unique' | 'foreign'

interface Constraint extends Key {
  readonly kind: Kind
  /** The name of a unique index that is not part of CREATE TABLE. */
  readonly index: string | null
  readonly sql: string
}

/**
 * Returns the name that PostgreSQL gives to the constraint that a statement has
 * violated, or undefined unless the name is certain.
 *
 *   UNIQUE constraint failed: roles.name  roles_name_key
 *   UNIQUE constraint failed: teams.id    teams_pkey, by its own error code
 *   FOREIGN KEY constraint failed         users_team_id_fkey, by looking for the missing row
 */
export function nameConstraint(
  db: Sqlite.Database,
  query: CompiledQuery,
  { code, message }: { code?: string; message: string },
): string | undefined {
  try {
    // ON DELETE RESTRICT has another code, SQLITE_CONSTRAINT_TRIGGER.
    if (message === 'FOREIGN KEY constraint failed') {
      const found = findForeignKey(db, query)
      return found && nameOf(db, 'foreign', (key) => isSame(key, found))
    }
    const kind = code && UNIQUE_KINDS.get(code)
    return kind && nameOf(db, kind, (key) => message === messageOf(key))
  } catch {
    // The error of the statement matters more than a name.
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

const isSame = (a: Key, b: Key) => idOf(a) === idOf(b)

const idOf = ({ table, columns }: Key) =>
  JSON.stringify([table, ...columns]).toLowerCase()

/**
 * Tables of the main database that no temporary or attached table has the name
 * of: the messages of SQLite do not name the database.
 */
const TABLES = `
  tables as (
    select rowid, name, sql from main.sqlite_schema where type = 'table'
    and name not in (select name from pragma_table_list where schema <> 'main'))`

const CONSTRAINTS = `
  with ${TABLES}
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

/** Maximum length of a name in PostgreSQL, in bytes. It shortens longer ones. */
const MAX_NAME = 63

/** Returns the name of a constraint if exactly one fits. */
function nameOf(
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
  if (found === undefined || another !== undefined) return undefined
  if (found.index !== null) return found.index
  const declared = declaredIn(found).filter(
    (each) => each.kind === kind && isSame(each, found),
  )
  const [{ name } = { name: undefined }] = declared
  if (declared.length !== 1 || name !== undefined) return name
  // PostgreSQL numbers a name that another constraint has.
  const isTaken = constraints.some(
    (each) => each !== found && defaultName(each) === defaultName(found),
  )
  return isTaken || Buffer.byteLength(defaultName(found)) > MAX_NAME
    ? undefined
    : defaultName(found)
}

function defaultName({ kind, table, columns, index }: Constraint): string {
  if (index !== null) return index
  if (kind === 'primary') return `${table}_pkey`
  const suffix = kind === 'unique' ? 'key' : 'fkey'
  return [table, ...columns, suffix].join('_')
}

interface Declared extends Key {
  readonly kind: Kind
  readonly name: string | undefined
}

const TOKENS =
  /--[^\n]*|\/\*.*?\*\/|(?:"[^"]*")+|(?:`[^`]*`)+|(?:'[^']*')+|\[[^\]]*\]|[\w$\x80-\uffff]+|\S/gs

const KINDS = new Map<string, Kind>([
  ['primary', 'primary'],
  ['unique', 'unique'],
  ['foreign', 'foreign'],
  ['references', 'foreign'],
])

/** The first words of an item of CREATE TABLE that is not a column. */
const TABLE_CONSTRAINT = /^(?:constraint|primary|unique|check|foreign)$/

/** Reads the constraints of CREATE TABLE, whose names no pragma returns. */
function declaredIn({ table, sql }: Constraint): Declared[] {
  const declared: Declared[] = []
  let depth = 0
  /** Whether the token is the first one of an item of a list. */
  let isFirst = false
  let column: string | undefined
  /** The columns of a constraint whose list comes next. */
  let list: string[] | undefined
  let previous = ''
  let name: string | undefined
  for (const [token] of sql.matchAll(TOKENS)) {
    if (/^(?:--|\/\*)/.test(token)) continue
    const word = token.toLowerCase()
    if (token === '(') depth += 1
    else if (token === ')') depth -= 1
    else if (depth === 2 && isFirst) list?.push(unquoted(token))
    else if (depth === 1 && token !== ',') {
      if (isFirst)
        column = TABLE_CONSTRAINT.test(word) ? undefined : unquoted(token)
      const kind = isFirst && column ? undefined : KINDS.get(word)
      if (kind && (column || word !== 'references')) {
        const columns = column ? [column] : []
        declared.push({ table, kind, name, columns })
        list = column ? undefined : columns
      }
      name = previous === 'constraint' ? unquoted(token) : undefined
    }
    if (depth === 1 && token === ')') list = undefined
    isFirst = token === '(' || token === ','
    previous = word
  }
  return declared
}

/** Returns the name in an identifier, which SQLite also accepts as 'name'. */
const unquoted = (token: string): string =>
  token.startsWith('[')
    ? token.slice(1, -1)
    : token.replace(/^(["'`])(.*)\1$/s, (_, quote: string, name: string) =>
        name.replaceAll(quote + quote, quote),
      )
