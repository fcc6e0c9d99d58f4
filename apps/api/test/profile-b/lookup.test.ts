import { describe, expect } from 'vitest'
import { TeamId, UserId } from '../../src/ids.ts'
import { test } from '../support/listen.ts'

const uuid = '0190163d-8694-739b-aea5-966c26f8ad91'
const suffix = '01j0b3v1mmeedtx9cpdgkfhbch'

describe('GET /users/lookup/{id}', () => {
  test.for([
    'garbage',
    uuid,
    'user-',
    `user-${uuid.toUpperCase()}`,
    `user_${uuid}`,
    `user-${suffix}`,
    `user_8${suffix.slice(1)}`,
    `team-${uuid}0`,
    `-${uuid}`,
    `us%20er-${uuid}`,
    '%00',
    '%F0%9F%98%80',
    '%ff',
    'x'.repeat(5000),
  ])('responds 400 "Invalid user ID" for %s', async (id, { service }) => {
    const response = await service.get(`/users/lookup/${id}`)
    expect(response).toMatchObject({ status: 400, json: { detail: 'Invalid user ID' } })
  })

  test.for([
    TeamId.example,
    TeamId.toShort(TeamId.example),
    `unheardof-${uuid}`,
    `USER-${uuid}`,
    `User_${suffix}`,
  ])('responds 400 "Expected user ID" for %s, a well-formed id of another type', async (id, { service }) => {
    const response = await service.get(`/users/lookup/${id}`)
    expect(response).toMatchObject({ status: 400, json: { detail: 'Expected user ID' } })
  })

  test('responds 404 "User not found" for an unknown user in both forms', async ({ service }) => {
    const id = UserId.generate()
    for (const form of [id, UserId.toShort(id)]) {
      const response = await service.get(`/users/lookup/${form}`)
      expect(response).toMatchObject({ status: 404, json: { detail: 'User not found' } })
    }
  })

  test('responds 200 with the same body for a known user in both forms', async ({ service }) => {
    const user = (await service.post('/users', { name: 'Ada', email: 'ada@example.com' })).json
    const { text } = await service.get(`/users/${user.id}`)
    for (const form of [user.id, UserId.toShort(user.id)]) {
      expect(await service.get(`/users/lookup/${form}`)).toMatchObject({ status: 200, text })
    }
  })

  test('does not handle /users/lookup itself, which is GET /users/{user_id}', async ({ service }) => {
    expect(await service.get('/users/lookup')).toMatchObject({ status: 422 })
  })
})
