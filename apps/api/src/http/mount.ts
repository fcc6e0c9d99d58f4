import type { Context, Hono } from 'hono'
import { getPath } from 'hono/utils/url'
import { isUnavailable } from '../database/errors.ts'
import { isFromOtherOrigin } from './cross-origin.ts'
import { type AppEnv, type Endpoint, METHODS, REQUEST_METHODS } from './env.ts'
import { HTTP_ERRORS } from './errors.ts'
import { errorResponse, respond } from './response.ts'

/** Registers the endpoints, and the responses to all other requests and to errors. */
export function mount(
  app: Hono<AppEnv>,
  endpoints: readonly Endpoint[],
  corsOrigins: readonly string[] | undefined,
): void {
  for (const endpoint of endpoints) {
    const honoPath = endpoint.path.replace(/\{(\w+)\}/g, ':$1')
    const changesSomething = endpoint.method !== 'get'
    app.on(endpoint.method, honoPath, (c) => {
      const { exchange, rejection } = c.env
      exchange.endpoint = endpoint
      exchange.request = c.req
      if (rejection) return errorResponse(c, rejection)
      if (changesSomething && isFromOtherOrigin(c, corsOrigins))
        return errorResponse(c, HTTP_ERRORS.other_origin)
      return endpoint.handle(c)
    })
  }
  app.notFound((c) => {
    const { rejection, incoming } = c.env
    if (rejection) return errorResponse(c, rejection)
    // RFC 9110, section 9.3.7: `OPTIONS *` asks for the options of the whole server.
    if (c.req.method === 'OPTIONS' && incoming?.url === SERVER)
      return respond(c, 204, null, { allow: ALL_METHODS })
    // Checks the methods only when no route matched, because a handler for every path would disable Hono's fast router.
    const allowed = METHODS.map((method) => method.toUpperCase()).filter((method) =>
      hasEndpoint(app, method, c),
    )
    if (allowed.length === 0) return errorResponse(c, HTTP_ERRORS.not_found)
    return errorResponse(c, HTTP_ERRORS.method_not_allowed, {
      allow: allowed.join(', ').replace('GET', 'GET, HEAD'),
    })
  })
  app.onError((error, c) => {
    c.env.exchange.error = error // the log has the cause, the client does not receive it
    return errorResponse(c, isUnavailable(error) ? HTTP_ERRORS.unavailable : HTTP_ERRORS.internal)
  })
}

const ALL_METHODS = REQUEST_METHODS.join(', ')

function hasEndpoint(app: Hono<AppEnv>, method: string, c: Context<AppEnv>): boolean {
  const [matches] = app.router.match(method, c.req.path)
  return matches.some(([[, route]]) => route.method === method)
}

/** The request target `*` as the server passes it on, because URLs need a path. */
export const SERVER = '/*'

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
