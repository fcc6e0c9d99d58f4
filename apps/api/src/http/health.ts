import type { Database } from '../database/database.ts'
import { UnavailableError } from '../database/errors.ts'
import { type Migrations, unknownOrPending } from '../database/migrate.ts'
import type { Endpoint } from './mount.ts'
import { json } from './reply.ts'

/**
 * /healthz tells that the process answers; /readyz that it should be sent requests: its database answers, keeps
 * what is written, has the schema of this version, and the process is not about to stop (503 when not).
 */
export const healthEndpoints = (db: Database, migrations: Migrations, stopping: AbortSignal): Endpoint[] => [
  { method: 'get', path: '/healthz', answer: async () => json(200, { status: 'ok' }) },
  {
    method: 'get',
    path: '/readyz',
    async answer() {
      if (stopping.aborted) throw new UnavailableError('the service is about to stop')
      db.verify()
      const wrong = await unknownOrPending(db, migrations).catch((error) => {
        throw new UnavailableError('the schema cannot be read', { cause: error })
      })
      if (wrong !== undefined) throw new UnavailableError(wrong)
      return json(200, { status: 'ready' })
    },
  },
]
