import { verify } from '@node-rs/argon2'
import { describe, expect } from 'vitest'
import { TeamId, UserId } from '../../src/ids.ts'
import {
  bodyOf201,
  newUser,
  PASSWORD,
  storedUser,
  test,
} from '../support/http-fixture.ts'

describe('POST /users', () => {
  test('responds 201 with the user, without the password', async ({
    service,
  }) => {
    const response = await service.post(
      '/users',
      newUser({ email: 'Ada@Example.com', name: 'Ada' }),
    )
    expect(response.status).toBe(201)
    expect(response.json).toEqual({
      id: expect.any(String),
      email: 'Ada@Example.com',
      name: 'Ada',
      team: null,
      roles: [],
    })
    expect(UserId.is(response.json.id)).toBe(true)
  })

  test('includes the team in the user', async ({ service }) => {
    const team = await bodyOf201(
      service.post('/teams', { name: 'Engineering' }),
    )
    const user = await bodyOf201(
      service.post('/users', newUser({ team_id: team.id })),
    )
    expect(user.team).toEqual(team)
  })

  test('responds 404 for a team that does not exist, and stores nothing', async ({
    service,
  }) => {
    const response = await service.post(
      '/users',
      newUser({ team_id: TeamId.generate() }),
    )
    expect(response).toMatchObject({
      status: 404,
      json: { detail: 'Team not found' },
    })
    expect((await service.get('/users')).json).toEqual([])
  })

  test.for(['ada@example.com', 'ADA@EXAMPLE.COM', 'Ada@example.Com'])(
    'responds 400 for %s when ada@example.com is registered, and stores nothing',
    async (email, { service }) => {
      const first = await bodyOf201(
        service.post('/users', newUser({ email: 'ada@example.com' })),
      )
      const second = await service.post('/users', newUser({ email }))
      expect(second).toMatchObject({
        status: 400,
        json: { detail: 'Email already registered' },
      })
      expect((await service.get('/users')).json).toEqual([first])
    },
  )

  test.for([
    ['zoë@example.com', 'ZOË@example.com'],
    ['zoë@example.com', 'Zoe\u0308@example.com'],
    ['ada@bücher.example', 'ada@XN--BCHER-KVA.example'],
    // 400 letters in lower case.
    [`${'İ'.repeat(200)}@a.example`, `${'İ'.repeat(200)}@A.example`],
  ])(
    'responds 400 for the same address in other letters, and returns addresses as given: %s, %s',
    async ([email, other], { service }) => {
      const first = await bodyOf201(service.post('/users', newUser({ email })))
      expect(first.email).toBe(email)
      const second = await service.post('/users', newUser({ email: other }))
      expect(second).toMatchObject({
        status: 400,
        json: { detail: 'Email already registered' },
      })
    },
  )

  test('of concurrent registrations of one address, one succeeds and the others receive 400', async ({
    service,
  }) => {
    const user = newUser()
    const responses = await Promise.all(
      Array.from({ length: 50 }, () => service.post('/users', user)),
    )
    const statuses = responses.map(({ status }) => status).sort()
    expect(statuses).toEqual([201, ...Array.from({ length: 49 }, () => 400)])
    expect((await service.get('/users')).json).toHaveLength(1)
  })

  // 243 code points, of which 120 labels have 8 characters each in ASCII: 1,083
  // characters, where the DNS allows 253.
  test('responds 422 for a domain whose ASCII form is longer than a name of the DNS', async ({
    service,
  }) => {
    const response = await service.post(
      '/users',
      newUser({ email: `a@${'𐀀.'.repeat(120)}com` }),
    )
    expect(response).toMatchObject({
      status: 422,
      json: { detail: [{ type: 'value_error', loc: ['body', 'email'] }] },
    })
  })

  test('stores the password as an argon2id hash only', async ({ service }) => {
    const user = await bodyOf201(service.post('/users', newUser()))
    const rows = await service.db.selectFrom('users').selectAll().execute()
    expect(rows).toHaveLength(1)
    expect(rows[0]?.id).toBe(user.id)
    const hash = String(rows[0]?.password_hash)
    expect(hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
    expect(await verify(hash, PASSWORD)).toBe(true)
    expect(JSON.stringify(rows)).not.toContain(PASSWORD)
  })
})

describe('GET /users/{user_id}', () => {
  test('responds with the body of POST', async ({ service }) => {
    const user = await bodyOf201(service.post('/users', newUser()))
    expect(await service.get(`/users/${user.id}`)).toMatchObject({
      status: 200,
      json: user,
    })
  })
})

describe('PATCH /users/{user_id}', () => {
  test('sets the name', async ({ service }) => {
    const user = await storedUser(service)
    const response = await service.patch(`/users/${user.id}`, { name: 'Grace' })
    expect(response).toMatchObject({
      status: 200,
      json: { ...user, name: 'Grace' },
    })
    expect((await service.get(`/users/${user.id}`)).json).toEqual(response.json)
  })

  test('sets the team', async ({ service }) => {
    const team = await bodyOf201(service.post('/teams', { name: 'New' }))
    const user = await storedUser(service)
    const response = await service.patch(`/users/${user.id}`, {
      team_id: team.id,
    })
    expect(response).toMatchObject({ status: 200, json: { ...user, team } })
  })

  test.for([
    {},
    { name: null },
    { name: '' },
    { team_id: null },
    { name: '', team_id: null },
    { email: 'x@example.com', password: 'x' }, // fields that PATCH ignores
  ])('changes nothing with %j', async (change, { service }) => {
    const team = await bodyOf201(service.post('/teams', { name: 'Kept' }))
    const user = await storedUser(service, { team_id: team.id })
    expect(await service.patch(`/users/${user.id}`, change)).toMatchObject({
      status: 200,
      json: user,
    })
  })

  test('responds 404 for a team that does not exist, and changes nothing', async ({
    service,
  }) => {
    const user = await storedUser(service)
    const response = await service.patch(`/users/${user.id}`, {
      name: 'Grace',
      team_id: TeamId.generate(),
    })
    expect(response).toMatchObject({
      status: 404,
      json: { detail: 'Team not found' },
    })
    expect((await service.get(`/users/${user.id}`)).json).toEqual(user)
  })

  test('looks up the user before the team', async ({ service }) => {
    const response = await service.patch(`/users/${UserId.generate()}`, {
      team_id: TeamId.generate(),
    })
    expect(response).toMatchObject({
      status: 404,
      json: { detail: 'User not found' },
    })
  })
})

describe('DELETE /users/{user_id}', () => {
  test('responds 204 without a body, and the user does not exist any more', async ({
    service,
  }) => {
    const user = await storedUser(service)
    const response = await service.delete(`/users/${user.id}`)
    expect(response).toMatchObject({ status: 204, text: '' })
    expect(response.headers.get('content-type')).toBeNull()
    expect((await service.get(`/users/${user.id}`)).status).toBe(404)
    expect((await service.get('/users')).json).toEqual([])
  })

  test('releases the e-mail address and deletes the role assignments', async ({
    service,
  }) => {
    const role = await bodyOf201(service.post('/roles', { name: 'admin' }))
    const user = await bodyOf201(
      service.post('/users', newUser({ email: 'again@example.com' })),
    )
    await service.post(`/users/${user.id}/roles/${role.id}`)
    await service.delete(`/users/${user.id}`)
    const rows = await service.db.selectFrom('user_roles').selectAll().execute()
    expect(rows).toEqual([])
    await bodyOf201(
      service.post('/users', newUser({ email: 'again@example.com' })),
    )
  })
})

test.for([
  ['get', `/users/${UserId.generate()}`, 'User not found'],
  ['patch', `/users/${UserId.generate()}`, 'User not found'],
  ['delete', `/users/${UserId.generate()}`, 'User not found'],
  ['get', `/teams/${TeamId.generate()}`, 'Team not found'],
] as const)(
  '%s of an unknown record (%s) receives 404 "%s"',
  async ([method, path, detail], { service }) => {
    expect(
      await service[method](
        path,
        method === 'patch' ? { name: 'x' } : undefined,
      ),
    ).toMatchObject({
      status: 404,
      json: { detail },
    })
  },
)

describe('GET /users', () => {
  test('with team_id lists the members of the team, with their roles', async ({
    service,
  }) => {
    const [one, two] = [
      await bodyOf201(service.post('/teams', { name: 'one' })),
      await bodyOf201(service.post('/teams', { name: 'two' })),
    ]
    const role = await bodyOf201(service.post('/roles', { name: 'admin' }))
    const members = []
    for (const team_id of [one.id, two.id, one.id, null]) {
      const user = await storedUser(service, { team_id })
      const withRole = (
        await service.post(`/users/${user.id}/roles/${role.id}`)
      ).json
      if (team_id === one.id) members.push(withRole)
    }
    expect((await service.get(`/users?team_id=${one.id}`)).json).toEqual(
      members,
    )
    expect((await service.get('/users')).json).toHaveLength(4)
  })

  test('responds with an empty array for a team that does not exist', async ({
    service,
  }) => {
    expect(
      await service.get(`/users?team_id=${TeamId.generate()}`),
    ).toMatchObject({ status: 200, json: [] })
  })
})
