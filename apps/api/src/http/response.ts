import { UnavailableError } from '../errors.ts'
import { type Failure, HTTP_ERRORS } from './errors.ts'
import type { ValidationIssue } from './validation.ts'

/** A response, without the headers that are added to every response. */
export interface EndpointResponse {
  readonly status: number
  /** Chunks of an AsyncIterable are created one by one, as fast as the client reads them. */
  readonly body: string | Uint8Array | AsyncIterable<Uint8Array> | null
  readonly headers?: Readonly<Record<string, string>>
  /** The invalid parts of the request, for the log. */
  readonly issues?: readonly ValidationIssue[]
}

/** Default headers of responses, which must not be cached, nor taken for another content type. */
export const COMMON_HEADERS = { 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' }

const JSON_TYPE = { 'content-type': 'application/json' }
/** Headers of certain errors: the seconds until a retry, and the accepted content encoding. */
const ERROR_HEADERS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  [HTTP_ERRORS.unavailable.code]: { 'retry-after': '1' },
  [HTTP_ERRORS.unsupported_encoding.code]: { 'accept-encoding': 'identity' },
}

export const json = (status: number, value: unknown): EndpointResponse => ({
  status,
  body: JSON.stringify(value),
  headers: JSON_TYPE,
})

export const empty = (status: number): EndpointResponse => ({ status, body: null })

export const errorResponse = (
  { code, status, detail }: Failure,
  headers?: Record<string, string>,
): EndpointResponse => ({
  ...json(status, { detail }),
  headers: { ...JSON_TYPE, ...ERROR_HEADERS[code], ...headers },
})

export const invalid = (issues: ValidationIssue[]): EndpointResponse => ({
  ...json(422, { detail: issues }),
  issues,
})

/** Returns the response to a request whose handler threw. The cause belongs in the log, not in the response. */
export const responseToThrown = (error: unknown): EndpointResponse =>
  errorResponse(error instanceof UnavailableError ? HTTP_ERRORS.unavailable : HTTP_ERRORS.internal)

/**
 * Returns a stream that creates each chunk when the client has read the previous one, and stops when the client
 * disconnects. An error breaks the connection, so a partial response never looks complete. The error is passed only to
 * `onError`, because Node would print its message to the console.
 */
export function streamResponse(
  chunks: AsyncIterable<Uint8Array>,
  onError: (error: unknown) => void,
): ReadableStream<Uint8Array> {
  async function* reporting() {
    try {
      yield* chunks
    } catch (error) {
      onError(error)
      // @hono/node-server prints the error on stderr: without its stack, in one line.
      throw Object.assign(new Error('response aborted: see the log'), { stack: undefined })
    }
  }
  return ReadableStream.from(reporting())
}
