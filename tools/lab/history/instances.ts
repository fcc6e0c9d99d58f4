import { copyFileSync } from 'node:fs'
import { join } from 'node:path'
import { freePorts } from 'testkit/ports.ts'
import { startPostgres } from 'testkit/postgres.ts'
import type { Running } from 'testkit/process.ts'
import type { Scope } from '../kit/scope.ts'
import { copyInto, seed } from '../kit/seed.ts'
import { startService } from '../kit/service.ts'
import { type FaultyProxy, startFaultyProxy } from './faulty-proxy.ts'

export type Engine = 'postgres' | 'sqlite'

/** Instances of the service on one database. */
export const INSTANCES: Readonly<Record<Engine, number>> = { postgres: 2, sqlite: 2 }

/** Users before the run. A list of more than 200 is streamed. */
const USERS = 600

/** Shorter than by default, so that an instance serves soon after an outage. */
const TIMEOUTS = { DATABASE_CONNECT_TIMEOUT_MS: '1000', DATABASE_STATEMENT_TIMEOUT_MS: '3000' }

export interface Instance {
  readonly url: string
  /** Between the instance and PostgreSQL. */
  readonly proxy: FaultyProxy | undefined
  signal(signal: 'SIGSTOP' | 'SIGCONT'): void
  /** Ends it with SIGKILL. */
  kill(): Promise<unknown>
  /** Starts it again on the same port. */
  start(): Promise<void>
}

/** What a fault acts on. */
export interface Cluster {
  /** Without a proxy. */
  readonly databaseUrl: string
  readonly postgres: Awaited<ReturnType<typeof startPostgres>> | undefined
  readonly instances: readonly Instance[]
  /** For backups. */
  readonly folder: string
}

/** Starts instances on a new database with 600 users. */
export async function startCluster(scope: Scope, engine: Engine): Promise<Cluster> {
  const folder = scope.createFolder('api-history-')
  const seeded = await seed(join(folder, 'seed.db'), USERS)
  const postgres = engine === 'postgres' ? await startPostgres({ flags: [] }) : undefined
  let databaseUrl = `sqlite:${join(folder, 'users.db')}`
  if (postgres) {
    scope.defer(postgres.stop)
    databaseUrl = postgres.url
    await copyInto(databaseUrl, seeded)
  } else copyFileSync(seeded.file, join(folder, 'users.db'))
  const ports = await freePorts(INSTANCES[engine])
  const instances = await Promise.all(ports.map((port) => startInstance(scope, databaseUrl, port, postgres)))
  return { databaseUrl, postgres, instances, folder }
}

async function startInstance(
  scope: Scope,
  databaseUrl: string,
  port: number,
  postgres: Cluster['postgres'],
): Promise<Instance> {
  const proxy = postgres && (await startFaultyProxy(databaseUrl))
  if (proxy) scope.defer(proxy.close)
  const env = { ...TIMEOUTS, DATABASE_URL: proxy?.url ?? databaseUrl, PORT: `${port}` }
  let running: Running = await startService(scope, env)
  return {
    url: running.url,
    proxy,
    signal: (signal) => running.process.kill(signal),
    kill: () => running.stop('SIGKILL'),
    async start() {
      running = await startService(scope, env)
    },
  }
}
