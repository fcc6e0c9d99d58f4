import type { HttpBindings } from '@hono/node-server'
import type { Context } from 'hono'
import type { Failure } from './failures.ts'
import type { ValidationIssue } from './validation.ts'

export interface Exchange {
  issues?: readonly ValidationIssue[]
  error?: unknown
  /**
   * Logs an error that occurs after the response has started, closes the
   * connection, and returns the error to throw.
   */
  readonly abort: (error: unknown) => Error
}

/**
 * Waits until a list endpoint may read from the database, then calls `read`.
 * `read` calls `spend` with the number of characters that it has read, which
 * delays the next read.
 */
export type TakeTurn = <Result>(
  read: (spend: (characters: number) => void) => Promise<Result>,
) => Promise<Result>

export interface AppEnv {
  /** What Hono's adapter and the server of this service add to a request. */
  Bindings: Partial<HttpBindings> & {
    exchange?: Exchange
    readonly rejection?: Failure | undefined
    readonly unfinishedBodies?: { bytes: number }
    readonly takeTurn?: TakeTurn
  }
}

/** Returns `env`, or `{}` for `app.request()`, which leaves `env` undefined. */
export const bindingsOf = ({ env }: Context): AppEnv['Bindings'] => env ?? {}
