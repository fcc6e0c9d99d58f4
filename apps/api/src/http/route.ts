import type { Context, HonoRequest } from 'hono'
import type { z } from 'zod'
import { readJson } from './body.ts'
import type { AppEnv, Endpoint } from './env.ts'
import { Failure } from './errors.ts'
import { errorResponse, json, respond } from './response.ts'
import { type Location, toIssues, type ValidationIssue } from './validation.ts'

/** The names in braces of a path: 'user_id' in '/users/{user_id}'. */
type PathNames<Path extends string> =
  Path extends `${string}{${infer Name}}${infer Rest}`
    ? Name | PathNames<Rest>
    : never

interface Success<Body extends z.ZodType> {
  readonly status: 200 | 201 | 204
  readonly description: string
  readonly body?: Body
  /**
   * Examples of response headers by name, in addition to those that every
   * response has.
   */
  readonly headers?: Readonly<Record<string, string>>
  /**
   * Returns the header `Location`: the URL of what was created, relative to the
   * URL of the request.
   */
  readonly location?: (body: z.output<Body>) => string
}

/**
 * One endpoint, declared once. Validation, documentation and the type of the
 * handler are derived from it.
 */
export interface Declaration<
  Path extends string = string,
  Params extends z.ZodObject = z.ZodObject,
  Query extends z.ZodObject = z.ZodObject,
  Body extends z.ZodObject = z.ZodObject,
  Output extends z.ZodType = z.ZodType,
  Code extends string = string,
> {
  readonly method: Endpoint['method']
  readonly path: Path
  /** The `operationId` in the OpenAPI document. */
  readonly id: string
  readonly tag: string
  readonly summary: string
  readonly description?: string
  readonly params?: Params & z.ZodObject<Record<PathNames<Path>, z.ZodType>>
  readonly query?: Query
  readonly body?: Body
  readonly success: Success<Output>
  readonly errors?: readonly Failure<Code>[]
}

interface Input<
  Params extends z.ZodObject,
  Query extends z.ZodObject,
  Body extends z.ZodObject,
> {
  readonly params: z.output<Params>
  readonly query: z.output<Query>
  readonly body: z.output<Body>
}

/** An endpoint with its declaration, from which it is documented. */
export interface Route extends Endpoint {
  readonly declaration: Declaration
}

/**
 * Creates an endpoint whose handler returns the declared body or one of the
 * declared errors. An error that is not declared does not compile.
 *
 * @example
 * route(
 *   { method: 'get', path: '/teams/{team_id}', params: z.object({ team_id: idSchema(TeamId) }),
 *     success: { status: 200, body: TeamResponse, … }, errors: [ERRORS.team_not_found], … },
 *   async ({ params }) => (await findTeam(db, params.team_id)) ?? ERRORS.team_not_found,
 * )
 */
export function route<
  Path extends string,
  Output extends z.ZodType = z.ZodUndefined,
  Params extends z.ZodObject = z.ZodObject,
  Query extends z.ZodObject = z.ZodObject,
  Body extends z.ZodObject = z.ZodObject,
  Code extends string = never,
>(
  declaration: Declaration<Path, Params, Query, Body, Output, Code>,
  handle: (
    input: Input<Params, Query, Body>,
    c: Context<AppEnv>,
  ) => Promise<z.output<Output> | Failure<NoInfer<Code>>>,
): Route {
  const { status, body, location } = declaration.success
  return rawRoute(declaration, async (input: Input<Params, Query, Body>, c) => {
    const result = await handle(input, c)
    if (result instanceof Failure) return errorResponse(c, result)
    return body
      ? json(c, status, result, location && { location: location(result) })
      : respond(c, status, null)
  })
}

/**
 * Creates an endpoint whose handler builds the response itself, to set headers
 * or to stream.
 */
export function rawRoute<
  Params extends z.ZodObject,
  Query extends z.ZodObject,
  Body extends z.ZodObject,
>(
  declaration: Declaration<string, Params, Query, Body>,
  handle: (
    input: Input<Params, Query, Body>,
    c: Context<AppEnv>,
  ) => Promise<Response>,
): Route {
  const { method, path, params, query, body } = declaration
  async function run(c: Context<AppEnv>): Promise<Response> {
    const issues: ValidationIssue[] = []
    /**
     * Returns the output of the schema. For invalid input, adds to `issues` and
     * returns undefined.
     */
    function validate(
      location: Location,
      schema: z.ZodType,
      input: unknown,
    ): unknown {
      const { data, error } = schema.safeParse(input)
      if (error) issues.push(...toIssues(location, input, error))
      return data
    }
    // Without issues, each declared part is the output of its schema. A handler
    // cannot read a part that is not declared.
    const input = {
      params: params && validate('path', params, c.req.param()),
      query: query && validate('query', query, queryOf(c.req)),
      body: undefined as unknown,
    }
    const read = body && (await readJson(c))
    if (read instanceof Failure) return errorResponse(c, read)
    if (body && read) {
      if ('issue' in read) issues.push(read.issue)
      else input.body = validate('body', body, read.json)
    }
    if (issues.length === 0)
      return handle(input as Input<Params, Query, Body>, c)
    c.env.exchange.issues = issues
    return json(c, 422, { detail: issues })
  }
  // TypeScript compares type parameters of a schema in both directions. The
  // declaration is only read.
  return {
    method,
    path,
    declaration: declaration as unknown as Declaration,
    handle: run,
  }
}

/**
 * Returns the query. The value of a repeated parameter is an array, which no
 * schema accepts.
 */
function queryOf(req: HonoRequest): Record<string, unknown> {
  if (!req.url.includes('&')) return req.query()
  const all = Object.entries(req.queries())
  return Object.fromEntries(
    all.map(([name, values]) => [name, values.length > 1 ? values : values[0]]),
  )
}
