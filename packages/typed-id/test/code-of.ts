import { isTypedIdError } from '../src/index.ts'

/** Returns the code of a TypedIdError, another error, or 'no error'. */
export function codeOf(action: () => unknown): unknown {
  try {
    action()
  } catch (error) {
    return isTypedIdError(error) ? error.code : error
  }
  return 'no error'
}
