import { describe, expect } from 'vitest'
import { TeamId } from '../../src/ids.ts'
import { test } from '../support/listen.ts'

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
