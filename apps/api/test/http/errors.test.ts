import { expect } from 'vitest'
import { bodyOf201, newUser, storedUser, test } from '../support/http-fixture.ts'

const linesOf = (logLines: readonly string[]) => logLines.map((line) => JSON.parse(line))

test('the log has one line per request with method, route, status and duration, and no path', async ({
  service,
}) => {
  const user = await bodyOf201(service.post('/users', newUser()))
  await service.get(`/users/${user.id}`)
  await service.get('/nowhere')
  expect(linesOf(service.logLines)).toMatchObject([
    { method: 'POST', route: '/users', status: 201, ms: expect.any(Number), request_id: expect.any(String) },
    { method: 'GET', route: '/users/{user_id}', status: 200 },
    { method: 'GET', route: null, status: 404 },
  ])
  expect(service.logLines.join()).not.toContain(user.id)
})

test('the log has the cause of a 500, and the response does not', async ({ service, database }) => {
  const user = await storedUser(service)
  const rename = (from: string, to: string) =>
    database.exclusively((tx) => tx.schema.alterTable(from).renameTo(to).execute())
  await rename('user_roles', 'renamed')
  try {
    const response = await service.get(`/users/${user.id}`)
    expect(response).toMatchObject({ status: 500, json: { detail: 'Internal Server Error' } })
    const error = linesOf(service.logLines).find((line) => line.level === 50)
    expect(error).toMatchObject({ err: { message: expect.stringContaining('user_roles') } })
  } finally {
    await rename('renamed', 'user_roles')
  }
})
