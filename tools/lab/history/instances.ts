import type { Socket } from 'node:net'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { startPostgres } from 'testkit/postgres.ts'
import { startService } from 'testkit/process.ts'
import { freePorts, startTcpProxy } from 'testkit/sockets.ts'
import type { Scope } from '../kit/scope.ts'
import { seed } from '../kit/seed.ts'

export type Engine = 'postgres' | 'sqlite'

export const INSTANCES = 2

/** The service streams a list of users only if the list has more than 200. */
const USERS = 600

export type Instance = Awaited<ReturnType<typeof startInstance>>

export interface Cluster {
  /** The URL of the database, not of the instances' proxy. */
  readonly databaseUrl: string
  readonly postgres: Awaited<ReturnType<typeof startPostgres>> | undefined
  readonly instances: readonly Instance[]
  readonly folder: string
}

export async function startCluster(
  scope: Scope,
  engine: Engine,
): Promise<Cluster> {
  const folder = scope.createFolder('api-history-')
  const postgres =
    engine === 'postgres' ? await startPostgres({ isDurable: true }) : undefined
  if (postgres) scope.defer(postgres.stop)
  const databaseUrl = postgres?.url ?? `sqlite:${join(folder, 'users.db')}`
  await seed(databaseUrl, USERS)
  const ports = await freePorts(INSTANCES)
  const instances = await Promise.all(
    ports.map((port) => startInstance(scope, databaseUrl, port, postgres)),
  )
  return { databaseUrl, postgres, instances, folder }
}

async function startInstance(
  scope: Scope,
  databaseUrl: string,
  port: number,
  postgres: Cluster['postgres'],
) {
  const proxy = postgres && (await startFaultyProxy(databaseUrl))
  if (proxy) scope.defer(proxy.close)
  const env = {
    DATABASE_URL: proxy?.url ?? databaseUrl,
    PORT: `${port}`,
    // Less than the default of 10 s, so that instances soon recover from
    // faults.
    DATABASE_STATEMENT_TIMEOUT_MS: '3000',
  }
  let running = await startService(env, [], scope.own)
  return {
    url: running.url,
    proxy,
    signal: (signal: 'SIGSTOP' | 'SIGCONT') => running.process.kill(signal),
    kill: () => running.stop('SIGKILL'),
    async start(): Promise<void> {
      running = await startService(env, [], scope.own)
    },
  }
}

export type Disturbance =
  | { readonly kind: 'drop' }
  | { readonly kind: 'delay'; readonly ms: number }
  /**
   * The connection breaks after this many bytes of the server's next response
   * or, with `inCommit`, of the server's next response to COMMIT.
   */
  | { readonly kind: 'cut'; readonly bytes: number; readonly inCommit: boolean }

/** PostgreSQL's protocol ends a statement with NUL. */
const COMMIT = 'commit\0'

async function startFaultyProxy(url: string) {
  let disturbance: Disturbance | undefined
  const clients = new Set<Socket>()
  const withDroppedBytes = new Set<Socket>()

  const proxy = await startTcpProxy(url, (client, server) => {
    clients.add(client)
    let budget: number | undefined
    function forward(from: Socket, to: Socket, write: (data: Buffer) => void) {
      let queue = Promise.resolve()
      const later = (work: () => void) => {
        const ms = disturbance?.kind === 'delay' ? disturbance.ms : 0
        queue = queue.then(() => (ms > 0 ? pause(ms) : undefined)).then(work)
      }
      from.on('data', (data) => {
        if (disturbance?.kind === 'drop') withDroppedBytes.add(client)
        else later(() => write(data))
      })
      from.on('close', () => later(() => to.destroy()))
    }
    forward(client, server, (data) => {
      if (
        disturbance?.kind === 'cut' &&
        (!disturbance.inCommit || data.includes(COMMIT))
      )
        budget ??= disturbance.bytes
      server.write(data)
    })
    forward(server, client, (data) => {
      const part = data.subarray(0, budget)
      client.write(part)
      if (budget === undefined) return
      budget -= part.length
      if (budget === 0) client.destroySoon()
    })
    client.on('close', () => clients.delete(client))
  })

  return {
    ...proxy,
    async disturb(next: Disturbance, ms: number): Promise<void> {
      disturbance = next
      await pause(ms)
      disturbance = undefined
      for (const client of withDroppedBytes) client.destroy()
      withDroppedBytes.clear()
    },
    reset(): void {
      for (const client of clients) client.resetAndDestroy()
    },
  }
}
