import type { Context, MiddlewareHandler } from 'hono'
import { fail, HTTP_ERRORS } from './failures.ts'

/**
 * CORS does not block requests without a preflight, such as a POST without a
 * body, so this middleware rejects requests of other origins. Clients such as
 * curl send no Origin and are accepted.
 */
export const rejectOtherOrigins =
  (allowed: readonly string[] = []): MiddlewareHandler =>
  async (c, next) =>
    isFromOtherOrigin(c, allowed) ? fail(c, HTTP_ERRORS.other_origin) : next()

function isFromOtherOrigin(
  { req }: Context,
  allowed: readonly string[],
): boolean {
  const origin = req.header('origin')
  if (
    allowed.includes('*') ||
    (origin !== undefined && allowed.includes(origin))
  )
    return false
  // Prefers Sec-Fetch-Site to Host, which a proxy can change. Browsers send
  // Sec-Fetch-Site only to https:// URLs and localhost, so otherwise compares
  // Origin with Host.
  const site = req.header('sec-fetch-site')
  if (site !== undefined) return site !== 'same-origin' && site !== 'none'
  if (origin === undefined) return false
  const { protocol, host } = URL.parse(origin) ?? {}
  const own = new URL(req.url).host
  return (
    (protocol !== 'http:' && protocol !== 'https:') ||
    // Omits a default port from Host, as browsers omit it from Origin. Uses the
    // scheme of Origin, because a proxy can hide the scheme of the request.
    URL.parse(`${protocol}//${own}`)?.host !== host
  )
}
