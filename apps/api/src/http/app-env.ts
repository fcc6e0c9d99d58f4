import type { HttpBindings } from '@hono/node-server'
import type { Logger } from 'pino'
import type { Failure } from './failures.ts'
import type { createPageReader } from './page-reader.ts'
import type { ValidationIssue } from './validation.ts'

/** The type parameter of every Hono app of the service. */
export interface AppEnv {
  /** What the server passes with a request. Tests call the app without it. */
  Bindings: Partial<HttpBindings> & {
    /** The error with which the server rejects the request. */
    readonly rejection?: Failure | undefined
    /** Bytes of all bodies that have not arrived as a whole. */
    readonly unfinishedBodies?: { bytes: number }
    /** Reads the pages of lists. */
    readonly readPage?: ReturnType<typeof createPageReader>
  }
  Variables: {
    readonly requestId: string
    readonly log: Logger
    /** The invalid parts of the request, for the log. */
    issues?: readonly ValidationIssue[]
  }
}
