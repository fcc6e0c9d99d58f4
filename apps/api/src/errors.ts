/** An error that the operator can fix, so it is printed without a stack. */
export class OperatorError extends Error {
  override readonly name = 'OperatorError'
}

/**
 * Returns a handler for `catch` that puts the name of a setting before the
 * message of an OperatorError, and rethrows other errors unchanged.
 */
export const inSetting =
  (setting: string) =>
  (error: unknown): never => {
    if (error instanceof OperatorError)
      throw new OperatorError(`${setting}: ${error.message}`)
    throw error
  }

/** Thrown if a resource, such as the database, is unavailable: status 503. */
export class UnavailableError extends Error {
  override readonly name = 'UnavailableError'
}

/**
 * Thrown if a queue is full. Not logged, because a flood would fill the log.
 */
export class OverloadError extends UnavailableError {}
