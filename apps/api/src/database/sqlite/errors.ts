import Sqlite from 'better-sqlite3'
import { UnavailableError } from '../../errors.ts'
import type { Statement } from '../database.ts'
import { ConstraintError } from '../errors.ts'

/** Matches codes for: locked by another process, disk full, disk unreadable, file made read-only. */
const UNAVAILABLE = /^SQLITE_(BUSY|LOCKED|FULL|IOERR|READONLY|CANTOPEN)/

/** Maps an error of the driver to a ConstraintError or an UnavailableError. Returns every other error unchanged. */
export function toDatabaseError(error: unknown, findForeignKey: () => string | undefined): unknown {
  if (!(error instanceof Sqlite.SqliteError)) return error
  const { code, message } = error
  if (code.startsWith('SQLITE_CONSTRAINT'))
    return new ConstraintError(
      code === 'SQLITE_CONSTRAINT_FOREIGNKEY' ? findForeignKey() : constraintIn(code, message),
      error,
    )
  if (UNAVAILABLE.test(code)) return new UnavailableError(code, { cause: error })
  return error
}

/**
 * Returns the name that PostgreSQL gives to the constraint by default. SQLite's message contains the columns, or the
 * name of an index on an expression:
 *
 *   UNIQUE constraint failed: roles.name               roles_name_key
 *   UNIQUE constraint failed: index 'users_email_key'  users_email_key, an index on an expression
 *   UNIQUE constraint failed: teams.id                 teams_pkey, by its own error code
 */
function constraintIn(code: string, message: string): string | undefined {
  const [, index, columns] = /^UNIQUE constraint failed: (?:index '(.+)'|(.+))$/.exec(message) ?? []
  if (index !== undefined) return index
  if (columns === undefined) return undefined
  const [table] = columns.split('.')
  if (code === 'SQLITE_CONSTRAINT_PRIMARYKEY') return `${table}_pkey`
  const names = columns.split(', ').map((column) => column.slice(column.indexOf('.') + 1))
  return [table, ...names, 'key'].join('_')
}

/**
 * Returns the name of the foreign key that a statement violated, or undefined when none is found.
 *
 * SQLite reports that a foreign key failed, but not which one. This function therefore looks for the parent row of each
 * foreign key that an INSERT or UPDATE sets, and for child rows of a row that a DELETE removes. Parameters have the
 * names of columns, so it knows their values. It runs in the transaction of the failed statement, so it reads the rows
 * that the statement saw. The name is PostgreSQL's default.
 */
export function findViolatedForeignKey(
  connection: Sqlite.Database,
  { sql, parameters = [] }: Statement,
  values: readonly unknown[],
): string | undefined {
  const [, verb, table] = /^(insert into|update|delete from) "(\w+)"/.exec(sql) ?? []
  const parameter = (column: string) => values[parameters.indexOf(column)] ?? null
  const exists = (name: string, column: string, value: unknown) =>
    connection.prepare(`select 1 from "${name}" where "${column}" = ?`).get(value) !== undefined

  const violated = foreignKeys(connection).find(({ child, from, parent, to }) => {
    if (verb === 'delete from') return parent === table && exists(child, from, parameter(to))
    const value = child === table ? parameter(from) : null
    return value !== null && !exists(parent, to, value)
  })
  return violated && `${violated.child}_${violated.from}_fkey`
}

interface ForeignKey {
  readonly child: string
  readonly from: string
  readonly parent: string
  readonly to: string
}

function foreignKeys(connection: Sqlite.Database): ForeignKey[] {
  const query = `
    select t.name as child, f."from", f."table" as parent, f."to"
    from pragma_table_list as t join pragma_foreign_key_list(t.name) as f
    where t.type = 'table'
    order by t.name, f.seq`
  return connection.prepare(query).all() as ForeignKey[]
}
