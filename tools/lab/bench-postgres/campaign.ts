import { join } from 'node:path'
import { startPostgres } from 'testkit/postgres.ts'
import { freshPostgresDatabase } from 'testkit/postgres-database.ts'
import { processorMsWithChildren } from 'testkit/process-stats.ts'
import { startDelayingProxy } from 'testkit/tcp-proxy.ts'
import { compareResponses } from '../bench/compare-responses.ts'
import { type Durations, type Measurements, measure } from '../bench/measure.ts'
import { formatSection } from '../bench/published.ts'
import { SERVERS, type ServerName, selectServers } from '../bench/servers.ts'
import { type Server, startServer } from '../bench/start-server.ts'
import { summarize, tabulate } from '../bench/tables.ts'
import { choices, defineCampaign, number } from '../kit/campaign.ts'
import { formatTable } from '../kit/report.ts'
import { type Scope, withScope } from '../kit/scope.ts'
import { copyInto, type Seeded, seed } from '../kit/seed.ts'
import { findWorkload, WORKLOADS } from '../kit/workloads.ts'

const NAMES = selectServers(Object.keys(SERVERS) as ServerName[], 'postgres')

interface BenchOptions extends Durations {
  readonly users: number
  readonly distance: number
  readonly only: readonly string[]
  readonly servers: readonly ServerName[]
}

export const campaign = defineCampaign({
  summary: 'compares the service with peers on PostgreSQL, with the processor time of the database server',
  duration: '5 minutes',
  options: {
    users: number('users in the database', 2000),
    rounds: number('measured rounds, after one to warm up', 5),
    seconds: number('duration of each measurement', 1),
    connections: number('clients', 64),
    distance: number('milliseconds that each packet to and from PostgreSQL is delayed', 0),
    only: choices('workloads', Object.keys(WORKLOADS), [
      ...['user', 'team', 'members', 'patch', 'post-team', 'assign'],
    ]),
    servers: choices(
      'servers',
      NAMES,
      NAMES.filter((name) => name !== 'built'),
    ),
  },
  run: (options) => withScope((scope) => bench(scope, options)),
})

async function bench(scope: Scope, options: BenchOptions) {
  const { users, rounds, seconds, connections, distance, servers: names, only } = options
  const seeded = await seed(join(scope.createFolder('api-bench-'), 'seed.db'), users)
  const { servers, databaseMs } = await startOnPostgres(scope, names, seeded, distance)
  console.log(`${await compareResponses(servers, seeded)} responses are equal byte for byte\n`)
  const results: Record<string, Measurements> = {}
  for (const workload of only) {
    const measured = await measure(scope, workload, servers, options, seeded, databaseMs)
    results[workload] = measured
    console.log(`${findWorkload(workload).title}\n${formatTable(tabulate(workload, measured))}\n`)
  }
  const versions = names.map((name) => `${SERVERS[name].title}: ${SERVERS[name].describe()}`)
  const place = distance > 0 ? `PostgreSQL ${distance} ms away in each direction, ` : ''
  const setting = `${place}${users.toLocaleString('en')} users, ${connections} connections, medians of ${rounds} rounds of ${seconds} s. The processor time includes that of PostgreSQL.`
  return { table: formatSection(summarize(results, names), setting, versions), failures: [] }
}

/** Starts servers. Each has its own database on one server of PostgreSQL, which flushes each commit. */
export async function startOnPostgres(
  scope: Scope,
  names: readonly ServerName[],
  seeded: Seeded,
  distance = 0,
): Promise<{ servers: Server[]; databaseMs: () => number }> {
  const database = await startPostgres({ flags: [] })
  scope.defer(database.stop)
  const pid = await database.readPid()
  const template = await freshPostgresDatabase(database.url)
  await copyInto(template.url, seeded)
  const servers: Server[] = []
  for (const name of names) {
    const { url } = await freshPostgresDatabase(database.url, new URL(template.url).pathname.slice(1))
    const proxy = distance > 0 ? await startDelayingProxy(url, distance) : undefined
    if (proxy) scope.defer(proxy.close)
    servers.push(await startServer(scope, name, seeded, { DATABASE_URL: proxy?.url ?? url }))
  }
  return { servers, databaseMs: () => processorMsWithChildren(pid) }
}
