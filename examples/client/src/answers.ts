interface Answer<T> {
  readonly data?: T
  readonly error?: unknown
  readonly response: Response
}

/** The body of a successful answer. Throws what the service says of any other. */
export function ok<T>({ data, error, response }: Answer<T>): T {
  if (data !== undefined) return data
  throw new Error(`${response.status} from ${response.url}: ${JSON.stringify(error)}`)
}

/**
 * The pages of a list, one request each: `read` is given the query of the page, which is that of
 * `Link: <…>; rel="next"` in the answer before.
 */
export async function* pages<T>(read: (query: URLSearchParams) => Promise<Answer<T[]>>): AsyncIterable<T[]> {
  let query: URLSearchParams | undefined = new URLSearchParams()
  while (query !== undefined) {
    const answer = await read(query)
    yield ok(answer)
    const [, next] = /<([^>]+)>; rel="next"/.exec(answer.response.headers.get('link') ?? '') ?? []
    query = next === undefined ? undefined : new URL(next, answer.response.url).searchParams
  }
}
