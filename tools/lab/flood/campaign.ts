import { clientAt } from 'testkit/client.ts'
import { formatTable } from 'testkit/tables.ts'
import { defineCampaign, duration, number } from '../kit/campaign.ts'
import { expectStatuses, type Load, runLoad, startLoads } from '../kit/load.ts'
import { withScope } from '../kit/scope.ts'
import { startDatabase, startService } from '../kit/service.ts'
import { addCounts, type Counts, formatCounts, median, round } from '../kit/statistics.ts'

/** The measured reads: of 64 clients without a pause, or 200 per second on an otherwise idle service. */
const READERS = {
  '64 clients without a pause': { connections: 64 },
  '200 reads per second': { perSecond: 200 },
} as const

export interface Flood {
  /** For each round, the p99 of the reads in milliseconds, without and during the flood. */
  readonly rounds: readonly { readonly quiet: number; readonly flooded: number }[]
  /** Responses by status, or errors by code. */
  readonly reads: Counts
  readonly registrations: Counts
}

export const campaign = defineCampaign({
  summary: 'measures the latency of reads while more registrations arrive than the service can hash',
  duration: '2 minutes',
  options: {
    'per-second': number('registrations per second', 1000),
    rounds: number('rounds; each measures without and then during the flood', 7),
    seconds: duration('duration of each measurement', 3),
  },
  async run({ 'per-second': perSecond, rounds, seconds }) {
    const rows = []
    const failures: string[] = []
    for (const [title, readers] of Object.entries(READERS)) {
      const flood = await measureFlood({ perSecond, rounds, seconds, readers })
      const p99 = (of: 'quiet' | 'flooded') => round(median(flood.rounds.map((figures) => figures[of])), 1)
      const ratio = round(median(flood.rounds.map(({ quiet, flooded }) => flooded / quiet)), 1)
      rows.push([
        ...[title, `${p99('quiet')} ms`, `${p99('flooded')} ms`, ratio],
        ...[formatCounts(flood.reads), formatCounts(flood.registrations)],
      ])
      failures.push(...findFailures(flood).map((failure) => `${title}: ${failure}`))
    }
    const columns = [
      ...['reads', 'p99 without', 'p99 during the flood', 'ratio', 'read responses by status'],
      'registration responses by status',
    ]
    return { table: formatTable({ columns, rows }), failures }
  },
})

/** Every read must succeed. A rejected registration must receive a 503 with Retry-After. */
export const findFailures = ({ reads, registrations }: Flood): string[] => [
  ...Object.keys(reads)
    .filter((status) => status !== '200')
    .map((status) => `${reads[status]} reads got ${status}, expected 200`),
  ...Object.keys(registrations)
    .filter((status) => status !== '201' && status !== '503')
    .map((status) => `${registrations[status]} registrations got ${status}, expected 201 or 503`),
]

/** Measures alternately without and during the flood, so that other work on the machine affects both. */
export function measureFlood(options: {
  readonly perSecond: number
  readonly rounds: number
  readonly seconds: number
  readonly readers?: Pick<Load, 'connections' | 'perSecond'>
  readonly env?: Record<string, string>
}): Promise<Flood> {
  const {
    perSecond,
    rounds: roundCount,
    seconds,
    readers = READERS['200 reads per second'],
    env = {},
  } = options
  return withScope(async (scope) => {
    const DATABASE_URL = await startDatabase(scope, 'sqlite')
    const { url } = await startService(scope, { DATABASE_URL, ...env })
    const seeded = { file: '', teams: [], roles: [], users: [await register(url)] }
    const reads: Load = { url, workload: 'user', seeded, seconds, ...readers }
    expectStatuses(reads, await runLoad(scope, { ...reads, seconds: 1 }), [200]) // warms up the service

    const rounds = []
    const statuses = { reads: {}, registrations: {} }
    for (let n = 0; n < roundCount; n += 1) {
      const quiet = await runLoad(scope, reads)
      // The flood lasts half a second longer than the reads, so that it covers all of them.
      const flood: Load = { url, workload: 'register', seeded, seconds: seconds + 0.5, perSecond, round: n }
      const { started, results } = startLoads(scope, [flood])
      await started
      const flooded = await runLoad(scope, reads)
      const [registrations] = await results
      rounds.push({ quiet: quiet.p99, flooded: flooded.p99 })
      addCounts(statuses.reads, quiet.statuses)
      addCounts(statuses.reads, flooded.statuses)
      addCounts(statuses.registrations, registrations?.statuses ?? {})
    }
    return { rounds, ...statuses }
  })
}

async function register(url: string): Promise<string> {
  const user = { email: 'reader@example.com', name: 'Ada', password: 'correct horse' }
  const { status, json } = await clientAt(url).post('/users', user)
  if (status !== 201) throw new Error(`POST /users returned ${status}, expected 201`)
  return json.id
}
