import { expect, test } from 'vitest'
import { UserId } from '../ids.ts'
import { createApp } from './recipe.ts'

const KEY = '1:0f1e2d3c4b5a69788796a5b4c3d2e1f0'

test('zod: clients see opaque ids only, in the order of creation, and page by them', async () => {
  const users = ['Ada', 'Bob', 'Eve'].map((name) => ({
    id: UserId.generate(),
    name,
  }))
  const app = createApp(users, [KEY])
  const get = async (path: string) => (await app.request(path)).json()

  const shown: { id: string; name: string }[] = await get('/users')
  expect(shown.map(({ name }) => name)).toEqual(['Ada', 'Bob', 'Eve'])
  expect(shown.filter(({ id }) => UserId.timestamp(UserId.parse(id)))).toEqual(
    [],
  )
  expect(await get(`/users/${shown[1]?.id}`)).toEqual(shown[1])
  expect(await get(`/users?after=${shown[0]?.id}`)).toEqual(shown.slice(1))

  expect((await app.request(`/users/${users[0]?.id}`)).status).toBe(404)
  expect((await app.request(`/users?after=${users[0]?.id}`)).status).toBe(422)
  // After a key rotation, the ids that clients received before still work.
  const rotated = createApp(users, [`2:${KEY.slice(2, -1)}1`, KEY])
  expect((await rotated.request(`/users/${shown[0]?.id}`)).status).toBe(200)
})
