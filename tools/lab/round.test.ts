import { expect, test } from 'vitest'
import { runRound } from './history/round.ts'
import { sum } from './kit/statistics.ts'

/** In the tests, faults last a tenth of their normal duration. */
const SCALE = 0.1

test.each([
  {
    engine: 'postgres',
    faults: [
      'SIGKILL',
      'responses to COMMIT cut',
      'crash of PostgreSQL',
      'SIGSTOP',
      'SIGKILL',
      'immediate restart',
      'bytes dropped',
      'crash of PostgreSQL',
    ],
  },
  {
    engine: 'sqlite',
    faults: [
      'SIGKILL',
      'write lock',
      'SIGKILL',
      'SIGSTOP',
      'backup',
      'SIGKILL',
    ],
  },
] as const)(
  '$engine: one order explains every response that clients of two instances receive during faults',
  async ({ engine, faults }) => {
    const { outcomes, anomalies } = await runRound({
      engine,
      clients: 12,
      seed: 1,
      faults,
      scale: SCALE,
    })
    expect(anomalies.join('\n')).toBe('')
    const { 503: unavailable = 0, ECONNRESET: reset = 0 } = outcomes
    expect(
      unavailable + reset,
      `requests with an unknown outcome in ${JSON.stringify(outcomes)}`,
    ).toBeGreaterThan(0)
    expect(sum(outcomes)).toBeGreaterThan(1000)
  },
)
