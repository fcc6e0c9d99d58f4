import { UnavailableError } from '../errors.ts'
import { type Failure, HTTP_ERRORS } from './errors.ts'
import type { ValidationIssue } from './validation.ts'

/** A response before the headers that every response has. */
export interface EndpointResponse {
  readonly status: number
  /** Chunks of an AsyncIterable are created one by one, as fast as the client reads them. */
  readonly body: string | Uint8Array | AsyncIterable<Uint8Array> | null
  readonly headers?: Readonly<Record<string, string>>
  /** What is invalid in the request, for the log. */
  readonly issues?: readonly ValidationIssue[]
}

/** Headers of every response, unless it replaces them: responses must not be cached, nor taken for another type. */
export const COMMON_HEADERS = { 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' }

const JSON_TYPE = { 'content-type': 'application/json' }
/** Headers of single errors: when to retry in seconds, and the content encoding that is accepted instead. */
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
): EndpointResponse => {
  const response = json(status, { detail })
  const all = { ...JSON_TYPE, ...ERROR_HEADERS[code], ...headers }
  return { ...response, headers: all }
}

export const invalid = (issues: ValidationIssue[]): EndpointResponse => ({
  ...json(422, { detail: issues }),
  issues,
})

/** Returns the response to a request whose handler threw. The cause belongs in the log, not in the response. */
export const responseToThrown = (error: unknown): EndpointResponse =>
  errorResponse(error instanceof UnavailableError ? HTTP_ERRORS.unavailable : HTTP_ERRORS.internal)

/**
 * Returns a stream that creates each chunk when the client has read the one before, and stops when the client
 * disconnects. An error breaks the connection, so a partial response never looks complete. The error is passed to
 * `onError` only: Node would print it to the console, where its message does not belong.
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
      throw new Error('response aborted: see the log')
    }
  }
  return ReadableStream.from(reporting())
}
