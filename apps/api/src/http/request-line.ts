import type { AppEnv } from './app-env.ts'

/** The methods that a client can use. Hono serves HEAD wherever there is GET. */
export const METHODS = ['GET', 'HEAD', 'POST', 'PATCH', 'DELETE']

/** The methods by which a request can change something. */
export const UNSAFE_METHODS = ['POST', 'PUT', 'PATCH', 'DELETE']

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
  options?: { env?: AppEnv['Bindings'] },
): string {
  const target = options?.env?.incoming?.url ?? url
  return target.replace(/^https?:\/\/[^/?]*/, '').split('?', 1)[0] || '/'
}
