import type { HttpBindings } from '@hono/node-server'
import type { Context } from 'hono'
import type { Failure } from './failures.ts'
import type { ValidationIssue } from './validation.ts'

/** Data of a request for the log line of its response. */
export interface Exchange {
  issues?: readonly ValidationIssue[]
  error?: unknown
  /**
   * Logs the error that ends a response that has started, and returns the error
   * to throw instead.
   */
  readonly abort: (error: unknown) => Error
}

/**
 * Calls `read` when it is the turn of a list. `read` passes the number of
 * characters that it has read to `spend`. All lists of a server share the turns.
 */
export type TakeTurn = <Result>(
  read: (spend: (characters: number) => void) => Promise<Result>,
) => Promise<Result>

export interface AppEnv {
  /**
   * What a server adds to a request. The adapter of Hono adds `incoming` and
   * `outgoing`, the server of this service adds the rest.
   */
  Bindings: Partial<HttpBindings> & {
    /** From `logRequests`. */
    exchange?: Exchange
    /** The error with which the server rejects the request, if it does. */
    readonly rejection?: Failure | undefined
    /** The total size of request bodies that have not arrived completely. */
    readonly unfinishedBodies?: { bytes: number }
    readonly takeTurn?: TakeTurn
  }
}

/**
 * Returns what a server has added to a request: nothing in an app that is called
 * by `app.request()`.
 */
export const bindingsOf = ({ env }: Context): AppEnv['Bindings'] => env ?? {}
