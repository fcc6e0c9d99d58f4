import { expect, test } from 'vitest'
import { expectNoFailures } from './kit/report.ts'
import { migrateIds } from './migrate-ids/campaign.ts'

test('20,000 rows become typed ids while clients read and write, and the migration is killed: no row and no reference is lost', {
  timeout: 60_000,
}, async () => {
  const { table, failures } = await migrateIds({ rows: 20_000, clients: 4, seconds: 1, kills: 2 })
  expectNoFailures(failures)
  expect(table.rows.slice(1, 4)).toEqual([
    ['rows lost', '0'],
    ['references broken', '0'],
    ['requests that failed', '0'],
  ])
})
