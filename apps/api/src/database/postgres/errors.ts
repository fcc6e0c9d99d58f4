import { UnavailableError } from '../../errors.ts'
import { ConstraintError } from '../errors.ts'

/** SQLSTATE class 23 (PostgreSQL, appendix A): integrity constraint violation. */
const CONSTRAINT = /^23/

/**
 * SQLSTATE classes and codes (PostgreSQL, appendix A) of a server that is unreachable, starting, stopping, full,
 * read-only (a demoted primary) or too slow, and Node's codes of a broken connection.
 */
const UNAVAILABLE = /^(08...|53...|57P0.|57014|58...|25006|25P03|E[A-Z]+)$/

/** Messages of the driver's own errors, which have no code. */
const UNAVAILABLE_WITHOUT_CODE =
  /^(Connection terminated|timeout exceeded|Query read timeout|Client has encountered|Cannot use a pool)/

/** Returns the error that the rest of the service understands, or the same one when there is none. */
export function toDatabaseError(error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof UnavailableError) return error
  const code = codeOf(error)
  if (code === undefined) {
    return UNAVAILABLE_WITHOUT_CODE.test(error.message)
      ? new UnavailableError(error.message, { cause: error })
      : error
  }
  if (CONSTRAINT.test(code)) return new ConstraintError((error as { constraint?: string }).constraint, error)
  return UNAVAILABLE.test(code) ? new UnavailableError(code, { cause: error }) : error
}

/**
 * Codes of transactions that the server rolled back because of a concurrent one: serialization failure and deadlock.
 * The others occur when two processes create the migration tables at the same time: duplicate in the catalogue (23505
 * as the driver's own error, not as a ConstraintError), duplicate table, and the transaction that either has aborted.
 */
const RETRYABLE = new Set(['40001', '40P01', '23505', '42P07', '25P02'])

/** Returns whether the transaction may be run again. */
export const isRetryable = (error: unknown) => RETRYABLE.has(codeOf(error) ?? '')

const codeOf = (error: unknown) => (error as { code?: string } | null)?.code
