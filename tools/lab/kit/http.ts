import { once } from 'node:events'
import {
  type Agent,
  type ClientRequest,
  type IncomingHttpHeaders,
  type IncomingMessage,
  request as sendHttp,
} from 'node:http'
import { text } from 'node:stream/consumers'

export interface HttpRequest {
  readonly method: string
  readonly path: string
  readonly body?: unknown
}

interface HttpResponse {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

/** A request and its response, or the error if there is no response. */
export interface Exchange {
  readonly request: HttpRequest
  readonly response?: HttpResponse
  /** The error code, such as `ECONNRESET`, if there is no response. */
  readonly error?: string
  /**
   * The time at which the request was sent (`performance.now()`), and the
   * duration until the response was complete, in ms.
   */
  readonly sentAt: number
  readonly ms: number
}

export const outcomeOf = ({ response, error }: Exchange): string =>
  String(response?.status ?? error)

/**
 * Sends one request. Uses node:http because `fetch` may retry a request on
 * another connection.
 */
export async function send(
  agent: Agent,
  baseUrl: string,
  request: HttpRequest,
  timeoutMs = 30_000,
): Promise<Exchange> {
  const sentAt = performance.now()
  const { method, path, body } = request
  const headers = body !== undefined && { 'content-type': 'application/json' }
  const outgoing = sendHttp(baseUrl + path, {
    agent,
    method,
    headers: { ...headers },
    // Limits the whole request: the `timeout` of node:http counts idle time of
    // the socket only.
    signal: AbortSignal.timeout(timeoutMs),
  })
  // Later errors also reject the read of the body.
  outgoing.on('error', () => {})
  outgoing.end(body === undefined ? undefined : JSON.stringify(body))
  const outcome = await receive(outgoing).catch(
    ({ code, name }: NodeJS.ErrnoException) => ({ error: code ?? name }),
  )
  return { request, ...outcome, sentAt, ms: performance.now() - sentAt }
}

async function receive(outgoing: ClientRequest) {
  const [incoming] = (await once(outgoing, 'response')) as [IncomingMessage]
  const { statusCode: status = 0, headers } = incoming
  return { response: { status, headers, body: await text(incoming) } }
}
