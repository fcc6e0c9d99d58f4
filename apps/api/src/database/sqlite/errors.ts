import Sqlite from 'better-sqlite3'
import { UnavailableError } from '../../errors.ts'
import { ConstraintError } from '../errors.ts'

/** Locked by another process, disk full, disk unreadable, file made read-only. */
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
 * Returns the name that PostgreSQL gives to the constraint by default. SQLite's message has the columns, or the name of
 * an index on an expression:
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
