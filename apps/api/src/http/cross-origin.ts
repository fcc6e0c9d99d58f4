import type { Context } from 'hono'
import { type AppEnv, headerOf } from './env.ts'

/**
 * Returns whether a page of another origin has sent a request. Browsers send some requests without a preflight, for
 * example a POST without a body, so the service must reject these itself: CORS only keeps the page from reading the
 * response. Clients other than browsers send neither Origin nor Sec-Fetch-Site.
 *
 * @param allowed The origins that may call the service, or `*`.
 */
export function isFromOtherOrigin(c: Context<AppEnv>, allowed: readonly string[] = []): boolean {
  const origin = headerOf(c, 'origin')
  if (allowed.includes('*') || (origin !== undefined && allowed.includes(origin))) return false
  // Browsers send it to https:// URLs and to this machine. Unlike Origin, it does not depend on the Host of a proxy.
  const site = headerOf(c, 'sec-fetch-site')
  if (site !== undefined) return site !== 'same-origin' && site !== 'none'
  return origin !== undefined && !isOriginOf(origin, headerOf(c, 'host') ?? '')
}

/** Returns whether an origin has the host and port of a Host header. Behind a TLS proxy, the scheme is unknown. */
function isOriginOf(origin: string, host: string): boolean {
  if (!URL.canParse(origin)) return false // the Origin of a sandboxed page is 'null'
  const { protocol, host: expected } = new URL(origin)
  const received = `${protocol}//${host}` // `new URL` removes the default port of the scheme, as in the origin
  return URL.canParse(received) && new URL(received).host === expected
}
