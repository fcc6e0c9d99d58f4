import { startPostgres } from 'testkit/postgres.ts'
import { type Running, startService as startProcess } from 'testkit/process.ts'
import type { Scope } from './scope.ts'

/** Starts the service as a separate process and waits until it logs that it listens, so LOG_LEVEL must allow that. */
export async function startService(scope: Scope, env: Record<string, string>): Promise<Running> {
  if (!['info', 'debug', 'trace', undefined].includes(env.LOG_LEVEL))
    throw new Error(`LOG_LEVEL must be info, debug or trace, received "${env.LOG_LEVEL}"`)
  return startProcess(env, [], scope.own)
}

export const portOf = ({ url }: Pick<Running, 'url'>): number => Number(new URL(url).port)

export type Engine = 'sqlite-memory' | 'sqlite' | 'postgres'

/** Creates an empty database and returns its URL. PostgreSQL flushes every commit to disk, unlike in the tests. */
export async function startDatabase(scope: Scope, engine: Engine): Promise<string> {
  if (engine === 'sqlite-memory') return 'sqlite::memory:'
  if (engine === 'sqlite') return `sqlite:${scope.createFolder('api-lab-')}/users.db`
  const server = await startPostgres({ isDurable: true })
  scope.defer(server.stop)
  return server.url
}
