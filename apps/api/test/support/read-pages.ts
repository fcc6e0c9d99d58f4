import type { Client } from './client.ts'

/** Yields the pages of a list by following `Link: <…>; rel="next"`. */
export async function* readPages(service: Client, path: string) {
  for (let next: string | undefined = path; next !== undefined; ) {
    const { status, headers, json, text } = await service.get(next)
    if (status !== 200) throw new Error(`GET ${next}: expected 200, received ${status} ${text}`)
    yield json as { id: string }[]
    next = nextPage(headers)
  }
}

/** Returns the path of the next page, or undefined on the last one. */
export const nextPage = (headers: Headers): string | undefined =>
  /^<([^>]+)>; rel="next"$/.exec(headers.get('link') ?? '')?.[1]
