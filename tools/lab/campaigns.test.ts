import { expect, test } from 'vitest'
import * as flood from './flood/campaign.ts'
import { attackTarget } from './fuzz/campaign.ts'
import { runRound } from './history/campaign.ts'
import { expectNoFailures } from './kit/report.ts'
import { sum } from './kit/statistics.ts'

test('during a flood of registrations every read succeeds, and excess registrations get 503 with Retry-After', async () => {
  // With one hash at a time, even a fast machine handles at most a fifth of these registrations.
  const env = { PASSWORD_HASHES: '1', PASSWORD_QUEUE: '10' }
  const result = await flood.measureFlood({ perSecond: 500, rounds: 1, seconds: 1, env })
  expectNoFailures(flood.findFailures(result))
  expect(result.reads, 'reads').toEqual({ 200: 400 })
  expect(sum(result.registrations), 'registrations that got a response').toBe(750)
  expect(result.registrations[201], 'accepted registrations').toBeGreaterThan(0)
  expect(result.registrations[503], 'rejected registrations').toBeGreaterThan(0)
})

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
    // An attack without all kinds of attempts and these statuses would prove nothing.
    expect(Object.keys(attempts).sort(), 'kinds of attempts').toEqual(KINDS)
    expect(Object.keys(statuses).map(Number), 'statuses').toEqual(expect.arrayContaining(STATUSES))
    expect([...readBack.keys()].sort(), 'kinds of records that were read back').toEqual(prefixes)
    for (const [prefix, count] of readBack) expect(count, `${prefix} records`).toBeGreaterThan(5)
  },
)

/** Faults last a tenth of their duration in the campaign. */
const SCALE = 0.1

test.each([
  {
    engine: 'postgres',
    faults: [
      ...[
        'SIGKILL',
        'responses to COMMIT cut',
        'crash of PostgreSQL',
        'SIGSTOP',
        'SIGKILL',
        'immediate restart',
      ],
      ...['bytes dropped', 'crash of PostgreSQL'],
    ],
  },
  { engine: 'sqlite', faults: ['SIGKILL', 'write lock', 'SIGKILL', 'SIGSTOP', 'backup', 'SIGKILL'] },
] as const)(
  '$engine: one order explains every response that clients of two instances receive during faults',
  async ({ engine, faults }) => {
    const { outcomes, anomalies } = await runRound({ engine, clients: 12, seed: 1, faults, scale: SCALE })
    expectNoFailures(anomalies)
    const { 503: unavailable = 0, ECONNRESET: reset = 0 } = outcomes
    expect(
      unavailable + reset,
      `requests with an unknown outcome in ${JSON.stringify(outcomes)}`,
    ).toBeGreaterThan(0)
    expect(sum(outcomes)).toBeGreaterThan(1000)
  },
)
