import { describe, expect } from 'vitest'
import { RoleId } from '../../src/ids.ts'
import { created, test } from '../support/service.ts'

describe('POST /roles', () => {
  test('creates a role and answers 201 with it', async ({ service }) => {
    const answer = await service.post('/roles', { name: 'admin', description: 'May do everything' })
    expect(answer.status).toBe(201)
    expect(answer.json).toEqual({ id: expect.any(String), name: 'admin', description: 'May do everything' })
    expect(RoleId.is(answer.json.id)).toBe(true)
  })

  test.for([{}, { description: null }])(
    'gives null for the description in %j',
    async (field, { service }) => {
      expect(await created(service.post('/roles', { name: 'plain', ...field }))).toMatchObject({
        description: null,
      })
    },
  )

  test('answers 400 for a name that is taken, and keeps the first', async ({ service }) => {
    const first = await created(service.post('/roles', { name: 'admin', description: 'first' }))
    const second = await service.post('/roles', { name: 'admin', description: 'second' })
    expect(second).toMatchObject({ status: 400, json: { detail: 'Role name already exists' } })
    expect((await service.get('/roles')).json).toEqual([first])
  })

  test('tells names apart by case, since the specification says only "unique"', async ({ service }) => {
    await created(service.post('/roles', { name: 'admin' }))
    await created(service.post('/roles', { name: 'Admin' }))
  })
})

describe('GET /roles', () => {
  test('lists every role in the order of creation', async ({ service }) => {
    expect((await service.get('/roles')).json).toEqual([])
    const roles = []
    for (const name of ['c', 'a', 'b']) roles.push(await created(service.post('/roles', { name })))
    expect((await service.get('/roles')).json).toEqual(roles)
  })
})
