import type { HttpBindings } from '@hono/node-server'
import type { Context } from 'hono'
import type { Failure } from './failures.ts'
import type { ValidationIssue } from './validation.ts'

export interface Exchange {
  issues?: readonly ValidationIssue[]
  error?: unknown
  /** Logs an error in a started response, and returns the error to throw. */
  readonly abort: (error: unknown) => Error
}

/**
 * Waits for the turn of a list, then calls `read`. `read` reports the number of
 * characters that it has read by calling `spend`.
 */
export type TakeTurn = <Result>(
  read: (spend: (characters: number) => void) => Promise<Result>,
) => Promise<Result>

export interface AppEnv {
  /** What Hono's adapter and the server of this service add to a request. */
  Bindings: Partial<HttpBindings> & {
    /** Set by `logRequests`. */
    exchange?: Exchange
    /** The error with which the server rejects the request, if any. */
    readonly rejection?: Failure | undefined
    /** The total size of request bodies that have not arrived completely. */
    readonly unfinishedBodies?: { bytes: number }
    readonly takeTurn?: TakeTurn
  }
}

/** Returns what the server has added. `app.request()` adds nothing. */
export const bindingsOf = ({ env }: Context): AppEnv['Bindings'] => env ?? {}
