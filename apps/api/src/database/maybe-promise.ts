/** A value or a promise of it. A read of a database in this process returns rows, of a server a promise. */
export type MaybePromise<T> = T | Promise<T>

/**
 * Applies a function to a result, immediately when the result is available. `await` would create a promise, which adds
 * 11 % to the processor time of GET /users/{id}, measured for the whole server.
 */
export const andThen = <T, U>(result: MaybePromise<T>, apply: (value: T) => U): MaybePromise<U> =>
  result instanceof Promise ? result.then(apply) : apply(result)

/** Applies a function to two results, immediately when both results are available. */
export const andThenBoth = <A, B, U>(
  a: MaybePromise<A>,
  b: MaybePromise<B>,
  apply: (a: A, b: B) => U,
): MaybePromise<U> =>
  a instanceof Promise || b instanceof Promise
    ? Promise.all([a, b]).then(([a, b]) => apply(a, b))
    : apply(a, b)
