import { startServiceForTest } from 'testkit/service-process.ts'
import { expect, test } from 'vitest'

test.for([
  ['1', 422],
  ['0', 200],
] as const)('with STRICT=%s, an unknown query parameter receives %i', async ([STRICT, status]) => {
  const service = await startServiceForTest({ STRICT, DATABASE_URL: 'sqlite::memory:' })
  expect(await service.get('/users?teamid=x')).toMatchObject({ status })
})
