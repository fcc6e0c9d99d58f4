import { describe, expect } from 'vitest'
import { RoleId, TeamId, UserId } from '../../src/ids.ts'
import { bodyOf201, storedUser, test } from '../support/http-fixture.ts'

describe('POST /roles', () => {
  test('responds 201 with the new role', async ({ service }) => {
    const response = await service.post('/roles', {
      name: 'admin',
      description: 'May do everything',
    })
    expect(response.status).toBe(201)
    expect(response.json).toEqual({
      id: expect.any(String),
      name: 'admin',
      description: 'May do everything',
    })
    expect(RoleId.is(response.json.id)).toBe(true)
  })

  test.for([{}, { description: null }])(
    'returns null for the description in %j',
    async (field, { service }) => {
      expect(
        await bodyOf201(service.post('/roles', { name: 'plain', ...field })),
      ).toMatchObject({
        description: null,
      })
    },
  )

  test('responds 400 for a name that is taken, and keeps the first role', async ({
    service,
  }) => {
    const first = await bodyOf201(
      service.post('/roles', { name: 'admin', description: 'first' }),
    )
    const second = await service.post('/roles', {
      name: 'admin',
      description: 'second',
    })
    expect(second).toMatchObject({
      status: 400,
      json: { detail: 'Role name already exists' },
    })
    expect((await service.get('/roles')).json).toEqual([first])
  })

  test('accepts names that differ in case: the specification says only "unique"', async ({
    service,
  }) => {
    await bodyOf201(service.post('/roles', { name: 'admin' }))
    await bodyOf201(service.post('/roles', { name: 'Admin' }))
  })
})

describe('POST /users/{user_id}/roles/{role_id}', () => {
  test('responds 200 with the user and the new role', async ({ service }) => {
    const role = await bodyOf201(
      service.post('/roles', { name: 'admin', description: 'All' }),
    )
    const user = await storedUser(service)
    const response = await service.post(`/users/${user.id}/roles/${role.id}`)
    expect(response).toMatchObject({
      status: 200,
      json: { ...user, roles: [role] },
    })
    expect((await service.get(`/users/${user.id}`)).json).toEqual(response.json)
  })

  test('changes nothing when the user has the role', async ({ service }) => {
    const role = await bodyOf201(service.post('/roles', { name: 'admin' }))
    const user = await storedUser(service)
    const path = `/users/${user.id}/roles/${role.id}`
    const first = await service.post(path)
    expect(await service.post(path)).toMatchObject({
      status: 200,
      json: first.json,
    })
  })

  test('looks up the user first, then the role', async ({ service }) => {
    const role = await bodyOf201(service.post('/roles', { name: 'admin' }))
    const user = await storedUser(service)
    const assign = (user_id: string, role_id: string) =>
      service.post(`/users/${user_id}/roles/${role_id}`)
    const noUser = { status: 404, json: { detail: 'User not found' } }
    expect(await assign(UserId.generate(), role.id)).toMatchObject(noUser)
    expect(await assign(UserId.generate(), RoleId.generate())).toMatchObject(
      noUser,
    )
    expect(await assign(user.id, RoleId.generate())).toMatchObject({
      status: 404,
      json: { detail: 'Role not found' },
    })
    expect((await service.get(`/users/${user.id}`)).json.roles).toEqual([])
  })
})

describe('POST /teams', () => {
  test('responds 201 with the new team', async ({ service }) => {
    const response = await service.post('/teams', { name: 'Engineering' })
    expect(response.status).toBe(201)
    expect(response.json).toEqual({
      id: expect.any(String),
      name: 'Engineering',
    })
    expect(TeamId.is(response.json.id)).toBe(true)
    expect(await service.get(`/teams/${response.json.id}`)).toMatchObject({
      status: 200,
      json: response.json,
    })
  })

  test('accepts a name twice: only role names are unique', async ({
    service,
  }) => {
    await bodyOf201(service.post('/teams', { name: 'Twin' }))
    await bodyOf201(service.post('/teams', { name: 'Twin' }))
  })
})
