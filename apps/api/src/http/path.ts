import { getPath } from 'hono/utils/url'

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
  if (target === undefined) return getPath(request) // no server: a test calls the app
  const [path = ''] = target.replace(/^https?:\/\/[^/?]*/, '').split('?', 1)
  return NORMALIZED.test(path) ? '*' : path || '/'
}
