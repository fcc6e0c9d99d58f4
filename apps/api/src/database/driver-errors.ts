import { UnavailableError } from '../errors.ts'

const SQLITE_CODES = /^SQLITE_(BUSY|LOCKED|FULL|IOERR|READONLY|CANTOPEN)/

/**
 * SQLSTATE codes (PostgreSQL, appendix A) for a response with 503, not 500:
 * the server, the connection or the account causes the error, not the
 * statement.
 *
 * - Classes: connection (08), login (28), rollback (40), resources (53),
 *   operator intervention (57), system (58), configuration (F0).
 * - Codes: read-only server (25006), idle or long transaction (25P03, 25P04),
 *   no such database (3D000), privilege (42501), database not available (55000,
 *   55006), lock timeout (55P03).
 */
const SQLSTATES =
  /^(?:(?:08|28|40|53|57|58|F0)\w{3}|25006|25P03|25P04|3D000|42501|55000|55006|55P03)$/

const NODE_CODES =
  /^(?:E(?!RR_)[A-Z_]+|ERR_(?:SSL|TLS|SOCKET|STREAM)_\w+|\w*CERT\w*|\w*CRL\w*|UNABLE_TO_\w+|HOSTNAME_MISMATCH)$/

const PG_MESSAGES =
  /^(?:Connection terminated|timeout e|Query read timeout|Client (?:has|was)|Cannot use a pool|The server does not support SSL|There was an error establishing an SSL|SASL: )/

export function isUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  if (error instanceof UnavailableError) return true
  const { code } = error as { code?: unknown }
  if (typeof code !== 'string') return PG_MESSAGES.test(error.message)
  return (
    SQLITE_CODES.test(code) || SQLSTATES.test(code) || NODE_CODES.test(code)
  )
}

/**
 * Returns the value of `meanings` for the violated constraint, such as
 * `users_team_id_fkey`. The service gives SQLite's constraints the names that
 * PostgreSQL would choose, so that the same `meanings` fit both databases.
 */
export function onConstraint<
  const Meanings extends Readonly<Record<string, unknown>>,
>(error: unknown, meanings: Meanings): Meanings[keyof Meanings] {
  const name = constraintOf(error)
  if (name === undefined || !Object.hasOwn(meanings, name)) throw error
  return meanings[name] as Meanings[keyof Meanings]
}

export const constraintOf = (error: unknown): string | undefined =>
  (error as { constraint?: string } | null | undefined)?.constraint
