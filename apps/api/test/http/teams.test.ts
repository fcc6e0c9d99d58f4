import { describe, expect } from 'vitest'
import { TeamId } from '../../src/ids.ts'
import { bodyOf201, test } from '../support/http-fixture.ts'

describe('POST /teams', () => {
  test('responds 201 with the new team', async ({ service }) => {
    const response = await service.post('/teams', { name: 'Engineering' })
    expect(response.status).toBe(201)
    expect(response.json).toEqual({ id: expect.any(String), name: 'Engineering' })
    expect(TeamId.is(response.json.id)).toBe(true)
    expect(await service.get(`/teams/${response.json.id}`)).toMatchObject({
      status: 200,
      json: response.json,
    })
  })

  test('ignores an id in the body', async ({ service }) => {
    const id = TeamId.example
    expect((await bodyOf201(service.post('/teams', { id, name: 'Mine' }))).id).not.toBe(id)
  })

  test('accepts a name twice: only role names are unique', async ({ service }) => {
    await bodyOf201(service.post('/teams', { name: 'Twin' }))
    await bodyOf201(service.post('/teams', { name: 'Twin' }))
  })
})

describe('GET /teams/{team_id}', () => {
  test('responds 404 "Team not found" for an unknown team', async ({ service }) => {
    const response = await service.get(`/teams/${TeamId.generate()}`)
    expect(response).toMatchObject({ status: 404, json: { detail: 'Team not found' } })
  })
})

describe('GET /teams', () => {
  test('responds with an empty array when there is no team', async ({ service }) => {
    expect(await service.get('/teams')).toMatchObject({ status: 200, json: [] })
  })

  test('lists every team in the order of creation', async ({ service }) => {
    const teams = []
    for (const name of ['c', 'a', 'b']) teams.push(await bodyOf201(service.post('/teams', { name })))
    expect((await service.get('/teams')).json).toEqual(teams)
  })
})
