import type { Handler, HonoRequest, TypedResponse } from 'hono'
import type { JSONParsed } from 'hono/utils/types'
import type { z } from 'zod'
import { bindingsOf } from './app-env.ts'
import { readJson } from './body.ts'
import type {
  BodyOf,
  Declaration,
  EndpointContext,
  EndpointHandler,
  ErrorsOf,
  Inputs,
  NoUndeclared,
  SuccessOf,
} from './declaration.ts'
import { fail } from './failures.ts'
import { type Location, toIssues, type ValidationIssue } from './validation.ts'

/**
 * Creates a Hono handler that validates path, query and body. Responds 422 with
 * all issues, or calls `handler`, in which `c.req.valid` returns the parsed
 * values. An undeclared status, error or body field does not compile.
 *
 * @example
 * new Hono().get('/teams/:team_id', endpoint(
 *   {
 *     param: z.object({ team_id: idSchema(TeamId) }),
 *     success: { status: 200, description: 'The team', body: TeamResponse },
 *     errors: [ERRORS.team_not_found],
 *     …
 *   },
 *   async (c) => {
 *     const team = await store.find(c.req.valid('param').team_id)
 *     return team ? c.json(team, 200) : fail(c, ERRORS.team_not_found)
 *   },
 * ))
 */
export function endpoint<
  const D extends Declaration,
  R extends SuccessOf<D['success']> | ErrorsOf<D>,
>(
  declaration: D,
  handler: (
    c: EndpointContext<D>,
  ) => Promise<
    R &
      NoUndeclared<
        BodyOf<R, D['success']>,
        z.output<NonNullable<D['success']['body']>>
      >
  >,
): EndpointHandler<D>
export function endpoint(declaration: Declaration, handler: Handler): Handler {
  return withValidation(declaration, handler)
}

export function withValidation(
  declaration: Declaration,
  handler: Handler,
): Handler {
  const { param, query, json } = declaration
  const handle: Handler = async (c, next) => {
    const issues: ValidationIssue[] = []
    const validate = (
      target: keyof Inputs,
      location: Location,
      schema: z.ZodObject,
      input: unknown,
    ) => {
      const { data, error } = schema.safeParse(input)
      if (error) issues.push(...toIssues(location, input, error))
      else c.req.addValidatedData(target, data)
    }
    if (param) validate('param', 'path', param, c.req.param())
    if (query) validate('query', 'query', query, queryOf(c.req))
    if (json) {
      const body = await readJson(c)
      if ('detail' in body) return fail(c, body)
      if ('issue' in body) issues.push(body.issue)
      else validate('json', 'body', json, body.json)
    }
    if (issues.length === 0) return handler(c, next)
    const { exchange } = bindingsOf(c)
    if (exchange) exchange.issues = issues
    return c.json({ detail: issues }, 422)
  }
  return Object.assign(handle, { [DECLARATION]: declaration })
}

const DECLARATION = Symbol('declaration')

export const declarationOf = (
  handler: object & { readonly [DECLARATION]?: Declaration },
): Declaration | undefined => handler[DECLARATION]

/**
 * Does not call `c.json()`, which would copy the headers into a `Headers`. The
 * copy would take 7 % of the time of POST /teams.
 */
export const created = <T extends object>(body: T, location: string) =>
  new Response(JSON.stringify(body), {
    status: 201,
    headers: { 'content-type': 'application/json', location },
  }) as Response & TypedResponse<JSONParsed<T>, 201, 'json'>

function queryOf(req: HonoRequest): Record<string, unknown> {
  const all = Object.entries(req.queries())
  return Object.fromEntries(
    all.map(([name, values]) => [name, values.length > 1 ? values : values[0]]),
  )
}
