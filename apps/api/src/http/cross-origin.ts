import type { HonoRequest } from 'hono'

/**
 * Returns whether a page of another origin has sent a request. Browsers send some requests without a preflight, for
 * example a POST without a body, so the service must not execute what it only keeps the page from reading. Clients other
 * than browsers send neither header.
 *
 * @param allowed The origins that may call the service, or `*`.
 */
export function isFromOtherOrigin(request: HonoRequest, allowed: readonly string[] = []): boolean {
  const origin = request.header('origin')
  if (allowed.includes('*') || (origin !== undefined && allowed.includes(origin))) return false
  // Sent to https:// and to the same machine. Unlike Origin, it does not depend on the Host that a proxy passes on.
  const site = request.header('sec-fetch-site')
  if (site !== undefined) return site !== 'same-origin' && site !== 'none'
  return origin !== undefined && !isOriginOf(origin, request.header('host') ?? '')
}

/** Returns whether an origin has the host and port of a Host header. The scheme is unknown behind a proxy with TLS. */
function isOriginOf(origin: string, host: string): boolean {
  if (!URL.canParse(origin)) return false // 'null' of a sandboxed page
  const { protocol, host: expected } = new URL(origin)
  const received = `${protocol}//${host}` // without the default port of the scheme, as in the origin
  return URL.canParse(received) && new URL(received).host === expected
}
