import { hc } from 'hono/client'
import { defineId } from 'typed-id'
import type { AppType } from './recipe.ts'

const UserId = defineId('user')
const TeamId = defineId('team')

export const createClient = (url: string) => hc<AppType>(url)

export async function example(client: ReturnType<typeof createClient>) {
  const user = client.users[':user_id']
  // @ts-expect-error the id of another type
  await user.$get({ param: { user_id: TeamId.example } })
  // @ts-expect-error a string
  await user.$get({ param: { user_id: 'user-1' } })
  const response = await user.$get({
    param: { user_id: UserId.example },
  })
  const { id } = await response.json()
  return UserId.timestamp(id)
}
