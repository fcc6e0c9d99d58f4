export interface Answer {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  /** The body as JSON, for assertions. */
  // biome-ignore lint/suspicious/noExplicitAny: tests assert what it is.
  readonly json: any
}

export interface Client {
  request(path: string, init?: RequestInit): Promise<Answer>
  get(path: string): Promise<Answer>
  post(path: string, body?: unknown): Promise<Answer>
  patch(path: string, body: unknown): Promise<Answer>
  delete(path: string): Promise<Answer>
}

/** Talks JSON to a service by whatever takes its requests: an app in this process, or `fetch` over a socket. */
export function clientOf(fetch: (path: string, init?: RequestInit) => Promise<Response>): Client {
  async function request(path: string, init?: RequestInit): Promise<Answer> {
    const response = await fetch(path, init)
    const text = await response.text()
    const isJson = response.headers.get('content-type') === 'application/json'
    return {
      status: response.status,
      headers: response.headers,
      text,
      json: isJson && text ? JSON.parse(text) : undefined,
    }
  }
  const send = (method: string) => (path: string, body?: unknown) =>
    request(path, {
      method,
      ...(body !== undefined && {
        body: JSON.stringify(body),
        headers: { 'content-type': 'application/json' },
      }),
    })

  return {
    request,
    get: send('GET'),
    post: send('POST'),
    patch: send('PATCH'),
    delete: send('DELETE'),
  }
}
