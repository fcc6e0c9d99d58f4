import type { Context, HonoRequest } from 'hono'
import { z } from 'zod'
import { readJson } from './body.ts'
import type { AppEnv, Endpoint } from './env.ts'
import { Failure } from './errors.ts'
import { errorResponse, invalid, json, respond } from './response.ts'
import { type Location, repeatedQuery, toIssues, type ValidationIssue } from './validation.ts'

/** The names in braces of a path: 'user_id' in '/users/{user_id}'. */
type PathNames<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? Name | PathNames<Rest>
  : never

interface Success<Body extends z.ZodType> {
  readonly status: 200 | 201 | 204
  readonly description: string
  readonly body?: Body
  /** Response headers by name, in addition to those that every response has. */
  readonly headers?: Readonly<
    Record<string, { description: string; schema: { type: 'string'; example: string } }>
  >
}

/** One endpoint, declared once. Validation, documentation and the type of the handler are derived from it. */
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

interface Input<Params extends z.ZodObject, Query extends z.ZodObject, Body extends z.ZodObject> {
  readonly params: z.output<Params>
  readonly query: z.output<Query>
  readonly body: z.output<Body>
}

/** An endpoint with its declaration, from which it is documented. */
export interface Route extends Endpoint {
  readonly declaration: Declaration
}

/**
 * Creates an endpoint whose handler returns the declared body or one of the declared errors. An error that is not
 * declared does not compile.
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
  const { status, body } = declaration.success
  return rawRoute(declaration, async (input: Input<Params, Query, Body>, c) => {
    const result = await handle(input, c)
    if (result instanceof Failure) return errorResponse(c, result)
    return body ? json(c, status, result) : respond(c, status, null)
  })
}

/** Creates an endpoint whose handler builds the response itself, to set headers or to stream. */
export function rawRoute<Params extends z.ZodObject, Query extends z.ZodObject, Body extends z.ZodObject>(
  declaration: Declaration<string, Params, Query, Body>,
  handle: (input: Input<Params, Query, Body>, c: Context<AppEnv>) => Promise<Response>,
): Route {
  const { method, path, params, query, body } = declaration
  return {
    method,
    path,
    // TypeScript compares type parameters of a schema in both directions. The declaration is only read.
    declaration: declaration as unknown as Declaration,
    pathIds: (request) => validIds(params, request),
    async handle(c) {
      const issues: ValidationIssue[] = []
      // Without issues, each declared part is the output of its schema. A handler cannot read a part that is not declared.
      const input = {
        params: validate('path', params, c.req.param(), issues),
        query: query && validate('query', query, c.req.query(), issues),
        body: undefined as unknown,
      }
      if (query && c.req.url.includes('&')) issues.push(...repeatedQuery(query.shape, c.req.queries()))
      if (body) {
        const read = await readJson(c)
        if (read instanceof Failure) return errorResponse(c, read)
        if ('issue' in read) issues.push(read.issue)
        else input.body = validate('body', body, read.json, issues)
      }
      return issues.length > 0 ? invalid(c, issues) : handle(input as Input<Params, Query, Body>, c)
    },
  }
}

/** Returns the output of the schema. For invalid input, adds to `issues` and returns undefined. */
function validate(
  location: Location,
  schema: z.ZodType | undefined,
  input: unknown,
  issues: ValidationIssue[],
): unknown {
  const result = schema?.safeParse(input)
  if (result?.error) issues.push(...toIssues(location, input, result.error))
  return result?.data
}

/** Returns the path parameters that are declared as ids and are valid. */
function validIds(params: z.ZodObject | undefined, request: HonoRequest): Record<string, string> {
  const ids: Record<string, string> = {}
  for (const [name, schema] of Object.entries(params?.shape ?? {})) {
    const value = request.param(name)
    const isId = z.globalRegistry.get(schema)?.['x-typed-id'] !== undefined
    if (isId && value !== undefined && z.safeParse(schema, value).success) ids[name] = value
  }
  return ids
}
