import { Hono } from 'hono'
import type { Logger } from 'pino'
import { compareSchema, type Migrations } from '../database/migrate.ts'
import type { OpenDatabase } from '../database/open.ts'
import { UnavailableError } from '../errors.ts'
import { HTTP_ERRORS } from '../http/failures.ts'

/**
 * Paths that the server serves even under overload. Otherwise an orchestrator
 * would restart a service that is only busy.
 */
export const HEALTH_CHECKS: ReadonlySet<unknown> = new Set([
  '/healthz',
  '/readyz',
])

export interface HealthOptions {
  readonly database: OpenDatabase
  readonly migrations: Migrations
  readonly stopping?: AbortSignal
  readonly log: Logger
  readonly version?: string | undefined
}

export function health(options: HealthOptions) {
  const { database, migrations, stopping, log, version } = options
  let lastReason: string | undefined
  let checking: ReturnType<typeof check> | undefined

  async function check(): Promise<{
    reason?: string | undefined
    err?: Error
  }> {
    if (stopping?.aborted) return { reason: 'the service is stopping' }
    try {
      database.check?.()
      const { unknown, pending } = await compareSchema(
        database.healthDb ?? database.db,
        migrations,
      )
      return { reason: unknown ?? pending }
    } catch (error) {
      const err = error as NodeJS.ErrnoException
      if (err instanceof UnavailableError) return { reason: err.message, err }
      // The message of a database error can contain secrets, its code cannot.
      const code = /^\w+$/.exec(err.code ?? '')
      return { reason: `cannot read the schema${code ? `: ${code}` : ''}`, err }
    }
  }

  return new Hono()
    .get('/healthz', (c) => c.json({ status: 'ok', version }, 200))
    .get('/readyz', async (c) => {
      checking ??= check().finally(() => {
        checking = undefined
      })
      const { reason, err } = await checking
      if (reason !== lastReason) {
        if (reason === undefined) log.info('ready again')
        else log.warn({ reason, err }, 'not ready')
      }
      lastReason = reason
      if (reason === undefined) return c.json({ status: 'ready' }, 200)
      const { status, detail, headers } = HTTP_ERRORS.unavailable
      return c.json({ detail, reason }, status, headers)
    })
}
