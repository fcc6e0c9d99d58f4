import { type ChildProcess, spawn } from 'node:child_process'
import { copyFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { type Seeded, seed } from 'api/test/support/seed.ts'
import { freshPostgresDatabase, startPostgres } from 'testkit/postgres.ts'
import { processorMsWithChildren } from 'testkit/process-stats.ts'
import { freePorts } from 'testkit/sockets.ts'
import type { Scope } from '../kit/scope.ts'
import { type DatabaseName, SERVERS, type ServerName } from './servers.ts'

export interface Server {
  readonly name: ServerName
  readonly url: string
  readonly process: ChildProcess
  /** Time from the start of the process to its first response. */
  readonly startMs: number
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
  users: number,
): Promise<Started> {
  const { seeded, copyFor, databaseMs } = await (database === 'sqlite'
    ? onSqlite
    : onPostgres)(scope, users)
  const servers: Server[] = []
  for (const name of names)
    servers.push(await startServer(scope, name, await copyFor(name)))
  return { servers, seeded, databaseMs }
}

async function onSqlite(scope: Scope, users: number) {
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

/**
 * Each server has its own database on one PostgreSQL server, which flushes each
 * commit.
 */
async function onPostgres(scope: Scope, users: number) {
  const server = await startPostgres({ isDurable: true })
  scope.defer(server.stop)
  const template = await freshPostgresDatabase(server.url)
  const seeded = await seed(template.url, users)
  const copyFor = async () => {
    const { url } = await freshPostgresDatabase(
      server.url,
      new URL(template.url).pathname.slice(1),
    )
    return url
  }
  return {
    seeded,
    copyFor,
    databaseMs: () => processorMsWithChildren(server.pid()),
  }
}

/** Starts a server and waits for its first response. */
async function startServer(
  scope: Scope,
  name: ServerName,
  url: string,
): Promise<Server> {
  const [command, ...parameters] = SERVERS[name].command
  const [port] = await freePorts(1)
  const started = performance.now()
  // Avoids startService: peers do not log that they listen, and all servers
  // must be timed in the same way.
  const child = spawn(command, parameters, {
    env: {
      ...process.env,
      PORT: `${port}`,
      DATABASE_URL: url,
      LOG_LEVEL: 'error',
      NODE_ENV: 'production',
    },
    stdio: ['ignore', 'inherit', 'inherit'],
  })
  scope.own(child)
  const baseUrl = `http://127.0.0.1:${port}`
  while (!(await respond(baseUrl))) {
    if (child.exitCode !== null)
      throw new Error(
        `${name} exited with ${child.exitCode} before it responded`,
      )
  }
  return {
    name,
    url: baseUrl,
    process: child,
    startMs: performance.now() - started,
  }
}

/** Returns whether a server responds. Waits 5 ms if it does not. */
const respond = (url: string): Promise<boolean> =>
  fetch(`${url}/nowhere`).then(
    () => true,
    () => pause(5, false),
  )
