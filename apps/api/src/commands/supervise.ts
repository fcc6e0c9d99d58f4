import cluster, { type Worker } from 'node:cluster'
import { once } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { Config } from '../config/config.ts'
import { openDatabase } from '../database/open.ts'
import { inSetting, OperatorError } from '../errors.ts'
import type { Address } from '../server/listen.ts'

/** Pause before a worker that died is replaced. */
const RESTART_MS = 1000

/** Runs `config.workers` processes on one port, replaces those that die, and stops all when `stopSignal` resolves. */
export async function supervise(config: Config, log: Logger, stopSignal: Promise<string>): Promise<void> {
  // Opened once before any worker starts, so an unusable database is reported once.
  const { migrating, profile, database } = config
  const db = await openDatabase(database, profile.migrations, { migrating }).catch(inSetting('DATABASE_URL'))
  await db.close()

  const metrics = config.metrics && (await openMetrics(config.metrics))
  const stopping = new AbortController()
  const slots = Array.from({ length: config.workers }, () => keepWorkerRunning(log, stopping.signal))
  const failure = Promise.race(slots)
  if (metrics) log.info({ metrics: metrics.url }, 'serving metrics of all workers')
  try {
    const signal = await Promise.race([stopSignal, failure])
    log.info({ signal }, 'stopping')
  } finally {
    stopping.abort()
    // worker.kill() would close the channel first, and with it the connections of running requests.
    for (const worker of runningWorkers()) worker.process.kill('SIGTERM')
    await Promise.allSettled(slots)
    await metrics?.close()
  }
  log.info('stopped')
}

// Imported only when configured: it loads large packages.
const openMetrics = async (address: Address) =>
  (await import('../observability/metrics/open.ts'))
    .openMetricsOfWorkers(address)
    .catch(inSetting('METRICS_HOST, METRICS_PORT'))

/** Keeps one worker running. Throws when a worker ends before it listens: its replacement would end, too. */
async function keepWorkerRunning(log: Logger, stopping: AbortSignal): Promise<void> {
  while (!stopping.aborted) {
    const worker = cluster.fork({ MIGRATE: 'never' })
    let listened = false
    worker.once('listening', () => {
      listened = true
    })
    const [code, signal] = await once(worker, 'exit')
    if (stopping.aborted) return
    if (!listened) throw new OperatorError('a worker could not start')
    log.error({ worker: worker.id, code, signal }, 'worker died, starting a new one')
    await pause(RESTART_MS, undefined, { signal: stopping }).catch(() => {})
  }
}

const runningWorkers = (): Worker[] =>
  Object.values(cluster.workers ?? {}).filter((worker) => worker !== undefined)
