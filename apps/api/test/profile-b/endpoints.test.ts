import { test as base, describe, expect } from 'vitest'
import { OrderId, ProductId, TeamId, UserId } from '../../src/ids.ts'
import { startInMemory } from '../support/http-fixture.ts'

const test = base.extend('service', () => startInMemory('b'))

const ada = { name: 'Ada', email: 'ada@example.com' }

describe('users', () => {
  test('POST responds 200 with the user, whom both forms of its id look up, for any e-mail address, more than once', async ({
    service,
  }) => {
    for (const email of ['not an address', '', 'not an address']) {
      const { status, json } = await service.post('/users', { ...ada, email })
      const { id, ...rest } = json
      expect(status).toBe(200)
      expect(rest).toEqual({ ...ada, email, team_id: null })
      for (const path of [id, `lookup/${id}`, `lookup/${UserId.toShort(id)}`])
        expect(await service.get(`/users/${path}`)).toMatchObject({
          status: 200,
          json,
        })
    }
  })

  test('DELETE responds 200 with deleted: true, and the user does not exist any more', async ({
    service,
  }) => {
    const user = (await service.post('/users', ada)).json
    expect(await service.delete(`/users/${user.id}`)).toMatchObject({
      status: 200,
      text: '{"deleted":true}',
    })
    for (const method of ['get', 'delete'] as const)
      expect(await service[method](`/users/${user.id}`)).toMatchObject({
        status: 404,
        json: { detail: 'User not found' },
      })
    expect((await service.get('/users')).json).toEqual([])
  })

  test('GET lists all users in the order of creation, and ignores team_id', async ({
    service,
  }) => {
    const team = (await service.post('/teams', { name: 'Engineering' })).json
    const users = []
    for (const team_id of [null, team.id, null])
      users.push((await service.post('/users', { ...ada, team_id })).json)
    for (const team_id of [team.id, TeamId.toShort(team.id), TeamId.generate()])
      expect(await service.get(`/users?team_id=${team_id}`)).toMatchObject({
        status: 200,
        json: users,
      })
    expect((await service.get('/users')).json).toEqual(users)
  })
})

describe('POST /orders', () => {
  const order = { user_id: UserId.example, product_id: ProductId.example }

  test('responds 200 with a new order id, the user and the product, for any integer', async ({
    service,
  }) => {
    const ids = new Set<string>()
    for (const quantity of [2, 0, -1]) {
      const sent = { ...order, quantity }
      const { status, json } = await service.post('/orders', sent)
      const { order_id, ...rest } = json
      expect(status).toBe(200)
      expect(rest).toEqual(order)
      expect(OrderId.is(order_id)).toBe(true)
      ids.add(order_id)
    }
    expect(ids.size).toBe(3)
  })

  test('reports a quantity that is not an integer', async ({ service }) => {
    const msg = 'Input should be a valid integer'
    const issue = { type: 'int_type', loc: ['body', 'quantity'], msg }
    const responding = service.post('/orders', { ...order, quantity: 1.5 })
    expect(await responding).toMatchObject({
      status: 422,
      json: { detail: [issue] },
    })
  })
})

test('a team has its current members, oldest first', async ({ service }) => {
  const { status, json } = await service.post('/teams', { name: 'Team' })
  const { id, ...rest } = json
  expect(status).toBe(200)
  expect(rest).toEqual({ name: 'Team', member_ids: [] })
  expect(TeamId.is(id)).toBe(true)
  const ids = []
  for (const team_id of [id, null, id, id])
    ids.push((await service.post('/users', { ...ada, team_id })).json.id)
  const [first, , second, third] = ids

  const members = async () =>
    (await service.get(`/teams/${id}`)).json.member_ids
  expect(await members()).toEqual([first, second, third])
  await service.delete(`/users/${second}`)
  expect(await members()).toEqual([first, third])
})

test.for([
  ['/users?team_id=', 400, 'Invalid team ID'],
  ['/users/lookup/%ff', 400, 'Invalid user ID'],
  [`/users/lookup/${TeamId.toShort(TeamId.example)}`, 400, 'Expected user ID'],
  ['/roles', 404, 'Not Found'],
] as const)(
  'GET %s responds %d "%s", and HEAD the same status',
  async ([path, status, detail], { service }) => {
    expect(await service.get(path)).toMatchObject({ status, json: { detail } })
    expect((await service.fetch(path, { method: 'HEAD' })).status).toBe(status)
  },
)
