import type { Context, TypedResponse } from 'hono'
import type { ContentfulStatusCode } from 'hono/utils/http-status'

export interface Failure<
  Status extends ContentfulStatusCode = ContentfulStatusCode,
  Detail extends string = string,
> {
  readonly code: string
  readonly status: Status
  readonly detail: Detail
  readonly headers?: Readonly<Record<string, string>>
}

export type FailureResponse<F extends Failure> =
  F extends Failure<infer Status, infer Detail>
    ? TypedResponse<{ detail: Detail }, Status, 'json'>
    : never

export const fail = <F extends Failure>(
  c: Context,
  { detail, status, headers }: F,
) => c.json({ detail }, status, headers) as Response & FailureResponse<F>

export const toResponse = ({ detail, status, headers = {} }: Failure) =>
  Response.json({ detail }, { status, headers })

export function defineErrors<
  const D extends Readonly<Record<string, Omit<Failure, 'code'>>>,
>(definitions: D) {
  const failures = Object.entries(definitions).map(([code, definition]) => [
    code,
    { code, ...definition },
  ])
  return Object.fromEntries(failures) as {
    readonly [C in keyof D]: Failure<D[C]['status'], D[C]['detail']>
  }
}

export const HTTP_ERRORS = defineErrors({
  bad_request: { status: 400, detail: 'Bad Request' },
  other_origin: {
    status: 403,
    detail: 'Pages of this origin may not call the service',
  },
  not_found: { status: 404, detail: 'Not Found' },
  method_not_allowed: { status: 405, detail: 'Method Not Allowed' },
  request_timeout: { status: 408, detail: 'Request Timeout' },
  too_large: { status: 413, detail: 'Request body is larger than 1 MiB' },
  unsupported_encoding: {
    status: 415,
    detail: 'Content-Encoding must be identity',
    headers: { 'Accept-Encoding': 'identity' },
  },
  misdirected: {
    status: 421,
    detail: 'The service is not available at this host: see ALLOWED_HOSTS',
  },
  headers_too_large: { status: 431, detail: 'Request Header Fields Too Large' },
  internal: { status: 500, detail: 'Internal Server Error' },
  unavailable: {
    status: 503,
    detail: 'Service Unavailable',
    headers: { 'Retry-After': '1' },
  },
})
