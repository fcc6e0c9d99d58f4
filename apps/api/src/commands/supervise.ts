import cluster, { type Worker } from 'node:cluster'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { Config } from '../composition/config.ts'
import { inSetting, OperatorError } from '../errors.ts'
import { type Address, listen } from '../server/listen.ts'
import type { CheckHealth } from '../server/metrics.ts'
import { VERSION } from './program.ts'
import { type OnOpen, openFor, unlessStopped } from './start.ts'

/** The message by which the supervisor asks a worker to stop. */
export const STOP = 'stop'

/** Pause before a worker that died is replaced. It doubles with each worker that could not start, up to the maximum. */
const RESTART_MS = 1000
const MAX_RESTART_MS = 30_000

/**
 * Runs `config.workers` processes on one port, replaces those that die, and stops all when `stopSignal` resolves. `onOpen`
 * may fill the database before the first worker starts.
 */
export async function supervise(
  config: Config,
  log: Logger,
  stopSignal: Promise<string>,
  onOpen: OnOpen = async () => {},
): Promise<void> {
  // Opens the database before any worker starts, so that the log reports an unusable database once, not per worker.
  const filling = openFor(config).then((db) => onOpen(db).finally(() => db.close()))
  await unlessStopped(filling, stopSignal)

  /** The supervisor is ready when every worker listens. Each worker checks the database itself. */
  const checkHealth = (path: string) => {
    if (path === '/healthz') return Response.json({ status: 'ok', version: VERSION })
    const problem = stopping.signal.aborted
      ? 'the service is stopping'
      : listening.size < config.workers && `${listening.size} of ${config.workers} workers are running`
    return problem ? Response.json({ detail: problem }, { status: 503 }) : Response.json({ status: 'ready' })
  }
  // Tries the address first. Otherwise each worker would report an address that cannot be used.
  const probe = createServer()
  await listen(probe, config).catch(inSetting('HOST, PORT'))
  probe.close()

  const listening = new Set<Worker>()
  const stopping = new AbortController()
  const metrics = config.metrics && (await openMetrics(config.metrics, checkHealth, listening))
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
    // Sends a message, because Windows has no SIGTERM. Ignores errors, which mean that the worker has ended.
    for (const worker of Object.values(cluster.workers ?? {})) worker?.send(STOP, () => {})
    await Promise.allSettled(slots)
    await metrics?.close()
  }
  log.info('stopped')
}

// The module is imported only when metrics are configured, because it loads large packages.
const openMetrics = async (address: Address, checkHealth: CheckHealth, workers: ReadonlySet<Worker>) =>
  (await import('../server/metrics.ts'))
    .openMetricsOfWorkers(address, checkHealth, workers)
    .catch(inSetting('METRICS_HOST, METRICS_PORT'))

/**
 * Keeps one worker running. Throws when the first worker ends before it listens, because the service could not start.
 * Later, a database may only be away for a while, and the other workers keep running, so it tries again.
 */
async function keepWorkerRunning(log: Logger, listening: Set<Worker>, stopping: AbortSignal): Promise<void> {
  let pauseMs: number | undefined
  while (!stopping.aborted) {
    const worker = cluster.fork({ MIGRATE: 'never' })
    worker.once('listening', () => listening.add(worker))
    const [code, signal] = await once(worker, 'exit')
    const listened = listening.delete(worker)
    if (stopping.aborted) return
    const end = { worker: worker.id, code, signal }
    if (listened) {
      pauseMs = RESTART_MS
      log.error(end, 'worker died, starting a new one')
    } else {
      if (pauseMs === undefined) throw new OperatorError('a worker could not start')
      pauseMs = Math.min(2 * pauseMs, MAX_RESTART_MS)
      log.error({ ...end, retry_ms: pauseMs }, 'a worker could not start, trying again')
    }
    await pause(pauseMs, undefined, { signal: stopping }).catch(() => {})
  }
}
