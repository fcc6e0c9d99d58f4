import { createTRPCClient, httpLink } from '@trpc/client'
import { defineId } from 'typed-id'
import type { Router } from './recipe.ts'

const UserId = defineId('user')
const TeamId = defineId('team')

export const createClient = (url: string) =>
  createTRPCClient<Router>({ links: [httpLink({ url })] })

export async function example(client: ReturnType<typeof createClient>) {
  await client.findUndocumented.query(UserId.example)
  // @ts-expect-error the id of another type
  await client.findUndocumented.query(TeamId.example)
  // @ts-expect-error a string
  await client.find.query({ user_id: 'user-1' })
  const { id } = await client.find.query({ user_id: UserId.example })
  return UserId.timestamp(id)
}
