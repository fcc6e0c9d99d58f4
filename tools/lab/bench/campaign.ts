import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { residentMegabytes } from 'testkit/process-stats.ts'
import { choices, defineCampaign, file, flag, number } from '../kit/campaign.ts'
import { describeMeasurement } from '../kit/machine.ts'
import { formatTable } from '../kit/report.ts'
import { type Scope, withScope } from '../kit/scope.ts'
import { seed } from '../kit/seed.ts'
import { median, round } from '../kit/statistics.ts'
import { findWorkload, WORKLOADS } from '../kit/workloads.ts'
import { compareResponses } from './compare-responses.ts'
import { type Durations, type Measurements, measure } from './measure.ts'
import { compareWithDocument, formatSection } from './published.ts'
import { SERVERS, type ServerName, selectServers } from './servers.ts'
import { type Server, startServer } from './start-server.ts'
import { summarize, tabulate } from './tables.ts'

const NAMES = Object.keys(SERVERS) as ServerName[]

/** What `--short` measures. */
const SHORT = {
  rounds: 2,
  seconds: 1,
  only: ['user', 'team', 'post-team', 'patch'],
  servers: ['ours', 'fastify-sqlite', 'fastify-tuned', 'bare-hono'],
} as const

export const campaign = defineCampaign({
  summary: 'compares the service with peers in Node, Python and Go on copies of one database',
  duration: '12 to 25 minutes, or one with --short',
  options: {
    short: flag(
      'two rounds of four workloads with three peers; differences from the document are no failures',
    ),
    users: number('users in the database', 2000),
    rounds: number('measured rounds, after one to warm up', 5),
    seconds: number('duration of each measurement', 1),
    connections: number('clients', 64),
    only: choices('workloads', Object.keys(WORKLOADS)),
    servers: choices(
      'servers',
      NAMES,
      NAMES.filter((name) => name !== 'built'),
    ),
    json: file('write every measurement to this file'),
  },
  run: (options) => withScope((scope) => bench(scope, { ...options, ...(options.short && SHORT) })),
})

interface BenchOptions extends Durations {
  readonly short: boolean
  readonly users: number
  readonly only: readonly string[]
  readonly servers: readonly ServerName[]
  readonly json: string | undefined
}

async function bench(scope: Scope, options: BenchOptions) {
  const { short, users, rounds, seconds, connections, only, json } = options
  const folder = scope.createFolder('api-bench-')
  const names = selectServers(options.servers)
  const seeded = await seed(join(folder, 'seed.db'), users)
  const servers: Server[] = []
  for (const name of names) servers.push(await startServer(scope, name, seeded))
  const versions = names.map((name) => `${SERVERS[name].title}: ${SERVERS[name].describe()}`)
  console.log(`${versions.join('\n')}\n`)
  const peers = servers.filter(({ name }) => name !== 'bare-hono')
  console.log(`${await compareResponses(peers, seeded)} responses are equal byte for byte\n`)

  const results: Record<string, Measurements> = {}
  for (const workload of only) {
    const measured = await measure(scope, workload, servers, options, seeded)
    results[workload] = measured
    console.log(`${findWorkload(workload).title}\n${formatTable(tabulate(workload, measured))}\n`)
  }
  for (const { name, url } of short ? [] : peers)
    console.log(`${SERVERS[name].title}: ${await timeLongList(url)}`)
  const resources = servers.map(({ name, startMs, process }) => ({
    name: SERVERS[name].title,
    startMs: round(startMs),
    megabytes: round(residentMegabytes(process.pid)),
  }))
  if (json)
    writeFileSync(
      json,
      JSON.stringify({ measurement: describeMeasurement(), versions, options, results, resources }, null, 1),
    )
  const tables = summarize(results, names)
  const { deviations, note } = compareWithDocument(tables)
  console.log(`\n${note}\n`)
  if (short) for (const deviation of deviations) console.log(`differs: ${deviation}`)
  const setting = `${users.toLocaleString('en')} users, ${connections} connections, medians of ${rounds} rounds of ${seconds} s.`
  tables.push({
    columns: ['measured', ...resources.map(({ name }) => name)],
    rows: [
      ['start to the first response', ...resources.map(({ startMs }) => `${startMs} ms`)],
      ['resident memory at the end', ...resources.map(({ megabytes }) => `${megabytes} MB`)],
    ],
  })
  return {
    table: formatSection(tables, setting, versions),
    failures: short ? [] : deviations,
  }
}

/** Medians for a client that reads the list of all users five times, as text. */
async function timeLongList(url: string): Promise<string> {
  const firstBytes: number[] = []
  const lastBytes: number[] = []
  let bytes = 0
  for (let n = 0; n < 5; n += 1) {
    const started = performance.now()
    const { body } = await fetch(`${url}/users`)
    bytes = 0
    for await (const chunk of body ?? []) {
      if (bytes === 0) firstBytes.push(performance.now() - started)
      bytes += chunk.length
    }
    lastBytes.push(performance.now() - started)
  }
  const [first, last] = [median(firstBytes).toFixed(1), median(lastBytes).toFixed(0)]
  return `GET /users, ${(bytes / 1e6).toFixed(1)} MB: first byte after ${first} ms, last byte after ${last} ms`
}
