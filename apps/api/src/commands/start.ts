import type { Logger } from 'pino'
import { createApp, PROFILES } from '../app.ts'
import type { Config } from '../config.ts'
import { openDatabase } from '../database/connect.ts'
import { createLimiter } from '../limiter.ts'
import { stepBack } from '../priority.ts'
import { serve } from '../server.ts'

/** Opens, migrates, serves until `stopSignal` resolves, and closes. */
export async function start(config: Config, log: Logger, stopSignal: Promise<string>): Promise<void> {
  const { profile: name, database, migrating, corsOrigins } = config
  const profile = PROFILES[name]
  const db = await openDatabase(database, profile.migrations, { migrating })
  const stopping = new AbortController()
  try {
    await stepBack().catch(() => 0) // where it is forbidden, all goes on as well as it can
    const hashing = createLimiter(config.hashing)
    const app = createApp({ profile, db, log, corsOrigins, hashing, stopping: stopping.signal })
    const server = await serve(app, config)
    log.info({ url: server.url, docs: `${server.url}/docs`, profile: name }, 'listening')
    log.info({ signal: await stopSignal }, 'stopping')
    stopping.abort()
    await server.close()
  } finally {
    await db.close()
  }
  log.info('stopped')
}
