import { expect, test } from 'vitest'
import { expectNoFailures } from './kit/report.ts'
import { findFailures, measureSlowReader } from './slow-reader/campaign.ts'

test('a slow reader of a long list costs little memory and does not delay other requests', {
  timeout: 60_000,
}, async () => {
  const users = 100_000
  const cost = await measureSlowReader(users, 2000)
  expectNoFailures(findFailures(cost, users))
  // Without these the comparison shows nothing.
  expect(cost.megabytesSent, 'size of the list in MB').toBeGreaterThan(40)
  expect(cost.others.count, 'other requests during the slow read').toBeGreaterThan(5)
  expect(cost.othersDuringCurl.count, 'other requests while curl reads').toBeGreaterThan(5)
})
