import { expect, expectTypeOf, test } from 'vitest'
import { TeamId, type UserId } from '../src/ids.ts'
import { createCaller } from '../src/trpc.ts'

test('tRPC: accepts an id type as an input parser, and infers its type for the client', async () => {
  const api = createCaller({})
  const team_id = TeamId.generate()
  const user = await api.createUser({ team_id })
  expectTypeOf(user).toEqualTypeOf<{ id: UserId; team_id: TeamId | null }>()
  expect(await api.user(user.id)).toEqual(user)
  await expect(api.user(team_id)).rejects.toMatchObject({ code: 'BAD_REQUEST' })
  await expect(api.createUser({ team_id: user.id })).rejects.toMatchObject({ code: 'BAD_REQUEST' })
})
