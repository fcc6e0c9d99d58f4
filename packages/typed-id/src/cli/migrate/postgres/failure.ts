import type { Context } from '../context.ts'
import { MigrationError } from '../error.ts'

/** Returns the one line for an error of the driver or the server. */
export function describeFailure(
  error: Error & { code?: string; detail?: string },
  { signal }: Context,
  consequence: string,
): MigrationError {
  if (signal.aborted) return new MigrationError(`interrupted: ${consequence}`)
  if (error instanceof MigrationError) return new MigrationError(`${error.message}: ${consequence}`)
  const reason = isLost(error)
    ? `connection lost (${error.message})`
    : [error.message, error.detail].filter(Boolean).join(': ')
  return new MigrationError(`${reason}: ${consequence}`)
}

/** Class 57P: the server has closed the connection. Errors of the socket have no SQLSTATE of five characters. */
export function isLost({ code }: Error & { code?: string }): boolean {
  return code === undefined || !/^[0-9A-Z]{5}$/.test(code) || code.startsWith('57P')
}
