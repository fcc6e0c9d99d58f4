import { describe, expect } from 'vitest'
import { RoleId } from '../../src/ids.ts'
import { bodyOf201, test } from '../support/http-fixture.ts'

describe('POST /roles', () => {
  test('responds 201 with the new role', async ({ service }) => {
    const response = await service.post('/roles', { name: 'admin', description: 'May do everything' })
    expect(response.status).toBe(201)
    expect(response.json).toEqual({ id: expect.any(String), name: 'admin', description: 'May do everything' })
    expect(RoleId.is(response.json.id)).toBe(true)
  })

  test.for([{}, { description: null }])(
    'returns null for the description in %j',
    async (field, { service }) => {
      expect(await bodyOf201(service.post('/roles', { name: 'plain', ...field }))).toMatchObject({
        description: null,
      })
    },
  )

  test('responds 400 for a name that is taken, and keeps the first role', async ({ service }) => {
    const first = await bodyOf201(service.post('/roles', { name: 'admin', description: 'first' }))
    const second = await service.post('/roles', { name: 'admin', description: 'second' })
    expect(second).toMatchObject({ status: 400, json: { detail: 'Role name already exists' } })
    expect((await service.get('/roles')).json).toEqual([first])
  })

  test('accepts names that differ in case: the specification says only "unique"', async ({ service }) => {
    await bodyOf201(service.post('/roles', { name: 'admin' }))
    await bodyOf201(service.post('/roles', { name: 'Admin' }))
  })
})

describe('GET /roles', () => {
  test('lists every role in the order of creation', async ({ service }) => {
    expect((await service.get('/roles')).json).toEqual([])
    const roles = []
    for (const name of ['c', 'a', 'b']) roles.push(await bodyOf201(service.post('/roles', { name })))
    expect((await service.get('/roles')).json).toEqual(roles)
  })
})
