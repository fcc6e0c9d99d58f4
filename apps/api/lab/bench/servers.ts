import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { copyFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { freePorts } from '../../test/support/ports.ts'
import type { Scope } from '../kit/scope.ts'
import type { Seeded } from '../kit/seed.ts'

const resolvePath = (path: string) => fileURLToPath(new URL(path, import.meta.url))

/** The servers that are compared. `ours` runs from source, `built` is the bundle of the same service. */
export const SERVERS = {
  ours: { title: 'this service', script: resolvePath('../../src/main.ts') },
  built: { title: 'this service, built', script: resolvePath('../../dist/main.js') },
  'fastify-sqlite': { title: 'Fastify', script: resolvePath('peers/fastify-sqlite.ts') },
  'express-drizzle': { title: 'Express', script: resolvePath('peers/express-drizzle.ts') },
  'bare-hono': { title: 'bare Hono', script: resolvePath('peers/bare-hono.ts') },
} as const

export type ServerName = keyof typeof SERVERS

export interface Server {
  readonly name: ServerName
  readonly url: string
  readonly process: ChildProcess
  /** Time from the start of the process to its first response. */
  readonly startMs: number
}

/** Builds the bundle, so that `built` is never an old one. */
export function build(): void {
  const folder = resolvePath('../..')
  execFileSync(join(folder, 'node_modules/.bin/tsup'), ['--silent'], { cwd: folder, stdio: 'inherit' })
}

/** Starts a server on a copy of the seeded file and waits for its first response. No server logs requests. */
export async function startServer(scope: Scope, name: ServerName, { file }: Seeded): Promise<Server> {
  const copy = join(scope.createFolder('api-bench-'), `${name}.db`)
  copyFileSync(file, copy)
  const [port] = await freePorts(1)
  const started = performance.now()
  // Not startService: the peers do not log when they listen, and all must be timed in the same way.
  const child = spawn(process.execPath, [SERVERS[name].script], {
    env: { PORT: `${port}`, DATABASE_URL: `sqlite:${copy}`, LOG_LEVEL: 'error', NODE_ENV: 'production' },
    stdio: ['ignore', 'inherit', 'inherit'],
  })
  scope.own(child)
  const url = `http://127.0.0.1:${port}`
  while (!(await respond(url))) {
    if (child.exitCode !== null) throw new Error(`${name} exited with ${child.exitCode} before it responded`)
  }
  return { name, url, process: child, startMs: performance.now() - started }
}

/** Whether a server responds; waits 5 ms if it does not. */
const respond = (url: string): Promise<boolean> =>
  fetch(`${url}/nowhere`).then(
    () => true,
    () => pause(5, false),
  )
