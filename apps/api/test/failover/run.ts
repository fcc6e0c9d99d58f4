/**
 * Takes the primary of a real cluster away while clients register and read, and checks what they were told:
 * `pnpm --filter api failover` on a Debian with PostgreSQL, Patroni, etcd and HAProxy.
 *
 * Two instances of the service share three PostgreSQL servers with synchronous replication (cluster.ts) under a
 * bounded load (load.ts). One argument says how the primary goes:
 *
 *   kill        its processes are killed (the default)
 *   freeze      its processes are stopped as they stand, and woken up when another has taken over
 *   switchover  it is asked to hand over
 *
 * Afterwards every registration that was answered with 201 must be there, none twice; in between clients must have
 * seen 503 and nothing else, and in time; and registrations must be answered again within 30 seconds (report.ts).
 * Exits with 1 and keeps the logs when any of that is not so. No process is left running.
 */
import { setTimeout as pause } from 'node:timers/promises'
import { type Running, startService } from '../support/process.ts'
import { type Cluster, startCluster, whole } from './cluster.ts'
import { type Load, startLoad } from './load.ts'
import { findMachine } from './programs.ts'
import { broken, type Observed, table } from './report.ts'

/** Registrations to see answered before the primary goes, and again when another has taken over. */
const ENOUGH = 200

const PATIENCE_MS = 90_000

const WAYS = ['kill', 'freeze', 'switchover']
const [way = 'kill'] = process.argv.slice(2)
if (!WAYS.includes(way)) throw new Error(`failover takes one of ${WAYS.join(', ')}, not ${way}`)
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(1))

const cluster = await startCluster(findMachine())
const services: Running[] = []
process.once('exit', () => {
  for (const service of services) service.process.kill()
})
for (let n = 0; n < 2; n += 1) services.push(await startService({ DATABASE_URL: cluster.url }))
const observed = await failover(cluster, services)
await Promise.all(services.map((service) => service.stop()))
console.log(table(observed))
for (const promise of broken(observed)) {
  console.error(`BROKEN: ${promise}`)
  process.exitCode = 1
}
if (process.exitCode) console.error(`see ${cluster.stop({ keep: true })}`)
process.exit()

async function failover(cluster: Cluster, services: readonly Running[]): Promise<Observed> {
  const load = startLoad(services.map(({ url }) => url))
  try {
    await acknowledged(load, ENOUGH)
    const [primary = ''] = Object.entries(await cluster.roles()).find(([, role]) => role === 'leader') ?? []
    const goneAt = performance.now()
    if (way === 'switchover') await cluster.switchOver(primary)
    else cluster.signal(primary, way === 'kill' ? 'SIGKILL' : 'SIGSTOP')
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
