import type { IncomingMessage } from 'node:http'
import type { AppEnv } from '../http/app-env.ts'

export const METHODS = ['GET', 'HEAD', 'POST', 'PATCH', 'DELETE']

export const UNSAFE_METHODS = ['POST', 'PUT', 'PATCH', 'DELETE']

/** Stands for the request target `*`, because Hono needs a path. */
export const SERVER = '/*'

const ABSOLUTE_FORM = /^https?:\/\/([^/?#]*)(.*)$/is

const ORIGIN_FORM = /^(?:\*$|\/[^\\?]*(?:\?|$))/

/** Matches an authority (RFC 3986, section 3.2), whose port may be empty. */
const AUTHORITY = /^([\w.~!$&'()*+;=-]+|\[[\da-f:.]+\])(?::(\d*))?$/i

function normalizeAuthority(text: string): string | undefined {
  const [, name = '', port = ''] = AUTHORITY.exec(text) ?? []
  const url = name && URL.parse(`http://${name}:${port}`)
  return url ? url.hostname + (port && `:${port}`) : undefined
}

/**
 * Normalizes Host, and splits a target in absolute form (RFC 9112, section
 * 3.2.2) into Host and path. Returns false if Host or the target is invalid, or
 * if an HTTP/1.1 request lacks Host.
 */
export function normalizeTarget(request: IncomingMessage): boolean {
  const { headers, httpVersion, url = '' } = request
  const { host } = headers
  if (host === undefined && httpVersion !== '1.0') return false
  const [, target, rest = ''] = ABSOLUTE_FORM.exec(url) ?? []
  for (const authority of [host, target])
    if (authority) {
      headers.host = normalizeAuthority(authority)
      if (headers.host === undefined) return false
    }
  if (target !== undefined) request.url = rest.replace(/^(?!\/)/, '/')
  return target !== '' && ORIGIN_FORM.test(request.url ?? '')
}

/**
 * Returns the path as the client sent it. Hono's own function would normalize
 * the path, so that `/users/../roles` would bypass the rules of a proxy.
 */
export function pathOf(
  { url }: Request,
  options?: { env?: AppEnv['Bindings'] },
): string {
  const target = options?.env?.incoming?.url ?? url
  return target.replace(/^https?:\/\/[^/?]*/, '').split('?', 1)[0] || '/'
}
