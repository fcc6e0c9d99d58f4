import { expect, test } from 'vitest'
import { findFailures, kill } from './kill/campaign.ts'
import { expectNoFailures } from './kit/report.ts'

const SEED = 1

test.each([
  { target: 'service-on-sqlite', kills: 3 },
  { target: 'service-on-postgres', kills: 2 },
  { target: 'postgres', kills: 2 },
] as const)(
  '$target: an acknowledged write survives SIGKILL, and every other write is stored completely or not at all',
  {},
  async ({ target, kills }) => {
    const writers = 24
    const result = await kill({ target, kills, writers, seed: SEED })
    expectNoFailures(findFailures(result))
    // The kill must have interrupted writes, else the comparison shows nothing.
    const { acknowledged, disconnected, unavailable } = result
    expect(acknowledged, 'acknowledged writes').toBeGreaterThanOrEqual(2 * writers * kills)
    if (target === 'postgres') {
      expect(unavailable, 'writes with a 503 while PostgreSQL was down').toBeGreaterThan(0)
      expect(disconnected, 'writes without a response although the service was running').toBe(0)
    } else expect(disconnected, 'writes that the kill has interrupted').toBeGreaterThan(0)
  },
)
