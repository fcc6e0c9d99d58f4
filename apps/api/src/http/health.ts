import type { Database } from '../database/database.ts'
import { type Migrations, schemaMismatch } from '../database/migrate.ts'
import { UnavailableError } from '../errors.ts'
import type { Endpoint } from './mount.ts'
import { json } from './response.ts'

/** Paths that are always processed, so that a full server is not mistaken for a dead one and restarted. */
export const HEALTH_CHECKS: ReadonlySet<string | undefined> = new Set(['/healthz', '/readyz'])

/**
 * Health checks. /healthz returns 200 while the process runs. /readyz returns 503 when the service should receive no
 * requests: the database is unavailable or not durable, its schema is of another version, or the service is stopping.
 */
export const healthEndpoints = (db: Database, migrations: Migrations, stopping: AbortSignal): Endpoint[] => [
  { method: 'get', path: '/healthz', handle: () => json(200, { status: 'ok' }) },
  {
    method: 'get',
    path: '/readyz',
    async handle() {
      if (stopping.aborted) throw new UnavailableError('the service is stopping')
      db.assertDurable()
      const mismatch = await schemaMismatch(db, migrations).catch((error) => {
        throw new UnavailableError('cannot read the schema', { cause: error })
      })
      if (mismatch !== undefined) throw new UnavailableError(mismatch)
      return json(200, { status: 'ready' })
    },
  },
]
