import type { IncomingMessage } from 'node:http'
import type { Context } from 'hono'
import type { Failure } from './errors.ts'

/** The values that the server passes to the app with each request. */
export interface AppEnv {
  Bindings: {
    /** Set when the server rejects the request: the app responds with this error and does not run the endpoint. */
    readonly rejection?: Failure
    /** Node's request. Hono sees only the normalized URL, and its streams are slower. Absent when a test calls the app. */
    readonly incoming?: IncomingMessage
  }
}

/**
 * Returns a request header by its name in lower case, of Node's request if there is one: Hono would search for it. Not for
 * headers of which Node drops the second one, such as Content-Type.
 */
export const headerOf = ({ env, req }: Context<AppEnv>, name: string): string | undefined =>
  env?.incoming ? env.incoming.headers[name]?.toString() : req.header(name)
