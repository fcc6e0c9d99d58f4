import type { Context, Handler, HonoRequest, TypedResponse } from 'hono'
import type { RouterRoute } from 'hono/types'
import type { JSONParsed } from 'hono/utils/types'
import type { z } from 'zod'
import type { AppEnv } from './app-env.ts'
import { readJson } from './body.ts'
import { Failure, type FailureResponse, fail } from './failures.ts'
import {
  type HTTPValidationError,
  type Location,
  toIssues,
  type ValidationIssue,
} from './validation.ts'

/**
 * What an endpoint accepts and how it responds. Validation, the OpenAPI
 * document, and the types of the handler and of clients are derived from it.
 */
export interface Declaration {
  readonly id: string
  readonly tag: string
  readonly summary: string
  readonly description?: string | undefined
  /** The schemas of the outputs of `c.req.valid('param' | 'query' | 'json')`. */
  readonly param?: z.ZodObject | undefined
  readonly query?: z.ZodObject | undefined
  readonly json?: z.ZodObject | undefined
  readonly success: {
    readonly status: 200 | 201 | 204
    readonly description: string
    readonly body?: z.ZodType
    /** Examples of response headers that only this endpoint sends. */
    readonly headers?: Readonly<Record<string, string>>
  }
  readonly errors?: readonly Failure[] | undefined
}

type Inputs = Pick<Declaration, 'param' | 'query' | 'json'>

/**
 * Hono's type of the input of an endpoint: `in` is what `hc` sends, `out` is
 * what `c.req.valid` returns. Reading a property of a literal makes the compiler
 * show the result instead of the expression.
 */
type InputOf<D extends Inputs> = {
  resolved: {
    in: { [T in keyof D & keyof Inputs]: z.input<NonNullable<D[T]>> }
    out: { [T in keyof D & keyof Inputs]: z.output<NonNullable<D[T]>> }
  }
}['resolved']

type SuccessOf<S extends Declaration['success']> = S extends {
  body: z.ZodType
}
  ? TypedResponse<z.output<S['body']>, S['status'], 'json'>
  : TypedResponse<null, S['status'], 'body'>

/** The declared errors with which a handler may respond. */
export type ErrorsOf<D extends Pick<Declaration, 'errors'>> =
  D['errors'] extends readonly (infer F extends Failure)[]
    ? FailureResponse<F>
    : never

type InvalidOf<D extends Inputs> = [keyof D & keyof Inputs] extends [never]
  ? never
  : TypedResponse<z.output<typeof HTTPValidationError>, 422, 'json'>

/** Errors of HTTP that every endpoint can respond with. */
type HttpError = TypedResponse<
  { detail: string },
  403 | 413 | 415 | 500 | 503,
  'json'
>

/** The handler that `endpoint` returns. It can be registered for any path. */
export type EndpointHandler<D extends Declaration> = Handler<
  AppEnv,
  // biome-ignore lint/suspicious/noExplicitAny: Hono's type of any path.
  any,
  InputOf<D>,
  Promise<
    {
      resolved: SuccessOf<D['success']> | ErrorsOf<D> | InvalidOf<D> | HttpError
    }['resolved']
  >
>

/**
 * The paths of fields in the type `Value`, at any depth, that the type
 * `Declared` lacks.
 */
type Undeclared<Value, Declared> = Value extends
  | string
  | number
  | boolean
  | null
  | undefined
  ? never
  : Value extends readonly (infer V)[]
    ? Extract<Declared, readonly unknown[]> extends readonly (infer D)[]
      ? Undeclared<V, D>
      : never
    : {
        [K in keyof Value]: K extends FieldsOf<Declared>
          ? Undeclared<Value[K], Extract<Declared, { [P in K]?: unknown }>[K]>
          : K
      }[keyof Value]

type FieldsOf<T> = T extends unknown ? keyof T : never

/** Fails to compile when a value has a field that is not declared. */
export type NoUndeclared<Value, Declared> = [
  Undeclared<Value, Declared>,
] extends [never]
  ? unknown
  : { undeclaredField: Undeclared<Value, Declared> }

/** The type of the body of the successful response among the responses `R`. */
type BodyOf<R, S extends Declaration['success']> =
  R extends TypedResponse<infer Body, S['status'], string> ? Body : never

export type EndpointContext<D extends Inputs> = Context<
  AppEnv,
  // biome-ignore lint/suspicious/noExplicitAny: Hono's type of any path.
  any,
  InputOf<D>
>

/**
 * Creates a Hono handler that validates path, query and body, and responds 422
 * with all issues, or calls `handler`, whose `c.req.valid` returns the outputs
 * of the schemas. A status, an error or a field of a body that is not declared
 * does not compile.
 *
 * @example
 * new Hono<AppEnv>().get('/teams/:team_id', endpoint(
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
): EndpointHandler<D> {
  const { param, query, json } = declaration
  async function handle(c: Context<AppEnv>): Promise<unknown> {
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
      if (body instanceof Failure) return fail(c, body)
      if ('issue' in body) issues.push(body.issue)
      else validate('json', 'body', json, body.json)
    }
    if (issues.length === 0) return handler(c as never)
    c.env.exchange.issues = issues
    return c.json({ detail: issues }, 422)
  }
  // The cast: Hono's types cannot express a handler for any path.
  return Object.assign(handle, { [DECLARATION]: declaration }) as never
}

/**
 * Responds 201 with the URL of what was created in the header `Location`.
 * Avoids `c.json()`, whose second object of headers takes 7 % of POST /teams.
 *
 * @example
 * return created(team, `teams/${team.id}`)
 */
export const created = <T extends object>(body: T, location: string) =>
  new Response(JSON.stringify(body), {
    status: 201,
    headers: { 'content-type': 'application/json', location },
  }) as Response & TypedResponse<JSONParsed<T>, 201, 'json'>

const DECLARATION = Symbol('declaration')

export interface DeclaredRoute {
  readonly method: 'get' | 'post' | 'patch' | 'delete'
  /** The path in the syntax of OpenAPI: `/users/{user_id}`. */
  readonly path: string
  readonly declaration: Declaration
}

/**
 * Returns the endpoints of an app in the order of its routes.
 *
 * @throws TypeError when the handler of a route is not an `endpoint()`, or its
 * `param` has other names than the path.
 */
export const declaredRoutes = (
  routes: readonly RouterRoute[],
): DeclaredRoute[] =>
  routes
    // Hono registers middleware under the method ALL.
    .filter(({ method }) => method !== 'ALL')
    .map(({ method, path, handler }) => {
      const { [DECLARATION]: declaration } = handler as {
        [DECLARATION]?: Declaration
      }
      if (declaration === undefined)
        throw new TypeError(
          `${method} ${path}: its handler is not an endpoint()`,
        )
      const names = [...path.matchAll(/:(\w+)/g)].map(([, name]) => name)
      const declared = Object.keys(declaration.param?.shape ?? {})
      if (`${names.toSorted()}` !== `${declared.toSorted()}`)
        throw new TypeError(
          `${method} ${path}: expected param to have [${names}], received [${declared}]`,
        )
      return {
        method: method.toLowerCase() as DeclaredRoute['method'],
        path: openApiPath(path),
        declaration,
      }
    })

export const openApiPath = (path: string): string =>
  path.replace(/:(\w+)/g, '{$1}')

/**
 * Returns the query parameters. The value of a repeated parameter is an array,
 * which no schema accepts.
 */
function queryOf(req: HonoRequest): Record<string, unknown> {
  const all = Object.entries(req.queries())
  return Object.fromEntries(
    all.map(([name, values]) => [name, values.length > 1 ? values : values[0]]),
  )
}
