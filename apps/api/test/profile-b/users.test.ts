import { readPages } from 'testkit/client.ts'
import { describe, expect } from 'vitest'
import { TeamId, UserId } from '../../src/ids.ts'
import { test } from '../support/listen.ts'

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

  test('responds 422 with every invalid field', async ({ service }) => {
    const response = await service.post('/users', { email: 'x'.repeat(256), team_id: UserId.example })
    expect(response.status).toBe(422)
    expect(response.json.detail.map((issue: { loc: unknown }) => issue.loc)).toEqual([
      ['body', 'name'],
      ['body', 'email'],
      ['body', 'team_id'],
    ])
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

  test('accepts the standard form of a user id only', async ({ service }) => {
    for (const id of ['garbage', TeamId.example, UserId.toShort(UserId.example)]) {
      const response = await service.get(`/users/${id}`)
      expect(response).toMatchObject({ status: 422, json: { detail: [{ loc: ['path', 'user_id'] }] } })
    }
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

  test.for([
    '',
    'garbage',
    'team-',
    'team-0190163D-8694-739B-AEA5-966C26F8AD91',
    'team_01j0b3v1mmeedtx9cpdgkfhbc',
  ])('responds 400 "Invalid team ID" for "%s"', async (team_id, { service }) => {
    const response = await service.get(`/users?team_id=${team_id}`)
    expect(response).toMatchObject({ status: 400, json: { detail: 'Invalid team ID' } })
  })

  test.for([UserId.example, UserId.toShort(UserId.example)])(
    'responds 400 "Expected team ID" for %s',
    async (team_id, { service }) => {
      const response = await service.get(`/users?team_id=${team_id}`)
      expect(response).toMatchObject({ status: 400, json: { detail: 'Expected team ID' } })
    },
  )

  test('lists pages with limit and after, and links to the next one', async ({ service }) => {
    const users = []
    for (let n = 0; n < 5; n += 1) users.push((await service.post('/users', ada)).json)
    for (const limit of [1, 2, 5, 6]) {
      const listed = []
      for await (const page of readPages(service, `/users?limit=${limit}`)) {
        expect(page.length).toBeLessThanOrEqual(limit)
        listed.push(...page)
      }
      expect(listed, `limit=${limit}`).toEqual(users)
    }
  })

  // http/paging.test.ts tests the same declaration of lists with more values.
  test.for(['limit=0', 'limit=1001', 'limit=abc', 'after=garbage', `after=${TeamId.example}`])(
    'responds 422 to %s',
    async (query, { service }) => {
      const [name] = query.split('=')
      expect(await service.get(`/users?${query}`)).toMatchObject({
        status: 422,
        json: { detail: [{ loc: ['query', name] }] },
      })
    },
  )
})
