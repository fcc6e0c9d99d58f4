import type { Context } from 'hono'
import type { AppEnv } from './env.ts'
import { type Failure, HTTP_ERRORS } from './errors.ts'
import type { ValidationIssue } from './validation.ts'

type Headers = Readonly<Record<string, string>>

/** The part of a context that a response needs. */
type HasExchange = Pick<Context<AppEnv>, 'env'>

/** Default headers of responses, which must not be cached, nor taken for another content type. */
export const COMMON_HEADERS = { 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' }

const JSON_TYPE = { 'content-type': 'application/json' }

/** Headers of certain errors: the seconds until a retry, and the accepted content encoding. */
const ERROR_HEADERS: Readonly<Record<string, Headers>> = {
  [HTTP_ERRORS.unavailable.code]: { 'retry-after': '1' },
  [HTTP_ERRORS.unsupported_encoding.code]: { 'accept-encoding': 'identity' },
}

/**
 * Creates a response with all its headers. Set afterwards, they would cost node-server's fast path two thirds of its
 * throughput.
 */
export const respond = (
  c: HasExchange,
  status: number,
  body: string | Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array> | null,
  headers?: Headers,
): Response =>
  new Response(body, {
    status,
    headers: { ...COMMON_HEADERS, 'x-request-id': c.env.exchange.requestId, ...headers },
  })

export const json = (c: HasExchange, status: number, value: unknown, headers?: Headers): Response =>
  respond(c, status, JSON.stringify(value), { ...JSON_TYPE, ...headers })

/** Returns the body and the headers of an error, for the app and for the server, which has no context. */
export const errorParts = ({ code, detail }: Failure) => ({
  body: JSON.stringify({ detail }),
  headers: { ...JSON_TYPE, ...ERROR_HEADERS[code] },
})

export function errorResponse(c: HasExchange, failure: Failure, more?: Headers): Response {
  const { body, headers } = errorParts(failure)
  return respond(c, failure.status, body, { ...headers, ...more })
}

export function invalid(c: HasExchange, issues: ValidationIssue[]): Response {
  c.env.exchange.issues = issues
  return json(c, 422, { detail: issues })
}
