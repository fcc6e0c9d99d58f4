import { expect, test } from 'vitest'
import { fuzz } from './run.ts'

test('every function does with any value what its twin does, and throws nothing but a TypedIdError', async () => {
  const { tried, failures } = await fuzz({ seed: 1, rounds: 1, runs: 2000, seconds: 60 })
  expect(failures).toEqual([])
  expect(tried.size).toBeGreaterThan(25)
}, 60_000)
