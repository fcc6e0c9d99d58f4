import { expect, test } from 'vitest'
import { fuzz } from './run.ts'

test('every function matches the reference implementation for any value, and throws no other error than TypedIdError', async () => {
  const { tried, failures } = await fuzz({ seed: 1, rounds: 1, runs: 2000, seconds: 60 })
  expect(failures).toEqual([])
  expect(tried.size).toBeGreaterThan(25)
})
