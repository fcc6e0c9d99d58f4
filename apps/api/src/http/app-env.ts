import type { HttpBindings } from '@hono/node-server'
import type { Logger } from 'pino'
import type { Failure } from './failures.ts'
import type { createPageReader } from './page-reader.ts'
import type { ValidationIssue } from './validation.ts'

/** What the log line of a response needs to know about its request. */
export interface Exchange {
  readonly requestId: string
  readonly log: Logger
  issues?: readonly ValidationIssue[]
  error?: unknown
}

/** The type parameter of every Hono app of the service. */
export interface AppEnv {
  Bindings: Partial<HttpBindings> & {
    /** Added to each request by `logRequests`. */
    exchange: Exchange
    /** The error with which the server rejects the request. */
    readonly rejection?: Failure | undefined
    /** Bytes of all bodies that have not arrived as a whole. */
    readonly unfinishedBodies?: { bytes: number }
    readonly readPage?: ReturnType<typeof createPageReader>
  }
}
