import createClient from 'openapi-fetch'
import { ok, pages } from './answers.ts'
import type { paths } from './generated/profile-b.ts'
import { ProductId, UserId } from './ids.ts'

/** Registers a team and five users, orders something, and tells what the service lists, two users a page. */
export async function* walkB(baseUrl: string): AsyncIterable<string> {
  const api = createClient<paths>({ baseUrl })

  const team = ok(await api.POST('/teams', { body: { name: 'Engineering' } }))
  yield `${team.id} ${team.name}`

  for (const name of ['Ada', 'Grace', 'Edsger', 'Barbara', 'Donald']) {
    ok(await api.POST('/users', { body: { name, email: `${name}@example.com`, team_id: team.id } }))
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

  const { member_ids } = ok(await api.GET('/teams/{team_id}', { params: { path: { team_id: team.id } } }))
  yield `${member_ids.length} members`

  for (const user_id of member_ids.slice(0, 1)) {
    const product_id = ProductId.generate()
    const order = ok(await api.POST('/orders', { body: { user_id, product_id, quantity: 2 } }))
    yield `${order.order_id} of ${order.user_id}`

    const id = UserId.toShort(user_id)
    const user = ok(await api.GET('/users/lookup/{id}', { params: { path: { id } } }))
    yield `${id} is ${user.name}`
  }
}
