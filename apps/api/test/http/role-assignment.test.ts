import { describe, expect } from 'vitest'
import { RoleId, UserId } from '../../src/ids.ts'
import { bodyOf201, storedUser, test } from '../support/http-fixture.ts'

describe('POST /users/{user_id}/roles/{role_id}', () => {
  test('responds 200 with the user and the new role', async ({ service }) => {
    const role = await bodyOf201(service.post('/roles', { name: 'admin', description: 'All' }))
    const user = await storedUser(service)
    const response = await service.post(`/users/${user.id}/roles/${role.id}`)
    expect(response).toMatchObject({ status: 200, json: { ...user, roles: [role] } })
    expect((await service.get(`/users/${user.id}`)).json).toEqual(response.json)
  })

  test('changes nothing when the user has the role', async ({ service }) => {
    const role = await bodyOf201(service.post('/roles', { name: 'admin' }))
    const user = await storedUser(service)
    const path = `/users/${user.id}/roles/${role.id}`
    const first = await service.post(path)
    expect(await service.post(path)).toMatchObject({ status: 200, json: first.json })
    const many = await Promise.all(Array.from({ length: 20 }, () => service.post(path)))
    for (const response of many) expect(response).toMatchObject({ status: 200, json: first.json })
  })

  test('assigns several roles to a user, and a role to several users', async ({ service }) => {
    const roles = []
    for (const name of ['a', 'b', 'c']) roles.push(await bodyOf201(service.post('/roles', { name })))
    for (let n = 0; n < 2; n += 1) {
      const user = await storedUser(service)
      for (const role of roles.toReversed()) await service.post(`/users/${user.id}/roles/${role.id}`)
      expect((await service.get(`/users/${user.id}`)).json.roles).toEqual(roles)
    }
  })

  test('stores every role of concurrent assignments', async ({ service }) => {
    const user = await storedUser(service)
    const roles = await Promise.all(
      Array.from({ length: 20 }, (_, n) => bodyOf201(service.post('/roles', { name: `role ${n}` }))),
    )
    await Promise.all(roles.map((role) => service.post(`/users/${user.id}/roles/${role.id}`)))
    expect((await service.get(`/users/${user.id}`)).json.roles).toHaveLength(20)
  })

  test('looks up the user first, then the role', async ({ service }) => {
    const role = await bodyOf201(service.post('/roles', { name: 'admin' }))
    const user = await storedUser(service)
    const assign = (user_id: string, role_id: string) => service.post(`/users/${user_id}/roles/${role_id}`)
    const noUser = { status: 404, json: { detail: 'User not found' } }
    expect(await assign(UserId.generate(), role.id)).toMatchObject(noUser)
    expect(await assign(UserId.generate(), RoleId.generate())).toMatchObject(noUser)
    expect(await assign(user.id, RoleId.generate())).toMatchObject({
      status: 404,
      json: { detail: 'Role not found' },
    })
    expect((await service.get(`/users/${user.id}`)).json.roles).toEqual([])
  })

  test('has no counterpart that removes a role: DELETE receives 405', async ({ service }) => {
    const response = await service.delete(`/users/${UserId.example}/roles/${RoleId.example}`)
    expect(response).toMatchObject({ status: 405, json: { detail: 'Method Not Allowed' } })
  })
})
