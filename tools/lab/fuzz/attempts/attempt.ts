import type { Operation } from 'testkit/document.ts'
import { asFetch, type Request } from 'testkit/requests.ts'

/** Bytes that are sent on a new connection, as a string with one character per byte. */
export interface Attempt {
  readonly kind: string
  readonly bytes: string
  /** The method, if the bytes are one complete request, which gets exactly one response. Otherwise undefined. */
  readonly method?: string
  /** The id of a request that is hidden in the bytes. */
  readonly hidden?: string
  /** The operation that must respond, unless the HTTP server rejects the request. */
  readonly operation?: Operation
  /** The sent values, if the OpenAPI document decides whether they are valid. */
  readonly request?: Request
  /** The path of `request`, with its parameters. */
  readonly path?: string
}

/** A request that follows the bytes of every attempt. Its response shows that the server read the bytes as intended. */
export const CANARY = 'GET /healthz HTTP/1.1\r\nHost: x\r\nX-Request-Id: canary\r\nConnection: close\r\n\r\n'

/** The name of a record that a hidden request would create, and the beginning of that request's id in the log. */
export const HIDDEN = 'smuggled'

/** Returns the method at the start of the bytes. */
export const methodOf = ({ bytes }: Pick<Attempt, 'bytes'>): string | undefined => /^[A-Z]+/.exec(bytes)?.[0]

/** Encodes a string as UTF-8. Returns the bytes as a string with one character per byte. */
export const toBytes = (text: string): string => Buffer.from(text, 'utf8').toString('latin1')

/** Formats one request, with a Content-Length if it has a body. */
export function formatRaw(
  method: string,
  target: string,
  headers: readonly string[] = [],
  body?: string,
): string {
  const length = body === undefined ? [] : [`Content-Length: ${body.length}`]
  const lines = [`${method} ${target} HTTP/1.1`, 'Host: x', ...length, ...headers]
  return `${lines.join('\r\n')}\r\n\r\n${body ?? ''}`
}

/** Returns an attempt to send a request to an operation. `body` replaces the bytes of its body. */
export function toAttempt(
  kind: string,
  operation: Operation,
  request: Request,
  { headers = [], body }: { headers?: readonly string[]; body?: string } = {},
): Attempt & { readonly method: string; readonly operation: Operation } {
  const [path, { method }] = asFetch(operation, request)
  const type = request.body ? [`Content-Type: ${request.body.type}`] : []
  const encoding = request.body?.encoding ? [`Content-Encoding: ${request.body.encoding}`] : []
  const bytes = body ?? (request.body && toBytes(request.body.text))
  const all = [...type, ...encoding, 'X-Request-Id: attempt', ...headers]
  return { kind, method, operation, request, path, bytes: formatRaw(method, toBytes(path), all, bytes) }
}
