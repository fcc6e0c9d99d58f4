import { hasPgbouncer } from 'testkit/pgbouncer.ts'
import { expect, test } from 'vitest'
import * as flood from './flood/campaign.ts'
import { expectNoFailures } from './kit/report.ts'
import { sum } from './kit/statistics.ts'
import * as pgbouncer from './pgbouncer/campaign.ts'
import * as slowReader from './slow-reader/campaign.ts'

/* Short forms of the campaigns that put load on the service. */

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

test.skipIf(!hasPgbouncer())(
  'two instances respond through PgBouncer, in transaction and session mode, as they do without it',
  async () => {
    const requests = 2048
    const results = await pgbouncer.compareWithDirect({
      requests,
      clients: 16,
      modes: ['transaction', 'session'],
    })
    expectNoFailures(pgbouncer.findFailures(results))
    expect(results.map((result) => [result.connection, result.requests])).toEqual([
      ['direct', requests],
      ['transaction', requests],
      ['session', requests],
    ])
  },
)

test('a slow reader of a long list costs little memory and does not delay other requests', async () => {
  const users = 100_000
  const cost = await slowReader.measureSlowReader(users, 2000)
  expectNoFailures(slowReader.findFailures(cost, users))
  // Without these the comparison shows nothing.
  expect(cost.megabytesSent, 'size of the list in MB').toBeGreaterThan(40)
  expect(cost.others.count, 'other requests during the slow read').toBeGreaterThan(5)
  expect(cost.othersDuringCurl.count, 'other requests while curl reads').toBeGreaterThan(5)
})
