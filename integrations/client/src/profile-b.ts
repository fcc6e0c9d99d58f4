import createClient from 'openapi-fetch'
import type { paths } from './generated/profile-b.ts'
import { ProductId, UserId } from './ids.ts'
import { pages, unwrap } from './responses.ts'

/** Creates a team, five users and an order. Yields the users that the service lists, in pages of two, as lines of text. */
export async function* runProfileB(baseUrl: string): AsyncIterable<string> {
  const api = createClient<paths>({ baseUrl })

  const team = unwrap(await api.POST('/teams', { body: { name: 'Engineering' } }))
  yield `${team.id} ${team.name}`

  for (const name of ['Ada', 'Grace', 'Edsger', 'Barbara', 'Donald']) {
    unwrap(await api.POST('/users', { body: { name, email: `${name}@example.com`, team_id: team.id } }))
  }

  let number = 0
  const read = (next: URLSearchParams) => {
    const after = next.get('after')
    return api.GET('/users', {
      params: { query: { limit: 2, ...(after && { after: UserId.parse(after) }) } },
    })
  }
  for await (const page of pages(read)) {
    number += 1
    for (const { id, name } of page) yield `page ${number}: ${id} ${name}`
  }

  const { member_ids } = unwrap(await api.GET('/teams/{team_id}', { params: { path: { team_id: team.id } } }))
  yield `${member_ids.length} members`

  for (const user_id of member_ids.slice(0, 1)) {
    const product_id = ProductId.generate()
    const order = unwrap(await api.POST('/orders', { body: { user_id, product_id, quantity: 2 } }))
    yield `${order.order_id} of ${order.user_id}`

    const id = UserId.toShort(user_id)
    const user = unwrap(await api.GET('/users/lookup/{id}', { params: { path: { id } } }))
    yield `${id} is ${user.name}`
  }
}
