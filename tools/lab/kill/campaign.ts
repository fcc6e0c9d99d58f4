import { setTimeout as pause } from 'node:timers/promises'
import { choices, defineCampaign, number } from '../kit/campaign.ts'
import type { Clients } from '../kit/clients.ts'
import { createLedger, readStored } from '../kit/ledger.ts'
import { withScope } from '../kit/scope.ts'
import { startDatabase, startService } from '../kit/service.ts'
import { createRandom } from '../kit/statistics.ts'
import { waitUntil } from '../kit/wait.ts'
import { findDamage } from './damage.ts'
import { createPopulation, startWriters } from './writers.ts'

/** The process that is killed, and the database of the service. */
const TARGETS = {
  'service-on-sqlite': { title: 'the service, on a SQLite file', engine: 'sqlite', isServer: false },
  'service-on-postgres': { title: 'the service, on PostgreSQL', engine: 'postgres', isServer: false },
  postgres: { title: 'PostgreSQL, all of its processes', engine: 'postgres', isServer: true },
} as const

export type Target = keyof typeof TARGETS

export interface Kills {
  readonly target: Target
  readonly kills: number
  readonly writers: number
  readonly seed: number
}

export interface KillResult {
  readonly acknowledged: number
  /** Writes without a response because the connection broke, and writes with a 503. */
  readonly disconnected: number
  readonly unavailable: number
  /** How many of these two were found to be stored. */
  readonly applied: number
  readonly lost: readonly string[]
  readonly inconsistent: readonly string[]
  /** Unexpected responses and problems that the database reports about itself. */
  readonly others: readonly string[]
}

export const campaign = defineCampaign({
  summary:
    'kills the service or PostgreSQL with SIGKILL during writes and compares what is stored with the responses',
  duration: '10 minutes; 5 seconds with --kills 5 --target service-on-sqlite',
  options: {
    target: choices('process to kill', Object.keys(TARGETS) as Target[]),
    kills: number('kills per target; a fifth of it for PostgreSQL', 200),
    writers: number('clients that write concurrently', 24),
    seed: number('seed of the random numbers', 1),
  },
  async run({ target: targets, kills, writers, seed }) {
    const rows = []
    const failures: string[] = []
    for (const target of targets) {
      const times = TARGETS[target].isServer ? Math.ceil(kills / 5) : kills
      const result = await kill({ target, kills: times, writers, seed })
      const { acknowledged, lost, disconnected, unavailable, applied, inconsistent } = result
      rows.push([
        ...[TARGETS[target].title, times, acknowledged, lost.length],
        ...[disconnected + unavailable, applied, inconsistent.length],
      ])
      failures.push(...findFailures(result).map((failure) => `${target}, seed ${seed}: ${failure}`))
    }
    const columns = [
      ...['killed', 'times', 'writes acknowledged', 'of these lost'],
      ...['no response or 503', 'of these stored', 'stored inconsistently'],
    ]
    return { table: { columns, rows }, failures }
  },
})

export const findFailures = ({ lost, inconsistent, others }: KillResult): string[] => [
  ...lost.map((difference) => `lost write: ${difference}`),
  ...inconsistent.map((difference) => `inconsistent: ${difference}`),
  ...others,
]

export function kill({ target, kills, writers, seed }: Kills): Promise<KillResult> {
  const { engine, isServer } = TARGETS[target]
  return withScope(async (scope) => {
    const random = createRandom(seed)
    const database = await startDatabase(scope, engine)
    const env = { DATABASE_URL: database.url }
    const ledger = createLedger()
    const population = createPopulation(ledger, writers)
    const others: string[] = []
    const counts = { acknowledged: 0, disconnected: 0, unavailable: 0 }
    let service = await startService(scope, env)
    for (let n = 0; n < kills; n += 1) {
      const clients = await startWriters(service.url, population, random)
      await waitForWrites(clients, 2 * writers + random() * 300)
      await pause(random() * 20)
      if (isServer) {
        await database.crash()
        await pause(random() * 300)
        await database.resume()
        await waitForWrites(clients, 2 * writers) // the service reconnects without a restart
        await clients.stop()
      } else {
        await Promise.all([service.stop('SIGKILL'), clients.stop()])
        service = await startService(scope, env)
      }
      for (const { response } of clients.exchanges) {
        if (response === undefined) counts.disconnected += 1
        else if (response.status === 503) counts.unavailable += 1
        else if (response.status < 400) counts.acknowledged += 1
      }
      others.push(...clients.failures)
      ledger.compare(await readStored(service.url))
      others.push(...(await findDamage(database.url)))
    }
    const { lost, inconsistent, applied } = ledger
    return { ...counts, applied, lost, inconsistent, others }
  })
}

/** Waits until this many more writes are acknowledged. */
function waitForWrites({ exchanges }: Clients, more: number): Promise<void> {
  const countAcknowledged = () => exchanges.filter(({ response }) => response && response.status < 400).length
  const enough = countAcknowledged() + more
  return waitUntil(`${Math.round(more)} more writes are acknowledged`, () => countAcknowledged() >= enough)
}
