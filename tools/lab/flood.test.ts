import { expect, test } from 'vitest'
import { findFailures, measureFlood } from './flood/campaign.ts'
import { expectNoFailures } from './kit/report.ts'
import { sum } from './kit/statistics.ts'

test('during a flood of registrations every read succeeds, and excess registrations get 503 with Retry-After', {
  timeout: 30_000,
}, async () => {
  // One hash at a time is at most a fifth of these registrations, even on a fast machine.
  const env = { PASSWORD_HASHES: '1', PASSWORD_QUEUE: '10' }
  const flood = await measureFlood({ perSecond: 500, rounds: 1, seconds: 1, env })
  expectNoFailures(findFailures(flood))
  expect(flood.reads, 'reads').toEqual({ 200: 400 })
  expect(sum(flood.registrations), 'registrations that got a response').toBe(750)
  expect(flood.registrations[201], 'accepted registrations').toBeGreaterThan(0)
  expect(flood.registrations[503], 'rejected registrations').toBeGreaterThan(0)
})
