import type { Client } from './client.ts'

/** The pages of a list, found by following `Link: <…>; rel="next"`. */
export async function* pages(service: Client, path: string) {
  for (let next: string | undefined = path; next !== undefined; ) {
    const answer = await service.get(next)
    if (answer.status !== 200) throw new Error(`${answer.status} for ${next}`)
    yield answer.json as { id: string }[]
    next = nextPage(answer.headers)
  }
}

export const nextPage = (headers: Headers): string | undefined =>
  /^<([^>]+)>; rel="next"$/.exec(headers.get('link') ?? '')?.[1]
