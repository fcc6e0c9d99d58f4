import { describe, expect } from 'vitest'
import { RoleId, UserId } from '../../src/ids.ts'
import { created, newUser, test } from '../support/service.ts'

describe('POST /users/{user_id}/roles/{role_id}', () => {
  test('answers 200 with the user and the new role', async ({ service }) => {
    const role = await created(service.post('/roles', { name: 'admin', description: 'All' }))
    const user = await created(service.post('/users', newUser()))
    const answer = await service.post(`/users/${user.id}/roles/${role.id}`)
    expect(answer).toMatchObject({ status: 200, json: { ...user, roles: [role] } })
    expect((await service.get(`/users/${user.id}`)).json).toEqual(answer.json)
  })

  test('changes nothing when the user has the role', async ({ service }) => {
    const role = await created(service.post('/roles', { name: 'admin' }))
    const user = await created(service.post('/users', newUser()))
    const path = `/users/${user.id}/roles/${role.id}`
    const first = await service.post(path)
    expect(await service.post(path)).toMatchObject({ status: 200, json: first.json })
    const many = await Promise.all(Array.from({ length: 20 }, () => service.post(path)))
    for (const answer of many) expect(answer).toMatchObject({ status: 200, json: first.json })
  })

  test('lets a user have many roles and a role many users', async ({ service }) => {
    const roles = []
    for (const name of ['a', 'b', 'c']) roles.push(await created(service.post('/roles', { name })))
    for (let n = 0; n < 2; n += 1) {
      const user = await created(service.post('/users', newUser()))
      for (const role of roles.toReversed()) await service.post(`/users/${user.id}/roles/${role.id}`)
      expect((await service.get(`/users/${user.id}`)).json.roles).toEqual(roles)
    }
  })

  test('keeps every role of concurrent assignments', async ({ service }) => {
    const user = await created(service.post('/users', newUser()))
    const roles = await Promise.all(
      Array.from({ length: 20 }, (_, n) => created(service.post('/roles', { name: `role ${n}` }))),
    )
    await Promise.all(roles.map((role) => service.post(`/users/${user.id}/roles/${role.id}`)))
    expect((await service.get(`/users/${user.id}`)).json.roles).toHaveLength(20)
  })

  test('looks for the user first, then for the role', async ({ service }) => {
    const role = await created(service.post('/roles', { name: 'admin' }))
    const user = await created(service.post('/users', newUser()))
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

  test('has no counterpart that removes a role', async ({ service }) => {
    const answer = await service.delete(`/users/${UserId.example}/roles/${RoleId.example}`)
    expect(answer).toMatchObject({ status: 405, json: { detail: 'Method Not Allowed' } })
  })
})
