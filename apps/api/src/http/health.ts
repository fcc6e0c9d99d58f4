import type { Context } from 'hono'
import type { Logger } from 'pino'
import { compareSchema, type Migrations } from '../database/migrate.ts'
import { UnavailableError } from '../errors.ts'
import type { OpenDatabase } from '../open-database.ts'
import type { AppEnv, Endpoint } from './env.ts'
import { HTTP_ERRORS } from './errors.ts'
import { json } from './response.ts'

/** Paths that are always processed, so that a full server is not mistaken for a dead one and restarted. */
export const HEALTH_CHECKS: ReadonlySet<string | undefined> = new Set(['/healthz', '/readyz'])

export interface HealthOptions {
  readonly database: OpenDatabase
  readonly migrations: Migrations
  /** Aborted when the service is about to stop. */
  readonly stopping: AbortSignal
  readonly log: Logger
  readonly version?: string | undefined
}

/**
 * Health checks. /healthz returns 200 while the process runs. /readyz returns 503 with the reason when the service should
 * receive no requests: the database is unavailable or not durable, its schema is of another version, or the service is
 * stopping. The log has one line per change, not per check: five checks per second were 84 MB of lines a day.
 */
export function healthEndpoints({ database, migrations, stopping, log, version }: HealthOptions): Endpoint[] {
  /** The reason why the last check failed, or undefined when it succeeded. */
  let lastReason: string | undefined

  async function assertReady(): Promise<void> {
    if (stopping.aborted) throw new UnavailableError('the service is stopping')
    database.assertDurable()
    const { unknown, pending } = await compareSchema(database.db, migrations).catch((error) => {
      throw new UnavailableError('cannot read the schema', { cause: error })
    })
    const mismatch = unknown ?? pending
    if (mismatch !== undefined) throw new UnavailableError(mismatch)
  }

  function notReady(c: Context<AppEnv>, error: unknown): Response {
    if (!(error instanceof UnavailableError)) throw error
    const reason = error.message
    if (reason !== lastReason) log.warn({ reason, err: error }, 'not ready')
    lastReason = reason
    const { status, detail } = HTTP_ERRORS.unavailable
    return json(c, status, { detail, reason: withCode(error) }, { 'retry-after': '1' })
  }

  return [
    {
      method: 'get',
      path: '/healthz',
      isHealthCheck: true,
      handle: (c) => json(c, 200, { status: 'ok', version }),
    },
    {
      method: 'get',
      path: '/readyz',
      isHealthCheck: true,
      async handle(c) {
        try {
          await assertReady()
        } catch (error) {
          return notReady(c, error)
        }
        if (lastReason !== undefined) log.info('ready again')
        lastReason = undefined
        return json(c, 200, { status: 'ready' })
      },
    },
  ]
}

/** Returns the message with the code of its cause, such as ECONNREFUSED. The cause's message can contain secrets. */
function withCode({ message, cause }: UnavailableError): string {
  for (let error = cause; error instanceof Error; error = error.cause) {
    const { code } = error as { code?: unknown }
    if (typeof code === 'string' && /^\w+$/.test(code)) return `${message}: ${code}`
  }
  return message
}
