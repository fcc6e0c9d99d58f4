import type { Logger } from 'pino'
import { createApp, PROFILES } from '../app.ts'
import type { Config } from '../config.ts'
import { openDatabase } from '../database/connect.ts'
import type { Exchange } from '../http/mount.ts'
import { createLimiter } from '../limiter.ts'
import type { Address } from '../listen.ts'
import { stepBack } from '../priority.ts'
import { serve } from '../server.ts'

/** Opens, migrates, serves until `stopSignal` resolves, and closes. */
export async function start(config: Config, log: Logger, stopSignal: Promise<string>): Promise<void> {
  const { profile: name, database, migrating, corsOrigins } = config
  const profile = PROFILES[name]
  const tracing = config.tracing ? await startTracing() : undefined
  const opened = await openDatabase(database, profile.migrations, { migrating })
  const closers = [() => opened.close(), ...(tracing ? [tracing.close] : [])]
  const stopping = new AbortController()
  try {
    await stepBack().catch(() => 0) // where it is forbidden, all goes on as well as it can
    const metrics = config.metrics && (await openMetrics(config.metrics))
    if (metrics) closers.unshift(metrics.close)
    const db = metrics?.watchDatabase(opened) ?? opened
    const hashing = createLimiter(config.hashing)
    const observe = both(metrics?.observe, tracing?.observe)
    const app = createApp({ profile, db, log, observe, corsOrigins, hashing, stopping: stopping.signal })
    const server = await serve(app, config)
    metrics?.watchServer(server, hashing)
    log.info(
      { url: server.url, docs: `${server.url}/docs`, metrics: metrics?.url, profile: name },
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

type Observe = (exchange: Exchange) => void

const both = (one?: Observe, other?: Observe): Observe | undefined =>
  one && other
    ? (exchange) => {
        one(exchange)
        other(exchange)
      }
    : (one ?? other)

// Loaded only when asked for: they bring packages of their own.
const openMetrics = async (address: Address) => (await import('../metrics/open.ts')).openMetrics(address)
const startTracing = async () => (await import('../tracing.ts')).startTracing()
