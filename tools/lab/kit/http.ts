import { type Agent, request as sendHttp } from 'node:http'

export interface HttpRequest {
  readonly method: string
  readonly path: string
  readonly body?: unknown
}

interface HttpResponse {
  readonly status: number
  /** Header values by lower-case name. */
  readonly headers: ReadonlyMap<string, string>
  readonly body: string
}

/** One request with its response, or with the error if there is no response. */
export interface Exchange {
  readonly request: HttpRequest
  readonly response?: HttpResponse
  /** The error code, such as `ECONNRESET`, if there is no response. */
  readonly error?: string
  /**
   * Time of sending, and duration until the response was complete, in ms by
   * `performance.now()`.
   */
  readonly sentAt: number
  readonly ms: number
}

/** Returns the status of the response, or the error code. */
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
  const { promise, resolve } =
    Promise.withResolvers<Pick<Exchange, 'response' | 'error'>>()
  const fail = (error: NodeJS.ErrnoException) =>
    resolve({ error: error.code ?? error.name })
  const { method, path, body } = request
  const text = body === undefined ? undefined : JSON.stringify(body)
  const headers =
    text === undefined ? {} : { 'content-type': 'application/json' }
  const outgoing = sendHttp(
    baseUrl + path,
    { agent, method, headers },
    (incoming) => {
      let body = ''
      incoming.setEncoding('utf8').on('data', (chunk) => {
        body += chunk
      })
      const headers = new Map(
        Object.entries(incoming.headers).map(([name, value]) => [
          name,
          String(value),
        ]),
      )
      const status = incoming.statusCode ?? 0
      incoming
        .on('error', fail)
        .on('end', () => resolve({ response: { status, headers, body } }))
    },
  )
  // Does not use the `timeout` option of node:http, which counts idle time of
  // the socket only.
  const timer = setTimeout(() => {
    resolve({ error: `no response within ${timeoutMs} ms` })
    outgoing.destroy()
  }, timeoutMs)
  outgoing.on('error', fail).end(text)
  const outcome = await promise
  clearTimeout(timer)
  return { request, ...outcome, sentAt, ms: performance.now() - sentAt }
}
