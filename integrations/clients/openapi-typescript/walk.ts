/** Registers a team and users, and lists the users page by page: `pnpm walk http://127.0.0.1:3000` */
import createClient from 'openapi-fetch'
import { defineId } from 'typed-id'
import type { paths } from '#generated/openapi-typescript/profile-a.ts'

const UserId = defineId('user')

/** Creates a team, a role and five users. Yields the users that the service lists, in pages of two, as lines. */
async function* walk(baseUrl: string): AsyncIterable<string> {
  const api = createClient<paths>({ baseUrl })
  const run = crypto.randomUUID()

  const team = unwrap(await api.POST('/teams', { body: { name: 'Engineering' } }))
  const role = unwrap(await api.POST('/roles', { body: { name: `reviewer ${run}` } }))
  yield `${team.id} ${team.name}`

  for (const name of ['Ada', 'Grace', 'Edsger', 'Barbara', 'Donald']) {
    const user = unwrap(
      await api.POST('/users', {
        body: { name, email: `${name}.${run}@example.com`, password: 'correct horse', team_id: team.id },
      }),
    )
    unwrap(
      await api.POST('/users/{user_id}/roles/{role_id}', {
        params: { path: { user_id: user.id, role_id: role.id } },
      }),
    )
  }

  let number = 0
  const read = (next: URLSearchParams) => {
    const after = next.get('after')
    const query = { team_id: team.id, limit: 2, ...(after && { after: UserId.parse(after) }) }
    return api.GET('/users', { params: { query } })
  }
  for await (const page of pages(read)) {
    number += 1
    for (const { id, name, team, roles } of page) {
      yield `page ${number}: ${id} ${name}, ${team?.name}, ${roles.length} role`
    }
  }
}

interface Result<T> {
  readonly data?: T
  readonly error?: unknown
  readonly response: Response
}

/** Returns the body of a successful response. Throws an error with status and body for any other response. */
function unwrap<T>({ data, error, response }: Result<T>): T {
  if (data !== undefined) return data
  throw new Error(`${response.status} from ${response.url}: ${JSON.stringify(error)}`)
}

/**
 * Yields the pages of a list with one request each. `read` requests a page. Its query is empty for the first page, and
 * then the query of `Link: <…>; rel="next"` in the previous response.
 */
async function* pages<T>(read: (query: URLSearchParams) => Promise<Result<T[]>>): AsyncIterable<T[]> {
  let query: URLSearchParams | undefined = new URLSearchParams()
  while (query !== undefined) {
    const result = await read(query)
    yield unwrap(result)
    const [, next] = /<([^>]+)>; rel="next"/.exec(result.response.headers.get('link') ?? '') ?? []
    query = next === undefined ? undefined : new URL(next, result.response.url).searchParams
  }
}

for await (const line of walk(process.argv[2] ?? 'http://127.0.0.1:3000')) console.log(line)
