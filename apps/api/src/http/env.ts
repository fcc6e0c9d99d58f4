import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Context, HonoRequest } from 'hono'
import type { Logger } from 'pino'
import type { Failure } from './errors.ts'
import type { ValidationIssue } from './validation.ts'

/** What the log line and the headers of a response need to know about its request. Handlers fill it in. */
export interface Exchange {
  readonly requestId: string
  readonly log: Logger
  /** Bytes of all unfinished bodies: see `readJson`. */
  readonly bodies: { bytes: number }
  /** The endpoint that handles the request, null when none matches. */
  endpoint: Endpoint | null
  request: HonoRequest | undefined
  /** The invalid parts of the request. */
  issues: readonly ValidationIssue[]
  /** What the handler threw. */
  error: unknown
}

/** The values that the server and `logRequests` pass to the app with each request. */
export interface AppEnv {
  Bindings: {
    exchange: Exchange
    /** Set when the server rejects the request: the app responds with this error and does not run the endpoint. */
    readonly rejection?: Failure
    /** Node's request and response. Hono sees only the normalized URL, and its streams are slower. Absent when a test calls the app. */
    readonly incoming?: IncomingMessage
    readonly outgoing?: ServerResponse
  }
}

/** The methods that an endpoint can have. Hono serves HEAD wherever there is GET. */
export const METHODS = ['get', 'post', 'patch', 'delete'] as const

/** The methods that a client can use, in upper case as requests contain them. */
export const REQUEST_METHODS: readonly string[] = METHODS.flatMap((method) =>
  method === 'get' ? ['GET', 'HEAD'] : method.toUpperCase(),
)

/** The handler of one method of one path, such as '/users/{user_id}'. */
export interface Endpoint {
  readonly method: (typeof METHODS)[number]
  readonly path: string
  handle(c: Context<AppEnv>): Response | Promise<Response>
  /** Returns the valid ids in the path, by parameter name. The rest of a path must not be logged. */
  pathIds?(request: HonoRequest): Readonly<Record<string, string>>
  /** Whether the endpoint writes its own log lines, because its requests are frequent and similar. */
  readonly isHealthCheck?: boolean
}

/**
 * Returns a request header by its name in lower case, of Node's request if there is one: Hono would search for it. Not for
 * headers of which Node drops the second one, such as Content-Type.
 */
export const headerOf = ({ env, req }: Context<AppEnv>, name: string): string | undefined =>
  env.incoming ? env.incoming.headers[name]?.toString() : req.header(name)
