import { Hono } from 'hono'
import type { Logger } from 'pino'
import { compareSchema, type Migrations } from '../database/migrate.ts'
import type { OpenDatabase } from '../database/open.ts'
import { UnavailableError } from '../errors.ts'
import { HTTP_ERRORS } from '../http/failures.ts'

/**
 * Paths that are served even under overload. Otherwise an orchestrator would
 * restart a service that is only busy.
 */
export const HEALTH_CHECKS: ReadonlySet<unknown> = new Set([
  '/healthz',
  '/readyz',
])

export interface HealthOptions {
  readonly database: OpenDatabase
  readonly migrations: Migrations
  readonly stopping: AbortSignal
  readonly log: Logger
  readonly version?: string | undefined
}

/**
 * /healthz returns 200 while the process runs. /readyz returns 503 with the
 * reason when the service should receive no requests. Logs only changes of the
 * reason, because lines for five checks a second took 84 MB a day.
 */
export function health({
  database,
  migrations,
  stopping,
  log,
  version,
}: HealthOptions) {
  let lastReason: string | undefined
  /** The check in progress, whose query all concurrent requests share. */
  let checking: ReturnType<typeof check> | undefined

  /**
   * Returns the reason why the service is not ready. It contains only the code
   * of a database error, because the message can contain secrets.
   */
  async function check(): Promise<{
    reason?: string | undefined
    err?: unknown
  }> {
    if (stopping.aborted) return { reason: 'the service is stopping' }
    try {
      database.check?.()
      const { unknown, pending } = await compareSchema(
        database.healthDb ?? database.db,
        migrations,
      )
      return { reason: unknown ?? pending }
    } catch (err) {
      if (err instanceof UnavailableError) return { reason: err.message, err }
      const { code } = err as { code?: string }
      return {
        reason: `cannot read the schema${/^\w+$/.test(code ?? '') ? `: ${code}` : ''}`,
        err,
      }
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
