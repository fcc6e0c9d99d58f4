import { getPath } from 'hono/utils/url'

/** A target that is its own normalised path, as that of nearly every request without a query is. */
const PLAIN = /^(?:\/[\w-]+)+$/

/** Returns the normalised path of a request, for Hono: its own way takes several times as long for a plain target. */
export function pathOf(
  request: Request,
  options?: { env?: { incoming?: { url?: string | undefined } } },
): string {
  const target = options?.env?.incoming?.url
  return target !== undefined && PLAIN.test(target) ? target : getPath(request)
}

/**
 * Returns whether a request target writes the literal segments of its route as declared. Servers normalise a path
 * before they match it, so `/users/../roles` and `/%72oles` would reach `/roles` past a proxy's rule for `/roles`.
 * Segments that are parameters may be percent-encoded.
 *
 * @param target The target as received, such as '/users?limit=5' or 'http://host/users'.
 * @param path The normalised and decoded path of the target, such as '/users'.
 * @param route The route that the path has matched, such as '/users/:user_id'.
 */
export function hasLiteralSegments(target: string, path: string, route: string): boolean {
  // Nearly every target is its own normalised path: one comparison, a third of the time that the segments take.
  if (target.startsWith(path) && (target.length === path.length || target[path.length] === '?')) return true

  const [rawPath = ''] = target.replace(/^https?:\/\/[^/?]*/, '').split('?', 1)
  const received = (rawPath || '/').split('/')
  const declared = route.split('/')
  return (
    received.length === declared.length &&
    declared.every((segment, n) => segment.startsWith(':') || segment === received[n])
  )
}
