/** An error that the operator can fix, so it is printed without a stack. */
export class OperatorError extends Error {
  override readonly name = 'OperatorError'
}

/**
 * Puts the name of a setting in front of an OperatorError, and rethrows every
 * other error unchanged.
 */
export const inSetting =
  (setting: string) =>
  (error: unknown): never => {
    if (error instanceof OperatorError)
      throw new OperatorError(`${setting}: ${error.message}`)
    throw error
  }

/** The client receives 503 with `Retry-After` and may retry. */
export class UnavailableError extends Error {
  override readonly name = 'UnavailableError'
}

/** A queue is full. Not logged: a flood would fill the log with stacks. */
export class OverloadError extends UnavailableError {}
