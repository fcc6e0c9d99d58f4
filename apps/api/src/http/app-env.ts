import type { HttpBindings } from '@hono/node-server'
import type { Logger } from 'pino'
import type { Failure } from './failures.ts'
import type { createPageReader } from './page-reader.ts'
import type { ValidationIssue } from './validation.ts'

/** Data of a request for the log line of its response. */
export interface Exchange {
  readonly requestId: string
  readonly log: Logger
  issues?: readonly ValidationIssue[]
  error?: unknown
}

export interface AppEnv {
  Bindings: Partial<HttpBindings> & {
    /** Data of the request, from `logRequests`. */
    exchange: Exchange
    /** The error with which the server rejects the request, if it does. */
    readonly rejection?: Failure | undefined
    /** The total size of request bodies that have not arrived completely. */
    readonly unfinishedBodies?: { bytes: number }
    readonly readPage?: ReturnType<typeof createPageReader>
  }
}
