import { startPostgres } from 'testkit/postgres.ts'
import { type Running, startService as startProcess } from 'testkit/process.ts'
import type { Scope } from './scope.ts'

/** Starts the service as a separate process, and waits until it listens. */
export const startService = (scope: Scope, env: Record<string, string>): Promise<Running> =>
  startProcess(env, [], scope.own)

export type Engine = 'sqlite-memory' | 'sqlite' | 'postgres'

/** Creates an empty database and returns its URL. PostgreSQL flushes every commit to disk, unlike in the tests. */
export async function startDatabase(scope: Scope, engine: Engine): Promise<string> {
  if (engine === 'sqlite-memory') return 'sqlite::memory:'
  if (engine === 'sqlite') return `sqlite:${scope.createFolder('api-lab-')}/users.db`
  const server = await startPostgres({ isDurable: true })
  scope.defer(server.stop)
  return server.url
}
