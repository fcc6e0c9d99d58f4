import type { TypedIdError } from './error.ts'
import type { Explain } from './explain.ts'

/** What the `safe` functions return; the shape is that of zod. */
export type SafeResult<T> =
  | { readonly success: true; readonly data: T; readonly error?: undefined }
  | { readonly success: false; readonly data?: undefined; readonly error: TypedIdError }

/**
 * A failed result whose error is made when it is first read, and without a stack trace: refusing a value costs
 * one small object, not the 10 µs for which V8 walks the stack.
 */
export class Failure {
  readonly success = false
  #explain: Explain
  #prefix: string
  #value: unknown
  #error: TypedIdError | undefined

  constructor(explain: Explain, prefix: string, value: unknown) {
    this.#explain = explain
    this.#prefix = prefix
    this.#value = value
  }

  get error(): TypedIdError {
    this.#error ??= withoutStack(() => this.#explain(this.#prefix, this.#value))
    return this.#error
  }
}

function withoutStack<T>(make: () => T): T {
  const limit = Error.stackTraceLimit
  if (!(limit > 0) || !Reflect.set(Error, 'stackTraceLimit', 0)) return make() // no such switch, or a frozen Error
  try {
    return make()
  } finally {
    Error.stackTraceLimit = limit
  }
}
