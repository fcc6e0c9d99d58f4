import type { Context, Hono } from 'hono'
import { isUnavailable } from '../database/errors.ts'
import { OverloadError } from '../errors.ts'
import { type AppEnv, type Endpoint, METHODS } from './env.ts'
import { HTTP_ERRORS } from './errors.ts'
import { errorResponse, respond } from './response.ts'

/**
 * Registers the endpoints, and the responses to all other requests and to
 * errors.
 */
export function mount(
  app: Hono<AppEnv>,
  endpoints: readonly Endpoint[],
  corsOrigins: readonly string[] | undefined,
): void {
  for (const { method, path, handle } of endpoints)
    app.on(method, path.replace(/\{(\w+)\}/g, ':$1'), (c) => {
      c.env.exchange.route = path
      const isRejected = method !== 'get' && isFromOtherOrigin(c, corsOrigins)
      return isRejected ? errorResponse(c, HTTP_ERRORS.other_origin) : handle(c)
    })
  app.notFound((c) => {
    // RFC 9110, section 9.3.7: `OPTIONS *` asks for the options of the whole
    // server.
    if (c.req.method === 'OPTIONS' && c.req.path === SERVER)
      return respond(c, 204, null, { allow: METHODS.join(', ') })
    // Checks the methods only when no route matched, because a handler for
    // every path would disable Hono's fast router.
    const allowed = METHODS.filter((method) =>
      app.router
        .match(method, c.req.path)[0]
        .some(([[, route]]) => route.method === method),
    )
    if (allowed.length === 0) return errorResponse(c, HTTP_ERRORS.not_found)
    const allow = allowed.join(', ').replace('GET', 'GET, HEAD')
    return errorResponse(c, HTTP_ERRORS.method_not_allowed, { allow })
  })
  app.onError((error, c) => {
    // The log has the cause, the client does not receive it. Overload has no
    // cause to look for.
    if (!(error instanceof OverloadError)) c.env.exchange.error = error
    return errorResponse(
      c,
      isUnavailable(error) ? HTTP_ERRORS.unavailable : HTTP_ERRORS.internal,
    )
  })
}

/**
 * The request target `*` as the server passes it on, because URLs need a path.
 */
export const SERVER = '/*'

/**
 * Returns the path by which Hono finds the route of a request: the request
 * target as received, without host and query. Hono's own function normalizes
 * the path, so `/users/../roles` and `/%72oles` would reach `/roles` past a
 * proxy's rule for `/roles`. Parameters may be percent-encoded: Hono decodes
 * them after it has found the route.
 */
export function pathOf(
  { url }: Request,
  options?: { env?: Partial<AppEnv['Bindings']> },
): string {
  const target = options?.env?.incoming?.url ?? url
  return target.replace(/^https?:\/\/[^/?]*/, '').split('?', 1)[0] || '/'
}

/**
 * Returns whether a page of another origin has sent a request. Browsers send
 * some requests without a preflight, for example a POST without a body, so the
 * service must reject these itself: CORS only keeps the page from reading the
 * response. Clients other than browsers send neither Origin nor Sec-Fetch-Site.
 */
function isFromOtherOrigin(
  { req }: Context<AppEnv>,
  allowed: readonly string[] = [],
): boolean {
  const origin = req.header('origin')
  if (
    allowed.includes('*') ||
    (origin !== undefined && allowed.includes(origin))
  )
    return false
  // Browsers send it to https:// URLs and to this machine. Unlike Origin, it
  // does not depend on the Host of a proxy.
  const site = req.header('sec-fetch-site')
  if (site !== undefined) return site !== 'same-origin' && site !== 'none'
  return origin !== undefined && !origin.endsWith(`://${req.header('host')}`)
}
