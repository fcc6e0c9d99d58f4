import type { Logger } from 'pino'
import { createApp } from '../app.ts'
import type { Config } from '../config/config.ts'
import type { Database } from '../database/database.ts'
import { openDatabase } from '../database/open.ts'
import { inSetting } from '../errors.ts'
import { HEALTH_CHECKS } from '../http/health.ts'
import type { OnResponse } from '../http/mount.ts'
import type { LogOutput } from '../observability/log-output.ts'
import type { CheckHealth } from '../observability/metrics/serve.ts'
import type { Address } from '../server/listen.ts'
import { serve } from '../server/serve.ts'
import { unlessStopped } from './early-stop.ts'
import { resumeIds } from './resume-ids.ts'

/**
 * Opens the database, applies migrations, serves until `stopSignal` resolves, and closes everything. `onOpen` may fill the
 * database before the service listens.
 */
export async function start(
  config: Config,
  log: Logger,
  output: LogOutput,
  stopSignal: Promise<string>,
  onOpen: (db: Database) => Promise<void> = async () => {},
): Promise<void> {
  const { profile, profileName, database, migrating, corsOrigins, strict, settings } = config
  const { migrations, tables } = profile
  const tracing = config.tracing ? await startTracing() : undefined
  const opening = openDatabase(database, migrations, { migrating, tables }).catch(inSetting('DATABASE_URL'))
  const resuming = opening.then((db) =>
    onOpen(db)
      .then(() => resumeIds(db, tables ?? [], log))
      .then(() => db, closeAfterFailure(db)),
  )
  // Both steps wait for the database, which may not respond. Closing the pool would wait for it, too.
  const opened = await unlessStopped(resuming, stopSignal)
  const closers = [() => opened.close(), ...(tracing ? [tracing.close] : [])]
  const stopping = new AbortController()
  try {
    let app: ReturnType<typeof createApp> | undefined
    const checkHealth = async (path: string) =>
      HEALTH_CHECKS.has(path) ? ((await app?.request(path))?.status ?? 503) : undefined
    const metrics = config.metrics && (await openMetrics(config.metrics, checkHealth))
    if (metrics) closers.unshift(metrics.close)
    const db = metrics?.watchDatabase(opened) ?? opened
    const service = profile.createService(db, settings)
    const onResponse = combine([metrics?.onResponse, tracing?.onResponse])
    app = createApp({ profile, service, db, log, onResponse, corsOrigins, strict, stopping: stopping.signal })
    const server = await serve(app, config, log).catch(inSetting('HOST, PORT'))
    metrics?.watchServer(server)
    metrics?.watchLog(output)
    metrics?.watchProfile(service.measurements ?? [])
    log.info(
      { url: server.url, docs: `${server.url}/docs`, metrics: metrics?.url, profile: profileName },
      'listening',
    )
    log.info({ signal: await stopSignal }, 'stopping')
    stopping.abort()
    await server.close()
  } finally {
    for (const close of closers) await close()
  }
  log.info('stopped')
}

/** Returns a `catch` handler that closes a database and rethrows the error. */
const closeAfterFailure =
  (db: Database) =>
  async (error: unknown): Promise<never> => {
    await db.close()
    throw error
  }

/** Returns one observer for several, or undefined when there is none. */
function combine(observers: readonly (OnResponse | undefined)[]): OnResponse | undefined {
  const [first, ...others] = observers.filter((observer) => observer !== undefined)
  if (others.length === 0) return first
  return (request) => {
    first?.(request)
    for (const observer of others) observer(request)
  }
}

// Imported only when configured: both load large packages.
const openMetrics = async (address: Address, checkHealth: CheckHealth) =>
  (await import('../observability/metrics/open.ts'))
    .openMetrics(address, checkHealth)
    .catch(inSetting('METRICS_HOST, METRICS_PORT'))
const startTracing = async () => (await import('../observability/tracing.ts')).startTracing()
