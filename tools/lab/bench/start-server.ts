import { type ChildProcess, spawn } from 'node:child_process'
import { copyFileSync, openSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { freePorts } from 'testkit/ports.ts'
import { startPostgres } from 'testkit/postgres.ts'
import { freshPostgresDatabase } from 'testkit/postgres-database.ts'
import { processorMsWithChildren } from 'testkit/process-stats.ts'
import { startDelayingProxy } from 'testkit/tcp-proxy.ts'
import type { Scope } from '../kit/scope.ts'
import { type Seeded, seed } from '../kit/seed.ts'
import { type DatabaseName, SERVERS, type ServerName } from './servers.ts'

export interface Server {
  readonly name: ServerName
  readonly url: string
  readonly process: ChildProcess
  /** Time from the start of the process to its first response. */
  readonly startMs: number
}

export interface Options {
  readonly users: number
  readonly log?: 'on' | 'off'
  /** Delay of each packet to and from PostgreSQL, in milliseconds. */
  readonly distance?: number
  /** Additional duration of each flush of a SQLite file, in microseconds. */
  readonly flushDelay?: number
}

export interface Started {
  readonly servers: readonly Server[]
  readonly seeded: Seeded
  /** Returns the processor time of the database server, if there is one. */
  databaseMs(): number
}

/** Starts servers, each on its own copy of one seeded database. */
export async function startServers(
  scope: Scope,
  names: readonly ServerName[],
  database: DatabaseName,
  options: Options,
): Promise<Started> {
  const { seeded, copyFor, databaseMs } = await (database === 'sqlite' ? onSqlite : onPostgres)(
    scope,
    options,
  )
  const servers: Server[] = []
  for (const name of names) servers.push(await startServer(scope, name, await copyFor(name), options))
  return { servers, seeded, databaseMs }
}

async function onSqlite(scope: Scope, { users }: Options) {
  const folder = scope.createFolder('api-bench-')
  const file = join(folder, 'seed.db')
  const seeded = await seed(`sqlite:${file}`, users)
  const copyFor = async (name: ServerName) => {
    const copy = join(folder, `${name}.db`)
    copyFileSync(file, copy)
    return `sqlite:${copy}`
  }
  return { seeded, copyFor, databaseMs: () => 0 }
}

/** Each server has its own database on one PostgreSQL server, which flushes each commit. */
async function onPostgres(scope: Scope, { users, distance = 0 }: Options) {
  const server = await startPostgres({ isDurable: true })
  scope.defer(server.stop)
  const pid = await server.readPid()
  const template = await freshPostgresDatabase(server.url)
  const seeded = await seed(template.url, users)
  const copyFor = async () => {
    const { url } = await freshPostgresDatabase(server.url, new URL(template.url).pathname.slice(1))
    if (distance === 0) return url
    const proxy = await startDelayingProxy(url, distance)
    scope.defer(proxy.close)
    return proxy.url
  }
  return { seeded, copyFor, databaseMs: () => processorMsWithChildren(pid) }
}

/** Starts a server and waits for its first response. A log of requests goes to a file. */
async function startServer(scope: Scope, name: ServerName, url: string, options: Options): Promise<Server> {
  const { log = 'off', flushDelay = 0 } = options
  const folder = scope.createFolder('api-bench-')
  const [command = '', ...parameters] = [...delayFlushes(flushDelay), ...SERVERS[name].command]
  const [port] = await freePorts(1)
  const started = performance.now()
  // Avoids startService: peers do not log that they listen, and all servers must be timed in the same way.
  const child = spawn(command, parameters, {
    env: {
      ...process.env,
      PORT: `${port}`,
      DATABASE_URL: url,
      LOG_LEVEL: log === 'on' ? 'info' : 'error',
      NODE_ENV: 'production',
    },
    stdio: ['ignore', log === 'on' ? openSync(join(folder, 'log'), 'w') : 'inherit', 'inherit'],
  })
  scope.own(child)
  const baseUrl = `http://127.0.0.1:${port}`
  while (!(await respond(baseUrl))) {
    if (child.exitCode !== null) throw new Error(`${name} exited with ${child.exitCode} before it responded`)
  }
  return { name, url: baseUrl, process: child, startMs: performance.now() - started }
}

/** Returns a command that starts another command and delays its flushes to disk. */
function delayFlushes(us: number): string[] {
  if (us === 0) return []
  // -D makes the started process the server, not strace. --seccomp-bpf does not interrupt other system calls.
  const strace = ['strace', '-D', '-f', '--seccomp-bpf', '-qq', '-o', '/dev/null']
  return [...strace, '-e', 'trace=fdatasync,fsync', '-e', `inject=fdatasync,fsync:delay_enter=${us}`]
}

/** Returns whether a server responds. Waits 5 ms if it does not. */
const respond = (url: string): Promise<boolean> =>
  fetch(`${url}/nowhere`).then(
    () => true,
    () => pause(5, false),
  )
