import { expect } from 'vitest'
import { bodyOf201, newUser, test } from '../support/http-fixture.ts'

test('the log has one line per request with method, route, status and duration, and no path', async ({
  service,
}) => {
  const user = await bodyOf201(service.post('/users', newUser()))
  await service.get(`/users/${user.id}`)
  await service.get('/nowhere')
  expect(service.logLines.map((line) => JSON.parse(line))).toMatchObject([
    { method: 'POST', route: '/users', status: 201, ms: expect.any(Number), request_id: expect.any(String) },
    { method: 'GET', route: '/users/{user_id}', status: 200 },
    { method: 'GET', route: null, status: 404 },
  ])
  expect(service.logLines.join()).not.toContain(user.id)
})
