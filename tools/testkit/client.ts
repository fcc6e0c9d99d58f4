export interface JsonResponse {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  // biome-ignore lint/suspicious/noExplicitAny: tests assert its shape.
  readonly json: any
}

export interface Client {
  request(path: string, init?: RequestInit): Promise<JsonResponse>
  get(path: string): Promise<JsonResponse>
  post(path: string, body?: unknown): Promise<JsonResponse>
  patch(path: string, body: unknown): Promise<JsonResponse>
  delete(path: string): Promise<JsonResponse>
}

export function clientOf(
  fetch: (path: string, init?: RequestInit) => Promise<Response>,
): Client {
  async function request(path: string, init?: RequestInit) {
    const response = await fetch(path, init)
    const { status, headers } = response
    const text = await response.text()
    const isJson = headers.get('content-type') === 'application/json'
    const json = isJson && text ? JSON.parse(text) : undefined
    return { status, headers, text, json }
  }
  const send = (method: string) => (path: string, body?: unknown) =>
    request(path, { method, ...(body !== undefined && jsonBody(body)) })

  return {
    request,
    get: send('GET'),
    post: send('POST'),
    patch: send('PATCH'),
    delete: send('DELETE'),
  }
}

const jsonBody = (body: unknown) => ({
  body: JSON.stringify(body),
  headers: { 'content-type': 'application/json' },
})

export const clientAt = (url: string): Client =>
  clientOf((path, init) => fetch(url + path, init))

export async function* readPages(service: Client, path: string) {
  for (let next: string | undefined = path; next !== undefined; ) {
    const { status, headers, json, text } = await service.get(next)
    if (status !== 200)
      throw new Error(`GET ${next}: expected 200, received ${status} ${text}`)
    yield json as { id: string }[]
    next = nextPage(headers, next)
  }
}

export function nextPage(headers: Headers, path: string): string | undefined {
  const link = headers.get('link') ?? ''
  const [, reference] = /^<([^>]+)>; rel="next"$/.exec(link) ?? []
  if (reference === undefined) return undefined
  const base = new URL(path, 'http://service')
  const { pathname, search } = new URL(reference, base)
  return pathname + search
}
