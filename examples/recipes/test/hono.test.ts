import { expect, test } from 'vitest'
import { app } from '../src/hono.ts'
import { TeamId, UserId } from '../src/ids.ts'

const patch = (id: string, body: unknown) =>
  app.request(`/users/${id}`, {
    method: 'PATCH',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })

test('Hono: path and body accept ids of their types only', async () => {
  const id = UserId.generate()
  const team_id = TeamId.generate()
  for (const text of [id, UserId.toShort(id)]) {
    expect(await (await patch(text, { team_id })).json()).toEqual({ id, team_id })
  }
  const wrong = await patch(team_id, { team_id })
  expect(wrong.status).toBe(422)
  expect(await wrong.json()).toEqual({ detail: UserId.safeParse(team_id).error?.message })
  expect((await patch(id, { team_id: id })).status).toBe(400)
})
