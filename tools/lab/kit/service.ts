import { startPostgres } from 'testkit/postgres.ts'
import { type Running, runCommand, startService as startProcess } from 'testkit/process.ts'
import type { Scope } from './scope.ts'

/** Starts the service as a separate process, and waits until it listens. */
export const startService = (scope: Scope, env: Record<string, string>): Promise<Running> =>
  startProcess(env, [], scope.own)

/** Runs a command of the service. Throws an error with its output unless it succeeds. */
export async function runService(env: Record<string, string>, args: string[]): Promise<void> {
  const { code, stdout, stderr } = await runCommand(env, args)
  if (code !== 0) throw new Error(`"${args.join(' ')}" exited with ${code}: ${stderr}${stdout}`)
}

export type Engine = 'sqlite-memory' | 'sqlite' | 'postgres'

/** Creates an empty database and returns its URL. PostgreSQL flushes every commit to disk, unlike in the tests. */
export async function startDatabase(scope: Scope, engine: Engine): Promise<string> {
  if (engine === 'sqlite-memory') return 'sqlite::memory:'
  if (engine === 'sqlite') return `sqlite:${scope.createFolder('api-lab-')}/users.db`
  const server = await startPostgres({ isDurable: true })
  scope.defer(server.stop)
  return server.url
}
