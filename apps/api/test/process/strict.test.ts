import { expect, test } from 'vitest'
import { startServiceForTest } from '../support/service-process.ts'

test.for([
  ['1', 422],
  ['0', 200],
] as const)('with STRICT=%s, an unknown query parameter receives %i', async ([STRICT, status]) => {
  const service = await startServiceForTest({ STRICT, DATABASE_URL: 'sqlite::memory:' })
  expect(await service.get('/users?teamid=x')).toMatchObject({ status })
})
