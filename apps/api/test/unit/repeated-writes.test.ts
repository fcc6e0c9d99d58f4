import { expect, onTestFinished, test } from 'vitest'
import { newUser } from '../support/http-fixture.ts'
import { listen } from '../support/listen.ts'

/** The table of docs/operations/databases.md: a client that receives no response, or 503, repeats its request. */
test('the response to a write that is repeated says what is stored', async () => {
  const service = await listen('a')
  onTestFinished(service.close)
  const twice = async (send: () => Promise<{ status: number }>) => [
    (await send()).status,
    (await send()).status,
  ]
  const user = newUser()
  expect(await twice(() => service.post('/users', user))).toEqual([201, 400])
  expect(await twice(() => service.post('/roles', { name: 'admin' }))).toEqual([201, 400])
  expect(await twice(() => service.post('/teams', { name: 'Engineering' }))).toEqual([201, 201])
  expect((await service.get('/teams')).json).toHaveLength(2)
  const [{ id: role }] = (await service.get('/roles')).json
  const [{ id }] = (await service.get('/users')).json
  expect(await twice(() => service.post(`/users/${id}/roles/${role}`))).toEqual([200, 200])
  expect(await twice(() => service.patch(`/users/${id}`, { name: 'Ada' }))).toEqual([200, 200])
  expect((await service.get('/users')).json).toMatchObject([{ name: 'Ada', roles: [{ name: 'admin' }] }])
  expect(await twice(() => service.delete(`/users/${id}`))).toEqual([204, 404])
  expect((await service.get('/users')).json).toEqual([])
})
