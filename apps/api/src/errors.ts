export class OperatorError extends Error {
  override readonly name = 'OperatorError'
}

export const inSetting =
  (setting: string) =>
  (error: unknown): never => {
    if (error instanceof OperatorError)
      throw new OperatorError(`${setting}: ${error.message}`)
    throw error
  }

export class UnavailableError extends Error {
  override readonly name = 'UnavailableError'
}

export class OverloadError extends UnavailableError {}
