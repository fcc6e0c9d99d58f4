import { expect } from 'vitest'
import { RoleId, TeamId, UserId } from '../../src/ids.ts'
import { bodyOf201, storedUser, test } from '../support/http-fixture.ts'

test.for([{ description: 'May do everything' }, { description: null }, {}])(
  'POST /roles responds 201 with the new role, with %j',
  async (field, { service }) => {
    const role = { name: 'admin', ...field }
    const { id, ...rest } = await bodyOf201(service.post('/roles', role))
    expect(rest).toEqual({ description: null, ...role })
    expect(RoleId.is(id)).toBe(true)
  },
)

test('POST /roles responds 400 for a name that is taken, and keeps the first role; names may differ in case', async ({
  service,
}) => {
  const post = (name: string, description: string) =>
    service.post('/roles', { name, description })
  const first = await bodyOf201(post('admin', 'first'))
  expect(await post('admin', 'second')).toMatchObject({
    status: 400,
    json: { detail: 'Role name already exists' },
  })
  const other = await bodyOf201(post('Admin', ''))
  expect((await service.get('/roles')).json).toEqual([first, other])
})

test('POST /users/{user_id}/roles/{role_id} responds 200 with the user and its roles, once and again', async ({
  service,
}) => {
  const role = await bodyOf201(service.post('/roles', { name: 'admin' }))
  const user = await storedUser(service)
  const json = { ...user, roles: [role] }
  for (let n = 0; n < 2; n += 1)
    expect(
      await service.post(`/users/${user.id}/roles/${role.id}`),
    ).toMatchObject({ status: 200, json })
  expect((await service.get(`/users/${user.id}`)).json).toEqual(json)
})

test('POST /users/{user_id}/roles/{role_id} looks up the user first, then the role', async ({
  service,
}) => {
  const user = await storedUser(service)
  const role_id = RoleId.generate()
  for (const [path, detail] of [
    [`/users/${UserId.generate()}/roles/${role_id}`, 'User not found'],
    [`/users/${user.id}/roles/${role_id}`, 'Role not found'],
  ] as const)
    expect(await service.post(path)).toMatchObject({
      status: 404,
      json: { detail },
    })
})

test('POST /teams responds 201 with the new team, and accepts a name twice', async ({
  service,
}) => {
  const post = () => bodyOf201(service.post('/teams', { name: 'Engineering' }))
  const team = await post()
  expect(team).toEqual({ id: team.id, name: 'Engineering' })
  expect(TeamId.is(team.id)).toBe(true)
  expect((await service.get(`/teams/${team.id}`)).json).toEqual(team)
  expect((await post()).id).not.toBe(team.id)
})
