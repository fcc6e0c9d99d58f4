/**
 * An error that a handler returns in place of a body. It is a class, so that no
 * body can be mistaken for an error.
 */
export class Failure<Code extends string = string> {
  /** Names the error in the OpenAPI document. */
  readonly code: Code
  readonly status: number
  /** The value of `detail` in the body of the response. */
  readonly detail: string
  /** Headers of the response. */
  readonly headers: Readonly<Record<string, string>>

  constructor(code: Code, { status, detail, headers = {} }: Definition) {
    this.code = code
    this.status = status
    this.detail = detail
    this.headers = headers
  }
}

type Definition = Pick<Failure, 'status' | 'detail'> &
  Partial<Pick<Failure, 'headers'>>

/**
 * Defines errors by their codes.
 *
 * @example
 * const ERRORS = defineErrors({ team_not_found: { status: 404, detail: 'Team not found' } })
 * async ({ params }) => (await findTeam(db, params.team_id)) ?? ERRORS.team_not_found
 */
export function defineErrors<Code extends string>(
  definitions: Readonly<Record<Code, Definition>>,
) {
  const entries = Object.entries<Definition>(definitions)
  const failures = entries.map(([code, definition]) => [
    code,
    new Failure(code, definition),
  ])
  return Object.fromEntries(failures) as { readonly [C in Code]: Failure<C> }
}

/**
 * Errors of HTTP, of the server and of the framework. Each profile defines the
 * errors of its endpoints.
 */
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
    detail: 'The service is not available at this host',
  },
  headers_too_large: { status: 431, detail: 'Request Header Fields Too Large' },
  internal: { status: 500, detail: 'Internal Server Error' },
  unavailable: {
    status: 503,
    detail: 'Service Unavailable',
    headers: { 'Retry-After': '1' },
  },
})
