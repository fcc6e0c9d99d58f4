/**
 * Takes the primary of a real cluster away while clients register and read, and checks what they were told:
 * `pnpm --filter api failover` on a Debian with PostgreSQL, Patroni, etcd and HAProxy.
 *
 * Two instances of the service share three PostgreSQL servers with synchronous replication (cluster.ts) under a
 * bounded load (load.ts). The primary is killed, or, with the argument `freeze`, stopped as it stands and woken up
 * when another has taken over. Afterwards every registration that was answered with 201 must be there, none twice; in
 * between clients must have seen 503 and nothing else, and in time; and registrations must be answered again within 30
 * seconds (report.ts). Exits with 1 when any of that is not so, and leaves no process running.
 */
import { setTimeout as pause } from 'node:timers/promises'
import { type Running, startService } from '../support/process.ts'
import { type Cluster, startCluster, whole } from './cluster.ts'
import { type Load, startLoad } from './load.ts'
import { findMachine } from './programs.ts'
import { broken, type Observed, table } from './report.ts'

const SIGNALS = { kill: 'SIGKILL', freeze: 'SIGSTOP' } as const

/** Registrations to see answered before the primary goes, and again when another has taken over. */
const ENOUGH = 200

const PATIENCE_MS = 90_000

const [way = 'kill'] = process.argv.slice(2) as (keyof typeof SIGNALS)[]
if (!(way in SIGNALS)) throw new Error(`failover takes kill or freeze, not ${way}`)

const cluster = await startCluster(findMachine())
const services: Running[] = []
try {
  for (let n = 0; n < 2; n += 1) services.push(await startService({ DATABASE_URL: cluster.url }))
  const observed = await failover(cluster, services)
  console.log(table(observed))
  const promises = broken(observed)
  for (const promise of promises) console.error(`BROKEN: ${promise}`)
  process.exitCode = promises.length > 0 ? 1 : 0
} finally {
  await Promise.all(services.map((service) => service.stop()))
  await cluster.stop()
}

async function failover(cluster: Cluster, services: readonly Running[]): Promise<Observed> {
  const load = startLoad(services.map(({ url }) => url))
  try {
    await acknowledged(load, ENOUGH)
    const [primary = ''] = Object.entries(await cluster.roles()).find(([, role]) => role === 'leader') ?? []
    const goneAt = performance.now()
    const processes = cluster.signal(primary, SIGNALS[way])
    console.log(`${way}: ${processes} processes of the primary, node ${primary}`)

    await until('a registration is answered', () =>
      load.sightings.some(({ sentAt, status }) => sentAt > goneAt && status === 201),
    )
    await acknowledged(load, ENOUGH)
    if (way === 'freeze') {
      cluster.signal(primary, 'SIGCONT')
      await whole(cluster)
      await acknowledged(load, ENOUGH)
    }
    await load.stop()
    const lists = await Promise.all(
      services.map(({ url }) => fetch(`${url}/users`).then((all) => all.json())),
    )
    return { load, goneAt, lists: lists as Observed['lists'] }
  } finally {
    await load.stop()
  }
}

function acknowledged(load: Load, more: number): Promise<void> {
  const enough = load.acknowledged.size + more
  return until(`${more} registrations are answered`, () => load.acknowledged.size >= enough)
}

async function until(what: string, holds: () => boolean): Promise<void> {
  const deadline = performance.now() + PATIENCE_MS
  while (!holds()) {
    if (performance.now() > deadline) throw new Error(`waited ${PATIENCE_MS} ms until ${what}`)
    await pause(20)
  }
}
