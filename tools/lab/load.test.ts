import { expect, test } from 'vitest'
import * as flood from './flood/campaign.ts'
import { expectNoFailures } from './kit/report.ts'
import { sum } from './kit/statistics.ts'

test('during a flood of registrations every read succeeds, and excess registrations get 503 with Retry-After', async () => {
  // One hash at a time is at most a fifth of these registrations, even on a fast machine.
  const env = { PASSWORD_HASHES: '1', PASSWORD_QUEUE: '10' }
  const result = await flood.measureFlood({ perSecond: 500, rounds: 1, seconds: 1, env })
  expectNoFailures(flood.findFailures(result))
  expect(result.reads, 'reads').toEqual({ 200: 400 })
  expect(sum(result.registrations), 'registrations that got a response').toBe(750)
  expect(result.registrations[201], 'accepted registrations').toBeGreaterThan(0)
  expect(result.registrations[503], 'rejected registrations').toBeGreaterThan(0)
})
