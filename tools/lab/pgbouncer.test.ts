import { hasPgbouncer } from 'testkit/pgbouncer.ts'
import { expect, test } from 'vitest'
import { expectNoFailures } from './kit/report.ts'
import { compareWithDirect, findFailures } from './pgbouncer/campaign.ts'

test.skipIf(!hasPgbouncer())(
  'two instances respond through PgBouncer, in transaction and session mode, as they do without it',
  { timeout: 90_000 },
  async () => {
    const requests = 2048
    const results = await compareWithDirect({ requests, clients: 16, modes: ['transaction', 'session'] })
    expectNoFailures(findFailures(results))
    expect(results.map((result) => [result.connection, result.requests])).toEqual([
      ['direct', requests],
      ['transaction', requests],
      ['session', requests],
    ])
  },
)
