import type { HttpBindings } from '@hono/node-server'
import type { Context } from 'hono'
import type { Failure } from './failures.ts'
import type { ValidationIssue } from './validation.ts'

export interface Exchange {
  issues?: readonly ValidationIssue[]
  error?: unknown
  readonly abort: (error: unknown) => Error
}

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

/** `app.request()` leaves `env` undefined. */
export const bindingsOf = ({ env }: Context): AppEnv['Bindings'] => env ?? {}
