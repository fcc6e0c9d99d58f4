import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Context } from 'hono'
import type { Logger } from 'pino'
import type { Failure } from './errors.ts'
import type { ValidationIssue } from './validation.ts'

/**
 * What the log line and the headers of a response need to know about its
 * request. Handlers fill it in.
 */
export interface Exchange {
  readonly requestId: string
  readonly log: Logger
  /** Bytes of all unfinished bodies: see `readJson`. */
  readonly bodies: { bytes: number }
  /** The declared path of the endpoint, null when none matches. */
  route: string | null
  /** The invalid parts of the request. */
  issues: readonly ValidationIssue[]
  /** What the handler threw. */
  error: unknown
}

/**
 * The values that the server and `logRequests` pass to the app with each
 * request.
 */
export interface AppEnv {
  Bindings: {
    exchange: Exchange
    /**
     * The error with which the server rejects the request. No endpoint runs.
     */
    readonly rejection?: Failure | undefined
    /** Node's request and response. Absent when a test calls the app. */
    readonly incoming?: IncomingMessage
    readonly outgoing?: ServerResponse
  }
}

/**
 * The methods that a client can use. Hono serves HEAD wherever there is GET.
 */
export const METHODS = ['GET', 'HEAD', 'POST', 'PATCH', 'DELETE']

/** The handler of one method of one path, such as '/users/{user_id}'. */
export interface Endpoint {
  readonly method: 'get' | 'post' | 'patch' | 'delete'
  readonly path: string
  handle(c: Context<AppEnv>): Response | Promise<Response>
}
