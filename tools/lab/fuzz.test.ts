import { expect, test } from 'vitest'
import { attackTarget } from './fuzz/campaign.ts'
import { expectNoFailures } from './kit/report.ts'

const KINDS = ['body', 'bytes', 'document', 'frame', 'head', 'target']
const STATUSES = [200, 400, 404, 405, 413, 417, 422, 431]

test.for([
  ['a-sqlite', ['role', 'team', 'user']],
  ['a-postgres', ['role', 'team', 'user']],
  ['b-memory', ['team', 'user']],
] as const)(
  '%s withstands hostile bytes and stores what it accepts as it was sent',
  async ([name, prefixes]) => {
    const { failures, attempts, statuses, readBack } = await attackTarget(name, {
      seed: 1,
      attempts: 1600,
      seconds: 30,
    })
    expectNoFailures(failures)
    // Without these the attack has shown nothing.
    expect(Object.keys(attempts).sort(), 'kinds of attempts').toEqual(KINDS)
    expect(Object.keys(statuses).map(Number), 'statuses').toEqual(expect.arrayContaining(STATUSES))
    expect([...readBack.keys()].sort(), 'kinds of records that were read back').toEqual(prefixes)
    for (const [prefix, count] of readBack) expect(count, `${prefix} records`).toBeGreaterThan(5)
  },
)
