import type { HttpBindings } from '@hono/node-server'
import type { Context } from 'hono'
import type { Failure } from './failures.ts'
import type { ValidationIssue } from './validation.ts'

export interface Exchange {
  issues?: readonly ValidationIssue[]
  error?: unknown
  /**
   * Logs an error in the middle of a response, and resets the connection.
   * Returns the error with which the stream of the response must end.
   */
  readonly abort: (error: unknown) => Error
}

/**
 * Calls `read` as soon as a list endpoint may read from the database. `read`
 * passes the number of characters that it has read to `spend`, which delays the
 * next read of every list.
 */
export type TakeTurn = <Result>(
  read: (spend: (characters: number) => void) => Promise<Result>,
) => Promise<Result>

export interface AppEnv {
  Bindings: Partial<HttpBindings> & {
    exchange?: Exchange
    readonly rejection?: Failure | undefined
    readonly unfinishedBodies?: { bytes: number }
    readonly takeTurn?: TakeTurn
  }
}

/** Returns `{}` for `app.request()`, which leaves `env` undefined. */
export const bindingsOf = ({ env }: Context): AppEnv['Bindings'] => env ?? {}
