import { describe, expect } from 'vitest'
import { OrderId, ProductId, TeamId, UserId } from '../../src/ids.ts'
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

  test.for(['user_id', 'product_id'] as const)(
    'responds 422 for another type of id in %s',
    async (field, { service }) => {
      const other = field === 'user_id' ? order.product_id : order.user_id
      for (const value of [other, 'garbage', null, UserId.toShort(order.user_id)]) {
        const response = await service.post('/orders', { ...order, [field]: value })
        expect(response).toMatchObject({ status: 422, json: { detail: [{ loc: ['body', field] }] } })
      }
    },
  )

  test.for([0, -1, Number.MAX_SAFE_INTEGER, Number.MIN_SAFE_INTEGER])(
    'accepts a quantity of %j: the specification says integer, and no more',
    async (quantity, { service }) => {
      expect(await service.post('/orders', { ...order, quantity })).toMatchObject({ status: 200 })
    },
  )

  test.for([1.5, '2', null, true, 2 ** 53])(
    'responds 422 for a quantity of %j',
    async (quantity, { service }) => {
      const response = await service.post('/orders', { ...order, quantity })
      expect(response).toMatchObject({ status: 422, json: { detail: [{ loc: ['body', 'quantity'] }] } })
    },
  )

  test('responds 422 with every missing field', async ({ service }) => {
    const response = await service.post('/orders', {})
    const locs = response.json.detail.map((issue: { loc: unknown }) => issue.loc)
    expect(locs).toEqual([
      ['body', 'user_id'],
      ['body', 'product_id'],
      ['body', 'quantity'],
    ])
  })
})

describe('POST /teams', () => {
  test('responds 200 with a team without members', async ({ service }) => {
    const response = await service.post('/teams', { name: 'Engineering' })
    expect(response).toMatchObject({ status: 200 })
    expect(response.json).toEqual({ id: expect.any(String), name: 'Engineering', member_ids: [] })
    expect(TeamId.is(response.json.id)).toBe(true)
  })

  test.for([
    [{}, 'missing'],
    [{ name: null }, 'string_type'],
    [{ name: 'x'.repeat(101) }, 'string_too_long'],
  ])('responds 422 for %j', async ([body, type], { service }) => {
    const response = await service.post('/teams', body)
    expect(response).toMatchObject({ status: 422, json: { detail: [{ type, loc: ['body', 'name'] }] } })
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

  test.for(['garbage', 'user-0190163d-8694-739b-aea5-966c26f8ad91', 'team_01j0b3v1mmeedtx9cpdgkfhbch'])(
    'responds 422 with loc ["path","team_id"] for %s',
    async (id, { service }) => {
      const response = await service.get(`/teams/${id}`)
      expect(response).toMatchObject({ status: 422, json: { detail: [{ loc: ['path', 'team_id'] }] } })
    },
  )
})

test('Profile B has no list of teams, no PATCH of users, and no roles', async ({ service }) => {
  expect(await service.get('/teams')).toMatchObject({ status: 405 })
  expect(await service.patch('/users/user-0190163d-8694-739b-aea5-966c26f8ad91', {})).toMatchObject({
    status: 405,
  })
  expect(await service.get('/roles')).toMatchObject({ status: 404, json: { detail: 'Not Found' } })
})
