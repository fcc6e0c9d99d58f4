import { describe, expect } from 'vitest'
import { TeamId, UserId } from '../../../src/ids.ts'
import { test } from '../../support/listen.ts'

const ada = { name: 'Ada', email: 'ada@example.com' }
const notFound = { status: 404, json: { detail: 'User not found' } }

describe('POST /users', () => {
  test('answers 200 with the user, whose team is null by default', async ({ service }) => {
    const answer = await service.post('/users', ada)
    expect(answer).toMatchObject({ status: 200 })
    expect(answer.json).toEqual({ id: expect.any(String), ...ada, team_id: null })
    expect(UserId.is(answer.json.id)).toBe(true)
  })

  test('keeps the team', async ({ service }) => {
    const team = (await service.post('/teams', { name: 'Engineering' })).json
    const answer = await service.post('/users', { ...ada, team_id: team.id })
    expect(answer).toMatchObject({ status: 200, json: { ...ada, team_id: team.id } })
  })

  test('takes any text for an e-mail, as often as it comes', async ({ service }) => {
    for (const email of ['not an address', '', 'not an address']) {
      expect(await service.post('/users', { ...ada, email })).toMatchObject({ status: 200, json: { email } })
    }
  })

  test('answers 404 for a team that does not exist, and stores nothing', async ({ service }) => {
    const answer = await service.post('/users', { ...ada, team_id: TeamId.generate() })
    expect(answer).toMatchObject({ status: 404, json: { detail: 'Team not found' } })
    expect((await service.get('/users')).json).toEqual([])
  })

  test('answers 422 with every invalid field', async ({ service }) => {
    const answer = await service.post('/users', { email: 'x'.repeat(256), team_id: UserId.example })
    expect(answer.status).toBe(422)
    expect(answer.json.detail.map((issue: { loc: unknown }) => issue.loc)).toEqual([
      ['body', 'name'],
      ['body', 'email'],
      ['body', 'team_id'],
    ])
  })
})

describe('GET /users/{user_id}', () => {
  test('answers 200 with the user', async ({ service }) => {
    const user = (await service.post('/users', ada)).json
    expect(await service.get(`/users/${user.id}`)).toMatchObject({ status: 200, json: user })
  })

  test('answers 404 for an unknown user', async ({ service }) => {
    expect(await service.get(`/users/${UserId.generate()}`)).toMatchObject(notFound)
  })

  test('takes the standard form of a user id only', async ({ service }) => {
    for (const id of ['garbage', TeamId.example, UserId.toShort(UserId.example)]) {
      const answer = await service.get(`/users/${id}`)
      expect(answer).toMatchObject({ status: 422, json: { detail: [{ loc: ['path', 'user_id'] }] } })
    }
  })
})

describe('DELETE /users/{user_id}', () => {
  test('answers 200 with deleted: true, and the user is gone', async ({ service }) => {
    const user = (await service.post('/users', ada)).json
    const answer = await service.delete(`/users/${user.id}`)
    expect(answer).toMatchObject({ status: 200 })
    expect(answer.json).toEqual({ deleted: true })
    expect(await service.get(`/users/${user.id}`)).toMatchObject(notFound)
    expect(await service.delete(`/users/${user.id}`)).toMatchObject(notFound)
    expect((await service.get('/users')).json).toEqual([])
  })
})

describe('GET /users', () => {
  test('lists all users in the order of creation, whatever team is asked for', async ({ service }) => {
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
  ])('answers 400 "Invalid team ID" for "%s"', async (team_id, { service }) => {
    const answer = await service.get(`/users?team_id=${team_id}`)
    expect(answer).toMatchObject({ status: 400, json: { detail: 'Invalid team ID' } })
  })

  test.for([UserId.example, UserId.toShort(UserId.example)])(
    'answers 400 "Expected team ID" for %s',
    async (team_id, { service }) => {
      const answer = await service.get(`/users?team_id=${team_id}`)
      expect(answer).toMatchObject({ status: 400, json: { detail: 'Expected team ID' } })
    },
  )
})
