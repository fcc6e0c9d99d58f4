import { randomUUID } from 'node:crypto'
import type { Context, Hono, HonoRequest } from 'hono'
import type { Logger } from 'pino'
import { OverloadError } from '../errors.ts'
import type { ErrorCode } from './errors.ts'
import { METHODS, type Method } from './methods.ts'
import { type EndpointResponse, errorResponse, responseToThrown } from './response.ts'
import { streamResponse } from './stream-response.ts'

/** The handler of one method of one path, such as '/users/{user_id}'. */
export interface Endpoint {
  readonly method: Method
  readonly path: string
  handle(request: HonoRequest): Promise<EndpointResponse> | EndpointResponse
}

/** What the server passes to the app with each request. */
export interface AppEnv {
  Bindings: {
    /** Set when the server rejects the request: the app responds with this error and does not run the endpoint. */
    readonly rejection?: ErrorCode
  }
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

export interface Observers {
  readonly log: Logger
  readonly onResponse?: OnResponse | undefined
}

/** Registers the endpoints, and the 404 and 405 responses for all other requests. */
export function mount(app: Hono<AppEnv>, endpoints: readonly Endpoint[], observers: Observers): void {
  for (const { method, path, handle } of endpoints) {
    const honoPath = path.replace(/\{(\w+)\}/g, ':$1')
    app.on(method, honoPath, (c) => respond(c, observers, path, handle))
  }
  app.notFound((c) => {
    // Checked only when no route matched: a handler for every path would keep Hono from its fast router.
    const allowed = METHODS.map((method) => method.toUpperCase()).filter((method) =>
      hasEndpoint(app, method, c.req.path),
    )
    if (allowed.length === 0) return respond(c, observers, null, () => errorResponse('not_found'))
    const allow = allowed.join(', ').replace('GET', 'GET, HEAD')
    return respond(c, observers, null, () => errorResponse('method_not_allowed', { allow }))
  })
}

function hasEndpoint(app: Hono<AppEnv>, method: string, path: string): boolean {
  const [matches] = app.router.match(method, path)
  return matches.some(([[, route]]) => route.method === method)
}

/** Handles one request and logs one line. The line has the route instead of the path, which can contain anything. */
async function respond(
  c: Context<AppEnv>,
  { log, onResponse }: Observers,
  route: string | null,
  handle: Endpoint['handle'],
): Promise<Response> {
  const started = performance.now()
  const request_id = requestIdFrom(c.req.header('x-request-id'))
  let response: EndpointResponse
  try {
    // Without a server, as in a test, there is no environment.
    const rejection = c.env?.rejection
    response = rejection ? errorResponse(rejection) : await handle(c.req)
  } catch (error) {
    if (!(error instanceof OverloadError)) log.error({ err: error, request_id }, 'request failed')
    response = responseToThrown(error)
  }
  const { status, body } = response
  const ms = Math.round((performance.now() - started) * 1000) / 1000
  const completed = { method: c.req.method, route, status, ms, request_id }
  log.info(completed, 'request completed')
  onResponse?.(completed)
  // Headers are passed with the body: set afterwards, they cost node-server's fast path two thirds of its throughput.
  const headers = { 'cache-control': 'no-store', 'x-request-id': request_id, ...response.headers }
  if (body === null || typeof body === 'string' || body instanceof Uint8Array) {
    return new Response(body, { status, headers })
  }
  const onError = (error: unknown) => log.error({ err: error, request_id }, 'response aborted')
  return new Response(streamResponse(body, onError), { status, headers })
}

/** Returns the client's request id when it is short and safe to log, else a new one. */
const requestIdFrom = (header = '') => (/^[\w.:-]{1,64}$/.test(header) ? header : randomUUID())
