/** An error that the operator can fix, so it is printed without a stack. */
export class OperatorError extends Error {
  override readonly name = 'OperatorError'
}

/**
 * Returns a handler for `catch`. It rethrows the error, and puts the name of a
 * setting before the message of an OperatorError.
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

/** A queue is full. The error is not logged, or a flood would fill the log. */
export class OverloadError extends UnavailableError {}
