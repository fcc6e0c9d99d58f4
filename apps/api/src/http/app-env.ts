import type { HttpBindings } from '@hono/node-server'
import type { Context } from 'hono'
import type { Failure } from './failures.ts'
import type { ValidationIssue } from './validation.ts'

export interface Exchange {
  issues?: readonly ValidationIssue[]
  error?: unknown
  /** Logs an error that ends a started response, and returns what to throw. */
  readonly abort: (error: unknown) => Error
}

/**
 * Calls `read` when it is the turn of a list. `read` passes the number of
 * characters that it has read to `spend`.
 */
export type TakeTurn = <Result>(
  read: (spend: (characters: number) => void) => Promise<Result>,
) => Promise<Result>

export interface AppEnv {
  /** What Hono's adapter and the server of this service add to a request. */
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

/** Returns what a server has added: nothing with `app.request()`. */
export const bindingsOf = ({ env }: Context): AppEnv['Bindings'] => env ?? {}
