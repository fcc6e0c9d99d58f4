import { describe, expect } from 'vitest'
import { OrderId, ProductId, TeamId, UserId } from '../../src/ids.ts'
import { test } from '../support/listen.ts'

// Which requests are invalid follows from the schemas: contract.test.ts sends such requests to every operation.

const ada = { name: 'Ada', email: 'ada@example.com' }
const notFound = { status: 404, json: { detail: 'User not found' } }

describe('POST /users', () => {
  test('responds 200 with the user, whose team is null by default', async ({ service }) => {
    const response = await service.post('/users', ada)
    expect(response).toMatchObject({ status: 200 })
    expect(response.json).toEqual({ id: expect.any(String), ...ada, team_id: null })
    expect(UserId.is(response.json.id)).toBe(true)
  })

  test('stores the team', async ({ service }) => {
    const team = (await service.post('/teams', { name: 'Engineering' })).json
    const response = await service.post('/users', { ...ada, team_id: team.id })
    expect(response).toMatchObject({ status: 200, json: { ...ada, team_id: team.id } })
  })

  test('accepts any text as e-mail address, more than once', async ({ service }) => {
    for (const email of ['not an address', '', 'not an address']) {
      expect(await service.post('/users', { ...ada, email })).toMatchObject({ status: 200, json: { email } })
    }
  })

  test('responds 404 for a team that does not exist, and stores nothing', async ({ service }) => {
    const response = await service.post('/users', { ...ada, team_id: TeamId.generate() })
    expect(response).toMatchObject({ status: 404, json: { detail: 'Team not found' } })
    expect((await service.get('/users')).json).toEqual([])
  })
})

describe('GET /users/{user_id}', () => {
  test('responds 200 with the user', async ({ service }) => {
    const user = (await service.post('/users', ada)).json
    expect(await service.get(`/users/${user.id}`)).toMatchObject({ status: 200, json: user })
  })

  test('responds 404 for an unknown user', async ({ service }) => {
    expect(await service.get(`/users/${UserId.generate()}`)).toMatchObject(notFound)
  })
})

describe('DELETE /users/{user_id}', () => {
  test('responds 200 with deleted: true, and the user does not exist any more', async ({ service }) => {
    const user = (await service.post('/users', ada)).json
    const response = await service.delete(`/users/${user.id}`)
    expect(response).toMatchObject({ status: 200 })
    expect(response.json).toEqual({ deleted: true })
    expect(await service.get(`/users/${user.id}`)).toMatchObject(notFound)
    expect(await service.delete(`/users/${user.id}`)).toMatchObject(notFound)
    expect((await service.get('/users')).json).toEqual([])
  })
})

describe('GET /users', () => {
  test('lists all users in the order of creation, and ignores team_id', async ({ service }) => {
    const team = (await service.post('/teams', { name: 'Engineering' })).json
    const users = []
    for (const team_id of [null, team.id, null])
      users.push((await service.post('/users', { ...ada, team_id })).json)
    for (const query of ['', `?team_id=${team.id}`, `?team_id=${TeamId.toShort(team.id)}`]) {
      expect(await service.get(`/users${query}`)).toMatchObject({ status: 200, json: users })
    }
    expect(await service.get(`/users?team_id=${TeamId.generate()}`)).toMatchObject({
      status: 200,
      json: users,
    })
  })

  test.for(['', 'garbage', 'team_01j0b3v1mmeedtx9cpdgkfhbc'])(
    'responds 400 "Invalid team ID" for "%s"',
    async (team_id, { service }) => {
      const response = await service.get(`/users?team_id=${team_id}`)
      expect(response).toMatchObject({ status: 400, json: { detail: 'Invalid team ID' } })
    },
  )

  test.for([UserId.example, UserId.toShort(UserId.example)])(
    'responds 400 "Expected team ID" for %s',
    async (team_id, { service }) => {
      const response = await service.get(`/users?team_id=${team_id}`)
      expect(response).toMatchObject({ status: 400, json: { detail: 'Expected team ID' } })
    },
  )
})

const uuid = '0190163d-8694-739b-aea5-966c26f8ad91'
const suffix = '01j0b3v1mmeedtx9cpdgkfhbch'

describe('GET /users/lookup/{id}', () => {
  test.for([
    'garbage',
    `user-${uuid.toUpperCase()}`,
    `user_8${suffix.slice(1)}`,
    `us%20er-${uuid}`,
    '%00',
    '%F0%9F%98%80',
    '%ff',
    'x'.repeat(5000),
  ])('responds 400 "Invalid user ID" for %s', async (id, { service }) => {
    const response = await service.get(`/users/lookup/${id}`)
    expect(response).toMatchObject({ status: 400, json: { detail: 'Invalid user ID' } })
  })

  test.for([TeamId.example, TeamId.toShort(TeamId.example), `unheardof-${uuid}`])(
    'responds 400 "Expected user ID" for %s, a well-formed id of another type',
    async (id, { service }) => {
      const response = await service.get(`/users/lookup/${id}`)
      expect(response).toMatchObject({ status: 400, json: { detail: 'Expected user ID' } })
    },
  )

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

const order = { user_id: UserId.example, product_id: ProductId.example, quantity: 2 }

describe('POST /orders', () => {
  test('responds 200 with a new order id, the user and the product', async ({ service }) => {
    const { user_id, product_id } = order
    const responses = [await service.post('/orders', order), await service.post('/orders', order)]
    for (const response of responses) {
      expect(response.status).toBe(200)
      expect(response.json).toEqual({ order_id: expect.any(String), user_id, product_id })
      expect(OrderId.is(response.json.order_id)).toBe(true)
    }
    expect(responses[0]?.json.order_id).not.toBe(responses[1]?.json.order_id)
  })

  test.for([0, -1, Number.MAX_SAFE_INTEGER, Number.MIN_SAFE_INTEGER])(
    'accepts a quantity of %j: the specification says integer, and no more',
    async (quantity, { service }) => {
      expect(await service.post('/orders', { ...order, quantity })).toMatchObject({ status: 200 })
    },
  )
})

describe('POST /teams', () => {
  test('responds 200 with a team without members', async ({ service }) => {
    const response = await service.post('/teams', { name: 'Engineering' })
    expect(response).toMatchObject({ status: 200 })
    expect(response.json).toEqual({ id: expect.any(String), name: 'Engineering', member_ids: [] })
    expect(TeamId.is(response.json.id)).toBe(true)
  })
})

describe('GET /teams/{team_id}', () => {
  test('responds 200 with the current members, oldest first', async ({ service }) => {
    const team = (await service.post('/teams', { name: 'Engineering' })).json
    const join = (team_id: string | null) => service.post('/users', { name: 'x', email: 'x', team_id })
    const ids = []
    for (const team_id of [team.id, null, team.id, team.id]) ids.push((await join(team_id)).json.id)
    const [first, , second, third] = ids

    const members = async () => (await service.get(`/teams/${team.id}`)).json
    expect(await members()).toEqual({ ...team, member_ids: [first, second, third] })
    await service.delete(`/users/${second}`)
    expect(await members()).toEqual({ ...team, member_ids: [first, third] })
  })

  test('responds 404 "Team not found" for an unknown team', async ({ service }) => {
    const response = await service.get(`/teams/${TeamId.generate()}`)
    expect(response).toMatchObject({ status: 404, json: { detail: 'Team not found' } })
  })
})

test('Profile B has no list of teams, no PATCH of users, and no roles', async ({ service }) => {
  expect(await service.get('/teams')).toMatchObject({ status: 405 })
  expect(await service.patch('/users/user-0190163d-8694-739b-aea5-966c26f8ad91', {})).toMatchObject({
    status: 405,
  })
  expect(await service.get('/roles')).toMatchObject({ status: 404, json: { detail: 'Not Found' } })
})
