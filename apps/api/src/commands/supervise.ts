import cluster, { type Worker } from 'node:cluster'
import { once } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { Config } from '../composition/config.ts'
import type { Database } from '../database/database.ts'
import { openDatabase } from '../database/open.ts'
import { inSetting, OperatorError } from '../errors.ts'
import type { CheckHealth } from '../observability/metrics/serve.ts'
import type { Address } from '../server/listen.ts'
import { unlessStopped } from './early-stop.ts'

/** The message by which a worker is asked to stop. */
export const STOP = 'stop'

/** Pause before a worker that died is replaced. */
const RESTART_MS = 1000

/**
 * Runs `config.workers` processes on one port, replaces those that die, and stops all when `stopSignal` resolves. `onOpen`
 * may fill the database before the first worker starts.
 */
export async function supervise(
  config: Config,
  log: Logger,
  stopSignal: Promise<string>,
  onOpen: (db: Database) => Promise<void> = async () => {},
): Promise<void> {
  // Opened once before any worker starts, so an unusable database is reported once.
  const { migrating, profile, database } = config
  const { migrations, tables } = profile
  const opening = openDatabase(database, migrations, { migrating, tables }).catch(inSetting('DATABASE_URL'))
  const filling = opening.then((db) => onOpen(db).finally(() => db.close()))
  await unlessStopped(filling, stopSignal)

  /** The supervisor is ready when every worker listens. Each worker checks the database itself. */
  const checkHealth = async (path: string) => {
    if (path === '/healthz') return 200
    if (path === '/readyz') return listening.size === config.workers && !stopping.signal.aborted ? 200 : 503
    return undefined
  }
  const listening = new Set<Worker>()
  const stopping = new AbortController()
  const metrics = config.metrics && (await openMetrics(config.metrics, checkHealth))
  const slots = Array.from({ length: config.workers }, () =>
    keepWorkerRunning(log, listening, stopping.signal),
  )
  const failure = Promise.race(slots)
  if (metrics) log.info({ metrics: metrics.url }, 'serving metrics of all workers')
  try {
    const signal = await Promise.race([stopSignal, failure])
    log.info({ signal }, 'stopping')
  } finally {
    stopping.abort()
    // A message, because Windows has no SIGTERM. An error means that the worker has ended.
    for (const worker of runningWorkers()) worker.send(STOP, () => {})
    await Promise.allSettled(slots)
    await metrics?.close()
  }
  log.info('stopped')
}

// Imported only when configured: it loads large packages.
const openMetrics = async (address: Address, checkHealth: CheckHealth) =>
  (await import('../observability/metrics/open.ts'))
    .openMetricsOfWorkers(address, checkHealth)
    .catch(inSetting('METRICS_HOST, METRICS_PORT'))

/** Keeps one worker running. Throws when a worker ends before it listens: its replacement would end, too. */
async function keepWorkerRunning(log: Logger, listening: Set<Worker>, stopping: AbortSignal): Promise<void> {
  while (!stopping.aborted) {
    const worker = cluster.fork({ MIGRATE: 'never' })
    worker.once('listening', () => listening.add(worker))
    const [code, signal] = await once(worker, 'exit')
    const listened = listening.delete(worker)
    if (stopping.aborted) return
    if (!listened) throw new OperatorError('a worker could not start')
    log.error({ worker: worker.id, code, signal }, 'worker died, starting a new one')
    await pause(RESTART_MS, undefined, { signal: stopping }).catch(() => {})
  }
}

const runningWorkers = (): Worker[] =>
  Object.values(cluster.workers ?? {}).filter((worker) => worker !== undefined)
