/** Every error whose body is a text. Handlers return a code; its status, text and documentation stand here. */
export const ERRORS = {
  bad_request: { status: 400, detail: 'Bad Request' },
  email_taken: { status: 400, detail: 'Email already registered' },
  role_name_taken: { status: 400, detail: 'Role name already exists' },
  invalid_user_id: { status: 400, detail: 'Invalid user ID' },
  expected_user_id: { status: 400, detail: 'Expected user ID' },
  invalid_team_id: { status: 400, detail: 'Invalid team ID' },
  expected_team_id: { status: 400, detail: 'Expected team ID' },
  user_not_found: { status: 404, detail: 'User not found' },
  team_not_found: { status: 404, detail: 'Team not found' },
  role_not_found: { status: 404, detail: 'Role not found' },
  not_found: { status: 404, detail: 'Not Found' },
  method_not_allowed: { status: 405, detail: 'Method Not Allowed' },
  request_timeout: { status: 408, detail: 'Request Timeout' },
  too_large: { status: 413, detail: 'Request body is larger than 1 MiB' },
  unsupported_encoding: { status: 415, detail: 'Content-Encoding must be identity' },
  headers_too_large: { status: 431, detail: 'Request Header Fields Too Large' },
  internal: { status: 500, detail: 'Internal Server Error' },
  unavailable: { status: 503, detail: 'Service Unavailable' },
} as const satisfies Record<string, { status: number; detail: string }>

export type ErrorCode = keyof typeof ERRORS

/** What a handler returns in place of a body. A class, so that no body can be mistaken for an error. */
export class Failure<Code extends ErrorCode> {
  readonly code: Code
  constructor(code: Code) {
    this.code = code
  }
}

/**
 * Returns an error of an endpoint.
 *
 * @example
 * async ({ params }) => (await findTeam(db, params.team_id)) ?? fail('team_not_found')
 */
export const fail = <const Code extends ErrorCode>(code: Code): Failure<Code> => new Failure(code)
