import { type ChildProcess, spawn } from 'node:child_process'
import { copyFileSync, openSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { freePorts } from 'testkit/ports.ts'
import type { Scope } from '../kit/scope.ts'
import type { Seeded } from '../kit/seed.ts'
import { SERVERS, type ServerName } from './servers.ts'

export interface Server {
  readonly name: ServerName
  readonly url: string
  readonly process: ChildProcess
  /** Time from the start of the process to its first response. */
  readonly startMs: number
}

/**
 * Starts a server and waits for its first response. The server uses a copy of the seeded file, unless `env` names a
 * database. `prefix` is a command that starts the command of the server. Only with the LOG_LEVEL `info`, the server
 * logs requests, to a file. It inherits the variables of this process.
 */
export async function startServer(
  scope: Scope,
  name: ServerName,
  { file }: Seeded,
  env: Record<string, string> = {},
  prefix: readonly string[] = [],
): Promise<Server> {
  const folder = scope.createFolder('api-bench-')
  const copy = join(folder, `${name}.db`)
  if (env.DATABASE_URL === undefined) copyFileSync(file, copy)
  const [command = '', ...parameters] = [...prefix, ...SERVERS[name].prepare(folder)]
  const [port] = await freePorts(1)
  const started = performance.now()
  // Avoids startService: peers do not log that they listen, and all servers must be timed in the same way.
  const child = spawn(command, parameters, {
    env: {
      ...process.env,
      PORT: `${port}`,
      DATABASE_URL: `sqlite:${copy}`,
      LOG_LEVEL: 'error',
      NODE_ENV: 'production',
      ...env,
    },
    stdio: ['ignore', env.LOG_LEVEL === 'info' ? openSync(join(folder, 'log'), 'w') : 'inherit', 'inherit'],
  })
  scope.own(child)
  const url = `http://127.0.0.1:${port}`
  while (!(await respond(url))) {
    if (child.exitCode !== null) throw new Error(`${name} exited with ${child.exitCode} before it responded`)
  }
  return { name, url, process: child, startMs: performance.now() - started }
}

/** Returns whether a server responds. Waits 5 ms if it does not. */
const respond = (url: string): Promise<boolean> =>
  fetch(`${url}/nowhere`).then(
    () => true,
    () => pause(5, false),
  )
