import type { HonoRequest } from 'hono'
import { z } from 'zod'
import { andThen, type MaybePromise } from '../database/maybe-promise.ts'
import { Failure, HTTP_ERRORS } from './errors.ts'
import type { Endpoint } from './mount.ts'
import { readJson } from './request.ts'
import { type EndpointResponse, empty, errorResponse, invalid, json } from './response.ts'
import { type Location, repeatedQuery, toIssues, type ValidationIssue } from './validation.ts'

/** The names in braces of a path: 'user_id' in '/users/{user_id}'. */
type PathNames<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? Name | PathNames<Rest>
  : never

interface Documentation {
  /** The `operationId` in the OpenAPI document. */
  readonly id: string
  readonly tag: string
  readonly summary: string
  readonly description?: string
}

export const responseHeader = (description: string, example: string) => ({
  description,
  schema: { type: 'string' as const, example },
})

interface Success<Body extends z.ZodType> {
  readonly status: 200 | 201 | 204
  readonly description: string
  readonly body?: Body
  /** Response headers by name, in addition to those that every response has. */
  readonly headers?: Readonly<Record<string, ReturnType<typeof responseHeader>>>
}

/** One endpoint, declared once. Validation, documentation and the type of the handler are derived from it. */
export interface Declaration<
  Path extends string = string,
  Params extends z.ZodObject = z.ZodObject,
  Query extends z.ZodObject = z.ZodObject,
  Body extends z.ZodObject = z.ZodObject,
  Output extends z.ZodType = z.ZodType,
  Code extends string = string,
> extends Documentation {
  readonly method: Endpoint['method']
  readonly path: Path
  readonly params?: Params & z.ZodObject<Record<PathNames<Path>, z.ZodType>>
  readonly query?: Query
  readonly body?: Body
  readonly success: Success<Output>
  readonly errors?: readonly Failure<Code>[]
}

export interface Input<Params extends z.ZodObject, Query extends z.ZodObject, Body extends z.ZodObject> {
  readonly params: z.output<Params>
  readonly query: z.output<Query>
  readonly body: z.output<Body>
}

/** An endpoint with its declaration, from which it is documented. */
export interface Route extends Endpoint {
  readonly declaration: Declaration
}

/**
 * Creates an endpoint whose handler returns the declared body or one of the declared errors.
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
  handle: (input: Input<Params, Query, Body>) => MaybePromise<z.output<Output> | Failure<NoInfer<Code>>>,
): Route {
  const { status, body: hasBody } = declaration.success
  return rawRoute(declaration, (input: Input<Params, Query, Body>) =>
    andThen(handle(input), (result) => {
      if (result instanceof Failure) return errorResponse(result)
      return hasBody ? json(status, result) : empty(status)
    }),
  )
}

/** Creates an endpoint whose handler builds the response itself, to set headers or to stream. */
export function rawRoute<Params extends z.ZodObject, Query extends z.ZodObject, Body extends z.ZodObject>(
  declaration: Declaration<string, Params, Query, Body>,
  handle: (input: Input<Params, Query, Body>, request: HonoRequest) => MaybePromise<EndpointResponse>,
): Route {
  const { method, path, params, query, body } = declaration
  // For TypeScript, a declaration of narrower schemas is no Declaration, because type parameters of a schema also occur
  // in contravariant positions. The cast is safe, because the declaration is only read.
  const documented = declaration as unknown as Declaration
  return {
    method,
    path,
    declaration: documented,
    handle(c) {
      const request = c.req
      const issues: ValidationIssue[] = []
      const input = {
        params: params && validate('path', params, request.param(), issues),
        query: query && validate('query', query, request.query(), issues),
        body: undefined as unknown,
      }
      if (query && request.url.includes('&')) issues.push(...repeatedQuery(query.shape, request.queries()))
      // Without issues, every declared part contains the output of its schema. A part that is not declared is
      // undefined, but its type is an object without known properties, so a handler cannot read one.
      const proceed = () =>
        issues.length > 0 ? invalid(issues) : handle(input as Input<Params, Query, Body>, request)
      if (body === undefined) return proceed()

      return readJson(c).then((read) => {
        if (typeof read === 'string') return errorResponse(HTTP_ERRORS[read])
        if ('issue' in read) issues.push(read.issue)
        else input.body = validate('body', body, read.json, issues)
        return proceed()
      })
    },
    pathIds: (request) => validIds(params, request),
  }
}

/** Returns whether the endpoint can respond with 422. A path parameter that accepts any string never causes a 422. */
export const canBeInvalid = ({ params, query, body }: Declaration): boolean =>
  query !== undefined || body !== undefined || Object.values(params?.shape ?? {}).some(hasRule)

const hasRule = (schema: unknown) => !(schema instanceof z.ZodString) || (schema.def.checks ?? []).length > 0

/** Returns the output of the schema. For invalid input, adds to `issues` and returns undefined. */
function validate(location: Location, schema: z.ZodType, input: unknown, issues: ValidationIssue[]): unknown {
  const result = schema.safeParse(input)
  if (!result.success) issues.push(...toIssues(location, input, result.error))
  return result.data
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
