import { describe, expect } from 'vitest'
import { TeamId } from '../../src/ids.ts'
import { created, test } from '../support/service.ts'

describe('POST /teams', () => {
  test('creates a team and answers 201 with it', async ({ service }) => {
    const answer = await service.post('/teams', { name: 'Engineering' })
    expect(answer.status).toBe(201)
    expect(answer.json).toEqual({ id: expect.any(String), name: 'Engineering' })
    expect(TeamId.is(answer.json.id)).toBe(true)
    expect(await service.get(`/teams/${answer.json.id}`)).toMatchObject({ status: 200, json: answer.json })
  })

  test('makes the id itself, whatever the client sends', async ({ service }) => {
    const id = TeamId.example
    expect((await created(service.post('/teams', { id, name: 'Mine' }))).id).not.toBe(id)
  })

  test('takes a name twice, since only role names are unique', async ({ service }) => {
    await created(service.post('/teams', { name: 'Twin' }))
    await created(service.post('/teams', { name: 'Twin' }))
  })
})

describe('GET /teams/{team_id}', () => {
  test('answers 404 "Team not found" for an unknown team', async ({ service }) => {
    const answer = await service.get(`/teams/${TeamId.generate()}`)
    expect(answer).toMatchObject({ status: 404, json: { detail: 'Team not found' } })
  })
})

describe('GET /teams', () => {
  test('answers an empty array when there is none', async ({ service }) => {
    expect(await service.get('/teams')).toMatchObject({ status: 200, json: [] })
  })

  test('lists every team in the order of creation', async ({ service }) => {
    const teams = []
    for (const name of ['c', 'a', 'b']) teams.push(await created(service.post('/teams', { name })))
    expect((await service.get('/teams')).json).toEqual(teams)
  })
})
