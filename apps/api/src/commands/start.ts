import type { Logger } from 'pino'
import { createApp } from '../app.ts'
import type { Config } from '../composition/config.ts'
import type { Database } from '../database/database.ts'
import type { DatabaseOptions } from '../database/engine.ts'
import { openDatabase } from '../database/open.ts'
import { inSetting, OperatorError } from '../errors.ts'
import type { LogOutput } from '../observability/log-output.ts'
import type { Tracing } from '../observability/tracing.ts'
import { serve } from '../server/serve.ts'
import { commandLine, VERSION } from './program.ts'
import { resumeIds } from './resume-ids.ts'

/**
 * Opens the database, applies migrations, serves until `stopSignal` resolves, and closes everything. With `demo`, stores
 * demo data in an empty database first.
 */
export async function start(
  config: Config,
  log: Logger,
  output: LogOutput,
  stopSignal: Promise<string>,
  { demo = false } = {},
): Promise<void> {
  const tracing = config.tracing ? await startTracing(config.database, log) : undefined
  try {
    // A signal ends the wait: the database may not respond, and closing the pool would wait for it, too.
    const db = await unlessStopped(openAndResume(config, log, demo), stopSignal)
    try {
      await run(config, db, log, output, tracing, stopSignal)
    } finally {
      await db.close()
    }
  } finally {
    await tracing?.close()
  }
  log.info('stopped')
  // Logs no more errors: requests that exceeded the time to stop still fail, because the database is closed.
  log.level = 'silent'
}

/** Opens the database of the configuration for the service. */
function openFor({ database, profile: { migrations, tables }, migrating }: Config): Promise<Database> {
  const options = { migrating, migrateCommand: commandLine('migrate'), tables }
  return openDatabase(database, migrations, options).catch(inSetting('DATABASE_URL'))
}

async function openAndResume(config: Config, log: Logger, demo: boolean): Promise<Database> {
  const { storeDemo, tables = [] } = config.profile
  if (demo && storeDemo === undefined)
    throw new OperatorError(`--demo: PROFILE=${config.profileName} has no demo data`)
  const db = await openFor(config)
  try {
    if (demo && storeDemo) {
      if (await storeDemo(db)) log.info('demo data stored')
      else log.info('database has rows, no demo data stored')
    }
    await resumeIds(db, tables, log)
    return db
  } catch (error) {
    await db.close()
    throw error
  }
}

async function run(
  config: Config,
  opened: Database,
  log: Logger,
  output: LogOutput,
  tracing: Tracing | undefined,
  stopSignal: Promise<string>,
): Promise<void> {
  const { profile, profileName, corsOrigins, settings } = config
  const stopping = new AbortController()
  const metrics = config.metrics && { address: config.metrics, ...(await loadMetrics()) }
  const meter = metrics?.createMeter(VERSION)
  const db = meter?.watchDatabase(opened) ?? opened
  const service = profile.createService(db, settings)
  const app = createApp({
    profile,
    service,
    db,
    log,
    version: VERSION,
    observers: [meter?.onResponse, tracing?.onResponse].filter((observer) => observer !== undefined),
    corsOrigins,
    stopping: stopping.signal,
  })
  const metricsServer =
    metrics &&
    meter &&
    (await metrics
      .openMetrics(metrics.address, meter.registry, (path) => app.request(path))
      .catch(inSetting('METRICS_HOST, METRICS_PORT')))
  try {
    const server = await serve(app, config, log).catch(inSetting('HOST, PORT'))
    meter?.watchService({ server, output, measurements: service.measurements ?? [] })
    log.info(
      {
        url: server.url,
        docs: `${server.url}/docs`,
        metrics: metricsServer?.url,
        profile: profileName,
        version: VERSION,
      },
      'listening',
    )
    log.info({ signal: await stopSignal }, 'stopping')
    stopping.abort()
    await server.close()
  } finally {
    await metricsServer?.close()
  }
}

// Metrics and tracing are imported only when configured, because both load large packages.
const loadMetrics = async () => ({
  ...(await import('../observability/meter.ts')),
  ...(await import('../server/metrics.ts')),
})

async function startTracing({ engine }: DatabaseOptions, log: Logger): Promise<Tracing> {
  const [{ startTracing }, driver] = await Promise.all([
    import('../observability/tracing.ts'),
    engine.loadInstrumentation?.(),
  ])
  return startTracing(log, driver)
}

/** The operator stopped the service before it was ready. */
export class StoppedEarly extends Error {
  override readonly name = 'StoppedEarly'
}

/**
 * Returns the result of a step of the start, and throws a StoppedEarly when the signal to stop arrives first. The
 * process then exits without waiting for the step. The database rolls its transaction back.
 */
const unlessStopped = <T>(step: Promise<T>, stopSignal: Promise<string>): Promise<T> =>
  Promise.race([
    step,
    stopSignal.then((signal) => {
      throw new StoppedEarly(`received ${signal}`)
    }),
  ])
