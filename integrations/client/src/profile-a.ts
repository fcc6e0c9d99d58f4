import createClient from 'openapi-fetch'
import type { paths } from './generated/profile-a.ts'
import { UserId } from './ids.ts'
import { pages, unwrap } from './responses.ts'

/** Creates a team, a role and five users. Yields the users that the service lists, in pages of two, as lines of text. */
export async function* runProfileA(baseUrl: string): AsyncIterable<string> {
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
