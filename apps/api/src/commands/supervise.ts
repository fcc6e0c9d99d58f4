import cluster, { type Worker } from 'node:cluster'
import { once } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import type { Logger } from 'pino'
import { PROFILES } from '../app.ts'
import { type Config, ConfigError } from '../config.ts'
import { openDatabase } from '../database/connect.ts'
import type { Address } from '../listen.ts'

/** A worker that dies is replaced, but not faster than this. */
const RESTART_MS = 1000

/** Runs `config.workers` processes on one port, replaces one that dies, and stops them all when told to. */
export async function supervise(config: Config, log: Logger, stopSignal: Promise<string>): Promise<void> {
  // Once and here, so that a database that cannot be used is said once, and before there is a worker.
  const { migrations } = PROFILES[config.profile]
  await (await openDatabase(config.database, migrations, { migrating: config.migrating })).close()

  const metrics = config.metrics && (await openMetrics(config.metrics))
  const stopping = new AbortController()
  const places = Array.from({ length: config.workers }, () => keepOne(log, stopping.signal))
  const failure = Promise.race(places)
  if (metrics) log.info({ metrics: metrics.url }, 'the metrics of all workers')
  try {
    const signal = await Promise.race([stopSignal, failure])
    log.info({ signal }, 'stopping')
  } finally {
    stopping.abort()
    // Not worker.kill(), which cuts the channel first and with it the requests that run.
    for (const worker of workers()) worker.process.kill('SIGTERM')
    await Promise.allSettled(places)
    await metrics?.close()
  }
  log.info('stopped')
}

/** Loaded only when asked for: it brings packages of its own. */
const openMetrics = async (address: Address) =>
  (await import('../metrics/open.ts')).openMetricsOfWorkers(address)

/** Keeps one worker running until told to stop. Throws when one ends before it has listened: the next would, too. */
async function keepOne(log: Logger, stopping: AbortSignal): Promise<void> {
  while (!stopping.aborted) {
    const worker = cluster.fork({ MIGRATE: 'never' })
    let listened = false
    worker.once('listening', () => {
      listened = true
    })
    const [code, signal] = await once(worker, 'exit')
    if (stopping.aborted) return
    if (!listened) throw new ConfigError('a worker could not start')
    log.error({ worker: worker.id, code, signal }, 'a worker died and is replaced')
    await pause(RESTART_MS, undefined, { signal: stopping }).catch(() => {})
  }
}

const workers = (): Worker[] => Object.values(cluster.workers ?? {}).filter((worker) => worker !== undefined)
