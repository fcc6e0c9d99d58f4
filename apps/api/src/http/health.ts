import type { Database } from '../database/database.ts'
import type { Endpoint } from './mount.ts'
import { json } from './reply.ts'

/** /healthz tells that the process answers, /readyz that its database does, too (503 when not). */
export const healthEndpoints = (db: Database): Endpoint[] => [
  { method: 'get', path: '/healthz', answer: async () => json(200, { status: 'ok' }) },
  {
    method: 'get',
    path: '/readyz',
    async answer() {
      await db.execute({ sql: 'select 1', name: 'ping' }, [])
      return json(200, { status: 'ready' })
    },
  },
]
