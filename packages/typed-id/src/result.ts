import type { TypedIdError } from './error.ts'

/** What the `safe` functions return; the shape is that of zod. */
export type SafeResult<T> =
  | { readonly success: true; readonly data: T; readonly error?: undefined }
  | { readonly success: false; readonly data?: undefined; readonly error: TypedIdError }

/**
 * A failed result whose error is what `parse` throws. It is made when it is first read, and without a stack trace:
 * refusing a value costs one small object, not the 10 µs for which V8 walks the stack.
 */
export class Failure {
  readonly success = false
  #parse: ((value: unknown) => unknown) | undefined
  #value: unknown // the error, once it is made

  constructor(parse: (value: unknown) => unknown, value: unknown) {
    this.#parse = parse
    this.#value = value
  }

  get error(): TypedIdError {
    const limit = Error.stackTraceLimit
    Reflect.set(Error, 'stackTraceLimit', 0) // does nothing where Error is frozen
    try {
      this.#parse?.(this.#value)
    } catch (error) {
      this.#value = error
    }
    Reflect.set(Error, 'stackTraceLimit', limit)
    this.#parse = undefined
    return this.#value as TypedIdError
  }
}
