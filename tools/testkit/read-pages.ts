import type { Client } from './client.ts'

/** Yields the pages of a list by following `Link: <…>; rel="next"`. */
export async function* readPages(service: Client, path: string) {
  for (let next: string | undefined = path; next !== undefined; ) {
    const { status, headers, json, text } = await service.get(next)
    if (status !== 200) throw new Error(`GET ${next}: expected 200, received ${status} ${text}`)
    yield json as { id: string }[]
    next = nextPage(headers, next)
  }
}

/** Returns the path of the page after that of `path`, or undefined on the last one. */
export function nextPage(headers: Headers, path: string): string | undefined {
  const reference = /^<([^>]+)>; rel="next"$/.exec(headers.get('link') ?? '')?.[1]
  if (reference === undefined) return undefined
  const { pathname, search } = new URL(reference, new URL(path, 'http://service'))
  return pathname + search
}
