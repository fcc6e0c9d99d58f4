import type { Operation } from '../../support/document.ts'
import { asFetch, type Request } from '../../support/requests.ts'

/** Bytes for one connection; texts hold one character a byte. */
export interface Attempt {
  readonly kind: string
  readonly bytes: string
  /** Of one whole request, which gets exactly one answer; undefined when it is anybody's guess what the bytes are. */
  readonly method?: string
  /** The id of a request that is hidden in it. */
  readonly hidden?: string
  /** The operation that must have answered, unless HTTP itself refused the request. */
  readonly operation?: Operation
  /** What the operation was sent, where the document tells whether it takes it. */
  readonly request?: Request
}

/** Part of every hostile text: no error and no log line may ever hold it. */
export const ECHO = 'Zq9Echo'

/** The end of every attempt: whoever gets its answer in the place of another has been led astray. */
export const CANARY = 'GET /healthz HTTP/1.1\r\nHost: x\r\nX-Request-Id: canary\r\nConnection: close\r\n\r\n'

/** The name of what a request creates that is hidden in another and must not run; in the log its id begins like this. */
export const SMUGGLED = 'smuggled'

/** The method that the bytes begin with: an answer to HEAD has no body. */
export const methodOf = ({ bytes }: Attempt): string | undefined => /^[A-Z]+/.exec(bytes)?.[0]

export const latin1 = (text: string): string => Buffer.from(text, 'utf8').toString('latin1')

/** One request, with a length when it has a body. */
export function raw(method: string, target: string, headers: readonly string[] = [], body?: string): string {
  const length = body === undefined ? [] : [`Content-Length: ${body.length}`]
  const lines = [`${method} ${target} HTTP/1.1`, 'Host: x', ...length, ...headers]
  return `${lines.join('\r\n')}\r\n\r\n${body ?? ''}`
}

/** A request to an operation as it goes over the wire; `bytes` take the place of its body. */
export function rawRequest(
  operation: Operation,
  request: Request,
  { headers = [], bytes }: { headers?: readonly string[]; bytes?: string } = {},
): string {
  const [path, { method }] = asFetch(operation, request)
  const { body } = request
  const type = body ? [`Content-Type: ${body.type}`] : []
  const sent = bytes ?? (body && latin1(body.text))
  return raw(method, latin1(path), [...type, 'X-Request-Id: attempt', ...headers], sent)
}
