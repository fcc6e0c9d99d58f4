import type { Context, Hono, HonoRequest } from 'hono'
import { getPath } from 'hono/utils/url'
import type { Logger } from 'pino'
import { createUuidv7 } from 'typed-id'
import type { MaybePromise } from '../database/maybe-promise.ts'
import { OverloadError } from '../errors.ts'
import { isFromOtherOrigin } from './cross-origin.ts'
import { HTTP_ERRORS } from './errors.ts'
import { type AppEnv, headerOf } from './request.ts'
import {
  COMMON_HEADERS,
  type EndpointResponse,
  errorResponse,
  responseToThrown,
  streamResponse,
} from './response.ts'
import { loggableLocs } from './validation.ts'

/** The methods that an endpoint can have. Hono serves HEAD wherever there is GET. */
export const METHODS = ['get', 'post', 'patch', 'delete'] as const

export type Method = (typeof METHODS)[number]

/** The methods that a client can use, in upper case as requests contain them. */
export const REQUEST_METHODS: readonly string[] = METHODS.flatMap((method) =>
  method === 'get' ? ['GET', 'HEAD'] : method.toUpperCase(),
)

/** The handler of one method of one path, such as '/users/{user_id}'. */
export interface Endpoint {
  readonly method: Method
  readonly path: string
  handle(context: Context<AppEnv>): MaybePromise<EndpointResponse>
  /** Returns the valid ids in the path, by parameter name. The rest of a path must not be logged. */
  pathIds?(request: HonoRequest): Readonly<Record<string, string>>
  /** Whether the endpoint writes its own log lines, because its requests are frequent and similar. */
  readonly isHealthCheck?: boolean
}

/** A request whose response is about to be sent. */
export interface CompletedRequest {
  readonly method: string
  /** The path as declared, null when no endpoint matches. */
  readonly route: string | null
  readonly status: number
  /** Time until the response starts, in milliseconds. */
  readonly ms: number
}

/** Called for every request, in addition to the log. */
export type OnResponse = (request: CompletedRequest) => void

export interface MountOptions {
  readonly log: Logger
  readonly observers?: readonly OnResponse[] | undefined
  /** Origins whose pages may call the service from a browser, or `*` for all. Without the option, no page of another origin may. */
  readonly corsOrigins?: readonly string[] | undefined
}

/** The part of an endpoint that a response needs. The path is null when no endpoint matches. */
type Target = Pick<Endpoint, 'handle' | 'pathIds' | 'isHealthCheck'> & { readonly path: string | null }

const NOT_FOUND: Target = { path: null, handle: () => errorResponse(HTTP_ERRORS.not_found) }

/** Registers the endpoints, and the 404 and 405 responses for all other requests. */
export function mount(app: Hono<AppEnv>, endpoints: readonly Endpoint[], options: MountOptions): void {
  for (const endpoint of endpoints.map((endpoint) => rejectOtherOrigins(endpoint, options))) {
    const honoPath = endpoint.path.replace(/\{(\w+)\}/g, ':$1')
    app.on(endpoint.method, honoPath, (c) => respond(c, options, endpoint))
  }
  app.notFound((c) => {
    // Checks the methods only when no route matched, because a handler for every path would disable Hono's fast router.
    const allowed = METHODS.map((method) => method.toUpperCase()).filter((method) =>
      hasEndpoint(app, method, c),
    )
    if (allowed.length === 0) return respond(c, options, NOT_FOUND)
    const allow = allowed.join(', ').replace('GET', 'GET, HEAD')
    return respond(c, options, {
      path: null,
      handle: () => errorResponse(HTTP_ERRORS.method_not_allowed, { allow }),
    })
  })
}

/** Wraps an endpoint that changes something, so that it rejects requests of pages of other origins. */
function rejectOtherOrigins(endpoint: Endpoint, { corsOrigins }: MountOptions): Endpoint {
  if (endpoint.method === 'get') return endpoint
  return {
    ...endpoint,
    handle: (c) =>
      isFromOtherOrigin(c, corsOrigins) ? errorResponse(HTTP_ERRORS.other_origin) : endpoint.handle(c),
  }
}

function hasEndpoint(app: Hono<AppEnv>, method: string, c: Context<AppEnv>): boolean {
  const [matches] = app.router.match(method, c.req.path)
  return matches.some(([[, route]]) => route.method === method)
}

/** Client errors that an operator may have to explain. A 404, for example, is frequent and needs no explanation. */
const WARNINGS = new Set([400, 403, 413, 415, 422])

/** A request that is being processed. */
interface RunningRequest {
  readonly c: Context<AppEnv>
  readonly endpoint: Target
  readonly options: MountOptions
  readonly id: string
  /** The time of its start, in milliseconds. */
  readonly started: number
}

/**
 * Handles one request and logs one line. Creates functions only when the response is a promise. Closures, Hono's lookup of
 * the header and the rules for paths that are not plain took 9 % of the processor time of GET /users/{id} together,
 * measured for the whole server.
 */
function respond(c: Context<AppEnv>, options: MountOptions, endpoint: Target): MaybePromise<Response> {
  const id = requestIdFrom(headerOf(c, 'x-request-id'))
  const request = { c, endpoint, options, id, started: performance.now() }
  // Does not wrap an available response, such as a 422, in a promise, so that node-server writes it at once.
  try {
    const rejection = c.env?.rejection
    const response = rejection ? errorResponse(rejection) : endpoint.handle(c)
    if (!(response instanceof Promise)) return complete(request, response)
    return response.then(
      (response) => complete(request, response),
      (error) => completeThrown(request, error),
    )
  } catch (error) {
    return completeThrown(request, error)
  }
}

function complete(request: RunningRequest, response: EndpointResponse, cause?: { err: unknown }): Response {
  const { endpoint, id: request_id } = request
  const { log, observers = [] } = request.options
  const { status, body } = response
  const level = cause ? 'error' : endpoint.isHealthCheck ? 'debug' : WARNINGS.has(status) ? 'warn' : 'info'
  if (observers.length > 0 || log.isLevelEnabled(level)) report(request, response, level, cause)
  // Passes headers with the body: set afterwards, they would cost node-server's fast path two thirds of its
  // throughput.
  const headers = { ...COMMON_HEADERS, 'x-request-id': request_id, ...response.headers }
  if (body === null || typeof body === 'string' || body instanceof Uint8Array)
    return new Response(body, { status, headers })
  const onError = (error: unknown) =>
    log.error(
      { method: request.c.req.method, route: endpoint.path, request_id, err: error },
      'response aborted',
    )
  return new Response(streamResponse(body, onError), { status, headers })
}

const completeThrown = (request: RunningRequest, error: unknown): Response =>
  complete(request, responseToThrown(error), error instanceof OverloadError ? undefined : { err: error })

/**
 * Logs a response and passes it to the observers. The line has the route instead of the path, which can contain
 * anything. When the request fails, the line also has the valid ids of the path and the locations of what is invalid.
 */
function report(
  { c, endpoint, options: { log, observers = [] }, id: request_id, started }: RunningRequest,
  response: EndpointResponse,
  level: 'error' | 'warn' | 'info' | 'debug',
  cause?: { err: unknown },
): void {
  const { status } = response
  const ms = Math.round((performance.now() - started) * 1000) / 1000
  const completed = { method: c.req.method, route: endpoint.path, status, ms, request_id }
  // Collects the details only for a written line, because they take longer than the rest of a rejection.
  const details = () => ({ ...completed, ...idsOf(endpoint, c.req), ...locsOf(response) })
  if (level === 'error') log.error({ ...details(), ...cause }, 'request failed')
  else if (level === 'debug') log.debug(completed, 'request completed')
  else if (level === 'info') log.info(completed, 'request completed')
  else if (log.isLevelEnabled('warn')) log.warn(details(), 'request failed')
  for (const observe of observers) observe(completed)
}

function idsOf({ pathIds }: Target, request: HonoRequest) {
  const ids = pathIds?.(request) ?? {}
  return Object.keys(ids).length > 0 && { ids }
}

const locsOf = ({ issues }: EndpointResponse) => issues && { locs: loggableLocs(issues) }

const uuid = createUuidv7()

/** Returns the client's request id when it is short and safe to log, otherwise a new one. */
const requestIdFrom = (header: string | undefined): string =>
  header !== undefined && /^[\w.:-]{1,64}$/.test(header) ? header : uuid()

/** Matches most targets without a query, for which the rules below would find nothing to change. */
const PLAIN = /^(?:\/[\w-]+)+$/

/** Segments that a URL parser would resolve, and backslashes, which it would read as slashes. */
const NORMALIZED = /\\|\/(?:\.|%2e){1,2}(?:\/|$)/i

/**
 * Returns the path by which Hono finds the route of a request: the request target as received, without host and query.
 * Hono's own function normalizes the path, so `/users/../roles` and `/%72oles` would reach `/roles` past a proxy's rule
 * for `/roles`. Parameters may be percent-encoded: Hono decodes them after it has found the route. A path that URL
 * parsers would change becomes `*`, which no route has.
 */
export function pathOf(
  request: Request,
  options?: { env?: { incoming?: { url?: string | undefined } } },
): string {
  const target = options?.env?.incoming?.url
  if (target === undefined) return getPath(request) // without a server, when a test calls the app
  if (PLAIN.test(target)) return target
  const [path = ''] = target.replace(/^https?:\/\/[^/?]*/, '').split('?', 1)
  return NORMALIZED.test(path) ? '*' : path || '/'
}
