import { isTypedIdError } from '../src/index.ts'

/**
 * Returns the code of the TypedIdError that the action throws. Returns any
 * other error itself, and `no error` if the action does not throw.
 */
export function codeOf(action: () => unknown): unknown {
  try {
    action()
  } catch (error) {
    return isTypedIdError(error) ? error.code : error
  }
  return 'no error'
}
