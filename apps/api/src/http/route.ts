import type { HonoRequest } from 'hono'
import type { z } from 'zod'
import { readJson } from './body.ts'
import type { ErrorCode } from './errors.ts'
import type { Endpoint } from './mount.ts'
import { empty, invalid, json, problem, type Reply } from './reply.ts'
import { issuesOf, type Location, type ValidationIssue } from './validation.ts'

/** The names in braces: 'user_id' of '/users/{user_id}'. */
type PathNames<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? Name | PathNames<Rest>
  : never

interface Documentation {
  /** The operation's id in the OpenAPI document. */
  readonly id: string
  readonly tag: string
  readonly summary: string
  readonly description?: string
}

/** Documents a response header. */
export const responseHeader = (description: string, example: string) => ({
  description,
  schema: { type: 'string' as const, example },
})

interface Success<Body extends z.ZodType> {
  readonly status: 200 | 201 | 204
  readonly description: string
  readonly body?: Body
  /** Response headers by name, with what they tell, beside those that every answer carries. */
  readonly headers?: Readonly<Record<string, ReturnType<typeof responseHeader>>>
}

/** One endpoint, declared once: what it validates, what it documents and what its handler may answer follow from this. */
export interface Declaration<
  Path extends string = string,
  Params extends z.ZodObject = z.ZodObject,
  Query extends z.ZodObject = z.ZodObject,
  Body extends z.ZodObject = z.ZodObject,
  Answer extends z.ZodType = z.ZodType,
  Code extends ErrorCode = ErrorCode,
> extends Documentation {
  readonly method: Endpoint['method']
  readonly path: Path
  readonly params?: Params & z.ZodObject<Record<PathNames<Path>, z.ZodType>>
  readonly query?: Query
  readonly body?: Body
  /** Set where the schemas take everything and the handler says what is wrong with it: there is no 422 then. */
  readonly takesAnything?: true
  readonly success: Success<Answer>
  readonly errors?: readonly Code[]
}

export interface Input<Params extends z.ZodObject, Query extends z.ZodObject, Body extends z.ZodObject> {
  readonly params: z.output<Params>
  readonly query: z.output<Query>
  readonly body: z.output<Body>
}

/** An endpoint with what it is documented by. */
export interface Route extends Endpoint {
  readonly declaration: Declaration
}

/**
 * An endpoint whose handler answers the declared body, or the code of a declared error.
 *
 * @example
 * route(
 *   { method: 'get', path: '/teams/{team_id}', params: z.object({ team_id: idSchema(TeamId) }),
 *     success: { status: 200, body: TeamResponse, … }, errors: ['team_not_found'], … },
 *   async ({ params }) => (await findTeam(db, params.team_id)) ?? 'team_not_found',
 * )
 */
export function route<
  Path extends string,
  Answer extends z.ZodType = z.ZodUndefined,
  Params extends z.ZodObject = z.ZodObject,
  Query extends z.ZodObject = z.ZodObject,
  Body extends z.ZodObject = z.ZodObject,
  const Code extends ErrorCode = never,
>(
  declaration: Declaration<Path, Params, Query, Body, Answer, Code>,
  handle: (input: Input<Params, Query, Body>) => Promise<z.output<Answer> | NoInfer<Code>>,
): Route {
  const { status } = declaration.success
  const toReply = (answer: z.output<Answer> | Code) => {
    if (typeof answer === 'string') return problem(answer as Code)
    return answer === undefined ? empty(status) : json(status, answer)
  }
  return rawRoute(declaration, (input: Input<Params, Query, Body>) => handle(input).then(toReply))
}

/** An endpoint whose handler makes the reply itself, to set headers or to stream. */
export function rawRoute<Params extends z.ZodObject, Query extends z.ZodObject, Body extends z.ZodObject>(
  declaration: Declaration<string, Params, Query, Body>,
  handle: (input: Input<Params, Query, Body>, request: HonoRequest) => Promise<Reply>,
): Route {
  const { method, path, params, query, body } = declaration
  return {
    method,
    path,
    declaration: declaration as unknown as Declaration,
    answer(request) {
      const issues: ValidationIssue[] = []
      const input = {
        params: params && valid('path', params, request.param(), issues),
        query: query && valid('query', query, request.query(), issues),
        body: undefined as unknown,
      }
      const proceed = () =>
        issues.length > 0 ? invalid(issues) : handle(input as Input<Params, Query, Body>, request)
      if (body === undefined) return proceed()

      return readJson(request).then((read) => {
        if (read === 'too_large') return problem(read)
        if ('issue' in read) issues.push(read.issue)
        else input.body = valid('body', body, read.json, issues)
        return proceed()
      })
    },
  }
}

/** What the schema makes of the input, or undefined and what is wrong with it among the issues. */
function valid(location: Location, schema: z.ZodType, input: unknown, issues: ValidationIssue[]): unknown {
  const result = schema.safeParse(input)
  if (!result.success) issues.push(...issuesOf(location, input, result.error))
  return result.data
}
