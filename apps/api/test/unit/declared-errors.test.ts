import type { JsonResponse } from 'testkit/client.ts'
import { describe, expect, test } from 'vitest'
import { PROFILES } from '../../src/app.ts'
import { declaredRoutes } from '../../src/http/routes.ts'
import { RoleId, TeamId, UserId } from '../../src/ids.ts'
import {
  newUser,
  type Service,
  startWithDemo,
} from '../support/http-fixture.ts'

type Requests = Record<string, (service: Service) => Promise<JsonResponse>>

const user = `/users/${UserId.generate()}`
const team_id = TeamId.generate()

const REQUESTS: Readonly<Record<keyof typeof PROFILES, Requests>> = {
  a: {
    'getTeam team_not_found': ({ get }) => get(`/teams/${team_id}`),
    'createRole role_name_taken': async ({ get, post }) =>
      post('/roles', (await get('/roles')).json[0]),
    'createUser email_taken': async ({ get, post }) =>
      post('/users', newUser({ email: (await get('/users')).json[0].email })),
    'createUser team_not_found': ({ post }) =>
      post('/users', newUser({ team_id })),
    'assignRole user_not_found': ({ post }) =>
      post(`${user}/roles/${RoleId.example}`),
    'assignRole role_not_found': ({ post }) =>
      post(`/users/${UserId.example}/roles/${RoleId.generate()}`),
    'getUser user_not_found': ({ get }) => get(user),
    'updateUser user_not_found': ({ patch }) => patch(user, { name: 'x' }),
    'updateUser team_not_found': ({ patch }) =>
      patch(`/users/${UserId.example}`, { team_id }),
    'deleteUser user_not_found': (service) => service.delete(user),
  },
  b: {
    'getTeam team_not_found': ({ get }) => get(`/teams/${team_id}`),
    'createUser team_not_found': ({ post }) =>
      post('/users', { name: 'x', email: 'x', team_id }),
    'listUsers invalid_team_id': ({ get }) => get('/users?team_id=x'),
    'listUsers expected_team_id': ({ get }) =>
      get(`/users?team_id=${UserId.example}`),
    'lookUpUser invalid_user_id': ({ get }) => get('/users/lookup/x'),
    'lookUpUser expected_user_id': ({ get }) => get(`/users/lookup/${team_id}`),
    'lookUpUser user_not_found': ({ get }) =>
      get(user.replace('users', 'users/lookup')),
    'getUser user_not_found': ({ get }) => get(user),
    'deleteUser user_not_found': (service) => service.delete(user),
  },
}

describe.for(['a', 'b'] as const)('Profile %s', (name) => {
  test('returns each error that an endpoint declares, and has a request for it here', async () => {
    const service = await startWithDemo(name)
    const { routes } = PROFILES[name].app(service.db)
    const declared = declaredRoutes(routes).flatMap(
      ({ declaration: { id, errors = [] } }) =>
        errors.map((error) => ({ key: `${id} ${error.code}`, ...error })),
    )
    const requests = REQUESTS[name]
    expect(declared.map(({ key }) => key).sort()).toEqual(
      Object.keys(requests).sort(),
    )
    for (const { key, status, detail } of declared)
      expect(await requests[key]?.(service), key).toMatchObject({
        status,
        json: { detail },
      })
  })
})
