interface Result<T> {
  readonly data?: T
  readonly error?: unknown
  readonly response: Response
}

/** Returns the body of a successful response. Throws an error with status and body for any other response. */
export function unwrap<T>({ data, error, response }: Result<T>): T {
  if (data !== undefined) return data
  throw new Error(`${response.status} from ${response.url}: ${JSON.stringify(error)}`)
}

/**
 * Yields the pages of a list with one request each. `read` requests a page. Its query is empty for the first page, and
 * then the query of `Link: <…>; rel="next"` in the previous response.
 */
export async function* pages<T>(read: (query: URLSearchParams) => Promise<Result<T[]>>): AsyncIterable<T[]> {
  let query: URLSearchParams | undefined = new URLSearchParams()
  while (query !== undefined) {
    const result = await read(query)
    yield unwrap(result)
    const [, next] = /<([^>]+)>; rel="next"/.exec(result.response.headers.get('link') ?? '') ?? []
    query = next === undefined ? undefined : new URL(next, result.response.url).searchParams
  }
}
