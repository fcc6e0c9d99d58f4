import { describe, expect } from 'vitest'
import { OrderId, ProductId, TeamId, UserId } from '../../src/ids.ts'
import { test } from '../support/listen.ts'

// contract.test.ts tests which requests are invalid: it derives them from the
// schemas.

const ada = { name: 'Ada', email: 'ada@example.com' }
const failure = (status: number, detail: string) => ({
  status,
  json: { detail },
})
const USER_NOT_FOUND = failure(404, 'User not found')
const TEAM_NOT_FOUND = failure(404, 'Team not found')

describe('users', () => {
  test('POST responds 200 with the user, whose team is null by default', async ({
    service,
  }) => {
    const { status, json } = await service.post('/users', ada)
    expect(status).toBe(200)
    expect(json).toEqual({ id: expect.any(String), ...ada, team_id: null })
    expect(UserId.is(json.id)).toBe(true)
    expect(await service.get(`/users/${json.id}`)).toMatchObject({
      status: 200,
      json,
    })
  })

  test('POST accepts any text as e-mail address, more than once', async ({
    service,
  }) => {
    for (const email of ['not an address', '', 'not an address'])
      expect(await service.post('/users', { ...ada, email })).toMatchObject({
        status: 200,
        json: { email },
      })
  })

  test('POST responds 404 for a team that does not exist, and stores nothing', async ({
    service,
  }) => {
    expect(
      await service.post('/users', { ...ada, team_id: TeamId.generate() }),
    ).toMatchObject(TEAM_NOT_FOUND)
    expect((await service.get('/users')).json).toEqual([])
  })

  test('DELETE responds 200 with deleted: true, and the user does not exist any more', async ({
    service,
  }) => {
    const user = (await service.post('/users', ada)).json
    expect(await service.delete(`/users/${user.id}`)).toMatchObject({
      status: 200,
      text: '{"deleted":true}',
    })
    expect(await service.get(`/users/${user.id}`)).toMatchObject(USER_NOT_FOUND)
    expect(await service.delete(`/users/${user.id}`)).toMatchObject(
      USER_NOT_FOUND,
    )
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

  test.for([
    ['', 'Invalid team ID'],
    ['garbage', 'Invalid team ID'],
    ['team_01j0b3v1mmeedtx9cpdgkfhbc', 'Invalid team ID'],
    [UserId.example, 'Expected team ID'],
    [UserId.toShort(UserId.example), 'Expected team ID'],
  ] as const)(
    'GET with team_id=%s responds 400 "%s"',
    async ([team_id, detail], { service }) => {
      expect(await service.get(`/users?team_id=${team_id}`)).toMatchObject(
        failure(400, detail),
      )
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
    expect(await service.get(`/users/lookup/${id}`)).toMatchObject(
      failure(400, 'Invalid user ID'),
    )
  })

  test.for([
    TeamId.example,
    TeamId.toShort(TeamId.example),
    `unheardof-${uuid}`,
  ])(
    'responds 400 "Expected user ID" for %s, a well-formed id of another type',
    async (id, { service }) => {
      expect(await service.get(`/users/lookup/${id}`)).toMatchObject(
        failure(400, 'Expected user ID'),
      )
    },
  )

  test('accepts both forms, and responds 404 for an unknown user', async ({
    service,
  }) => {
    const user = (await service.post('/users', ada)).json
    for (const form of [user.id, UserId.toShort(user.id)])
      expect(await service.get(`/users/lookup/${form}`)).toMatchObject({
        status: 200,
        json: user,
      })
    const id = UserId.generate()
    for (const form of [id, UserId.toShort(id)])
      expect(await service.get(`/users/lookup/${form}`)).toMatchObject(
        USER_NOT_FOUND,
      )
  })

  test('does not handle /users/lookup itself, which is GET /users/{user_id}', async ({
    service,
  }) => {
    expect(await service.get('/users/lookup')).toMatchObject({ status: 422 })
  })
})

describe('POST /orders', () => {
  const order = {
    user_id: UserId.example,
    product_id: ProductId.example,
    quantity: 2,
  }

  test('responds 200 with a new order id, the user and the product', async ({
    service,
  }) => {
    const { user_id, product_id } = order
    const [one, two] = [
      await service.post('/orders', order),
      await service.post('/orders', order),
    ]
    expect(one.json).toEqual({
      order_id: expect.any(String),
      user_id,
      product_id,
    })
    expect(OrderId.is(one.json.order_id)).toBe(true)
    expect(one.json.order_id).not.toBe(two.json.order_id)
  })

  test.for([0, -1, Number.MAX_SAFE_INTEGER, Number.MIN_SAFE_INTEGER])(
    'accepts a quantity of %j: the specification says integer, and no more',
    async (quantity, { service }) => {
      expect(
        await service.post('/orders', { ...order, quantity }),
      ).toMatchObject({ status: 200 })
    },
  )

  test.for(['2', 1.5])(
    'reports the quantity %j',
    async (quantity, { service }) => {
      const msg = 'Input should be a valid integer'
      expect(
        await service.post('/orders', { ...order, quantity }),
      ).toMatchObject({
        status: 422,
        json: {
          detail: [{ type: 'int_type', loc: ['body', 'quantity'], msg }],
        },
      })
    },
  )
})

test('a team has its current members, oldest first', async ({ service }) => {
  const created = await service.post('/teams', { name: 'Engineering' })
  const team = created.json
  expect(created.status).toBe(200)
  expect(team).toEqual({
    id: expect.any(String),
    name: 'Engineering',
    member_ids: [],
  })
  expect(TeamId.is(team.id)).toBe(true)
  const ids = []
  for (const team_id of [team.id, null, team.id, team.id])
    ids.push((await service.post('/users', { ...ada, team_id })).json.id)
  const [first, , second, third] = ids

  const members = async () =>
    (await service.get(`/teams/${team.id}`)).json.member_ids
  expect(await members()).toEqual([first, second, third])
  await service.delete(`/users/${second}`)
  expect(await members()).toEqual([first, third])
  expect(await service.get(`/teams/${TeamId.generate()}`)).toMatchObject(
    TEAM_NOT_FOUND,
  )
})

test('Profile B has no list of teams, no PATCH of users, and no roles', async ({
  service,
}) => {
  expect(await service.get('/teams')).toMatchObject({ status: 405 })
  expect(await service.patch(`/users/${UserId.example}`, {})).toMatchObject({
    status: 405,
  })
  expect(await service.get('/roles')).toMatchObject({
    status: 404,
    json: { detail: 'Not Found' },
  })
})
