import { formatTable } from 'testkit/tables.ts'
import { names, positive, runCommand } from '../kit/command.ts'
import {
  addCounts,
  type Counts,
  count,
  formatCounts,
  sum,
} from '../kit/statistics.ts'
import { INSTANCES } from './instances.ts'
import { chooseFaults, DEFINITE, runRound } from './round.ts'

/**
 * `pnpm test:history`: checks the responses that concurrent clients of two
 * instances receive while faults occur.
 */
const ENGINES = { postgres: 'PostgreSQL', sqlite: 'SQLite file' } as const

const OPTIONS = {
  database: names(['postgres', 'sqlite']).describe(
    'databases: postgres,sqlite',
  ),
  minutes: positive(10).describe(
    'minutes per database: 10; the round that runs then is completed',
  ),
  clients: positive(12).describe('clients: 12'),
  seed: positive(1).describe('seed of the random numbers: 1; a round adds 1'),
}

await runCommand(
  OPTIONS,
  async ({ database: engines, minutes, clients, seed: firstSeed }) => {
    const rows = []
    const failures: string[] = []
    for (const engine of engines) {
      const started = performance.now()
      const outcomes: Counts = {}
      const faults: Counts = {}
      let checks = 0
      let anomalies = 0
      for (
        let seed = firstSeed;
        performance.now() - started < minutes * 60_000;
        seed += 1
      ) {
        const round = {
          engine,
          clients,
          seed,
          faults: chooseFaults(engine, seed),
          scale: 1,
        }
        const result = await runRound(round)
        for (const fault of round.faults) count(faults, fault)
        addCounts(outcomes, result.outcomes)
        checks += result.checks
        anomalies += result.anomalies.length
        failures.push(
          ...result.anomalies.map(
            (anomaly) => `${engine}, seed ${seed}: ${anomaly}`,
          ),
        )
      }
      const requests = sum(outcomes)
      const uncertain = requests - sum(outcomes, DEFINITE)
      rows.push([
        `${INSTANCES} instances, ${ENGINES[engine]}`,
        clients,
        requests,
        uncertain,
        checks,
        sum(faults),
        anomalies,
        formatCounts(faults),
      ])
    }
    const columns = [
      'service',
      'clients',
      'requests',
      'no response or 503',
      'operations judged',
      'faults',
      'anomalies',
      'faults by kind',
    ]
    return {
      section: 'history',
      table: formatTable({ columns, rows }),
      failures,
    }
  },
)
