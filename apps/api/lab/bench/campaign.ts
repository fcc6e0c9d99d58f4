import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { choices, defineCampaign, file, number } from '../kit/campaign.ts'
import { expectStatuses, type Load, type LoadResult, startLoads } from '../kit/load.ts'
import { describeMachine, processorMs, residentMegabytes } from '../kit/process-stats.ts'
import { type Cell, formatTable, type Table } from '../kit/report.ts'
import { type Scope, withScope } from '../kit/scope.ts'
import { type Seeded, seed } from '../kit/seed.ts'
import { median, quantile, round } from '../kit/statistics.ts'
import { findWorkload, WORKLOADS } from '../kit/workloads.ts'
import { build, SERVERS, type Server, type ServerName, startServer } from './servers.ts'

/** Reads per second while another workload runs. */
const READS_PER_SECOND = 500

export const campaign = defineCampaign({
  summary: 'compares the service with Fastify, Express and bare Hono on copies of one database',
  duration: '15 minutes',
  options: {
    users: number('users in the database', 2000),
    rounds: number('measured rounds, after one to warm up', 5),
    seconds: number('duration of each measurement', 3),
    connections: number('clients', 64),
    only: choices('workloads', Object.keys(WORKLOADS)),
    servers: choices('servers', Object.keys(SERVERS) as ServerName[]),
    json: file('write every measurement to this file'),
  },
  run: (options) => withScope((scope) => bench(scope, options)),
})

interface BenchOptions {
  readonly users: number
  readonly rounds: number
  readonly seconds: number
  readonly connections: number
  readonly only: readonly string[]
  readonly servers: readonly ServerName[]
  readonly json: string | undefined
}

/** With the processor time that the server needs for one response, in microseconds. It varies less than the rate. */
interface Measurement extends LoadResult {
  readonly processorUs: number
  /** The load that ran at the same time, if there was one. */
  readonly alongside?: LoadResult
}

type Measurements = Partial<Record<ServerName, Measurement[]>>

async function bench(scope: Scope, options: BenchOptions) {
  const { users, rounds, seconds, connections, only, servers: names, json } = options
  if (names.includes('built')) build()
  const seeded = await seed(join(scope.createFolder('api-bench-'), 'seed.db'), users)
  const servers: Server[] = []
  for (const name of names) servers.push(await startServer(scope, name, seeded))
  const peers = servers.filter(({ name }) => name !== 'bare-hono')
  console.log(`${await compareResponses(peers, seeded)} responses are equal byte for byte\n`)

  const results: Record<string, Measurements> = {}
  for (const workload of only) {
    const measured = await measure(scope, workload, servers, options, seeded)
    results[workload] = measured
    console.log(`${findWorkload(workload).title}\n${formatTable(tabulate(workload, measured))}\n`)
  }
  for (const { name, url } of peers) {
    const { firstByte, lastByte, megabytes } = await timeLongList(url)
    const times = `first byte after ${firstByte} ms, last byte after ${lastByte} ms`
    console.log(`${SERVERS[name].title}, GET /users, ${megabytes} MB: ${times}`)
  }
  const start = Object.fromEntries(servers.map(({ name, startMs }) => [name, round(startMs)]))
  const memory = Object.fromEntries(
    servers.map(({ name, process }) => [name, round(residentMegabytes(process.pid))]),
  )
  console.log(`start to first response, ms: ${JSON.stringify(start)}`)
  console.log(`resident memory at the end, MB: ${JSON.stringify(memory)}`)
  console.log(`${users} users, ${connections} connections, medians of ${rounds} rounds of ${seconds} s\n`)
  if (json)
    writeFileSync(
      json,
      JSON.stringify({ machine: describeMachine(), options, results, memory, start }, null, 1),
    )
  return { table: summarize(results), failures: [] }
}

/** Throws unless all servers return the same status, headers and body. Returns the number of responses. */
async function compareResponses(servers: readonly Server[], seeded: Seeded): Promise<number> {
  let compared = 0
  for (const { calls, isCompared } of Object.values(WORKLOADS)) {
    for (const { path } of isCompared ? (calls?.(seeded) ?? []).slice(0, 20) : []) {
      const responses = await Promise.all(servers.map(({ url }) => readResponse(url + path)))
      const other = responses.findIndex((response) => response !== responses[0])
      if (other > 0) {
        const [one, two] = [0, other].map((n) => `${servers[n]?.name}: ${responses[n]?.slice(0, 300)}`)
        throw new Error(`responses to GET ${path} differ:\n${one}\n${two}`)
      }
      compared += 1
    }
  }
  return compared
}

/** Status, documented headers and body, as a text to compare. */
async function readResponse(url: string): Promise<string> {
  const response = await fetch(url, { headers: { 'x-request-id': 'bench' } })
  const headers = ['content-type', 'cache-control', 'x-request-id'].map((name) => response.headers.get(name))
  return `${response.status} ${headers.join('; ').replace('; charset=utf-8', '')} ${await response.text()}`
}

/** Medians for a client that reads the list of all users five times. */
async function timeLongList(url: string) {
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
  return {
    firstByte: median(firstBytes).toFixed(1),
    lastByte: median(lastBytes).toFixed(0),
    megabytes: (bytes / 1e6).toFixed(1),
  }
}

/** Measures all servers in each round, so that other work on the machine affects all of them. */
async function measure(
  scope: Scope,
  workload: string,
  servers: readonly Server[],
  { rounds, seconds, connections }: BenchOptions,
  seeded: Seeded,
): Promise<Measurements> {
  const results: Measurements = {}
  const { alongside } = findWorkload(workload)
  for (let n = 0; n <= rounds; n += 1) {
    const isWarmUp = n === 0
    for (const { name, url, process } of servers) {
      const load = { url, seeded, round: n, seconds: isWarmUp ? 1 : seconds }
      const loads: Load[] = alongside
        ? [
            { ...load, workload, perSecond: READS_PER_SECOND },
            { ...load, workload: alongside, connections },
          ]
        : [{ ...load, workload, connections }]
      const before = processorMs(process.pid)
      const [result, other] = await startLoads(scope, loads).results
      if (result === undefined) throw new Error(`no result of ${workload}`)
      for (const [index, each] of [result, ...(other ? [other] : [])].entries())
        expectStatuses(loads[index] as Load, each, [200, 201, 422])
      const responses = (result.perSecond + (other?.perSecond ?? 0)) * load.seconds
      const processorUs = ((processorMs(process.pid) - before) * 1000) / responses
      if (isWarmUp) continue
      results[name] = [
        ...(results[name] ?? []),
        { ...result, processorUs, ...(other && { alongside: other }) },
      ]
    }
  }
  return results
}

/** What a workload is compared by: the p99 of reads during another load, else the rate. */
const scoreOf = (workload: string, measurements: readonly Measurement[]): number =>
  findWorkload(workload).alongside
    ? median(measurements.map(({ p99FromDue }) => p99FromDue))
    : median(measurements.map(({ perSecond }) => perSecond))

/** How many times better this service is than a peer. */
function compare(workload: string, { ours = [], ...others }: Measurements, peer: ServerName): number {
  const [own, other] = [ours, { ours, ...others }[peer] ?? []].map((all) => scoreOf(workload, all))
  return findWorkload(workload).alongside
    ? (other ?? Number.NaN) / (own ?? Number.NaN)
    : (own ?? Number.NaN) / (other ?? Number.NaN)
}

/** All figures of one workload, a row for each server. */
function tabulate(workload: string, measured: Measurements): Table {
  const { targets = {}, alongside } = findWorkload(workload)
  const rows = (Object.entries(measured) as [ServerName, Measurement[]][]).map(([name, all]): Cell[] => {
    const rates = all.map(({ perSecond }) => perSecond)
    const ratio = compare(workload, measured, name)
    const target = targets[name as keyof typeof targets]
    return [
      SERVERS[name].title,
      round(median(rates)),
      `${round(quantile(rates, 0.25))} to ${round(quantile(rates, 0.75))}`,
      `${median(all.map(({ processorUs }) => processorUs)).toFixed(1)} µs`,
      `${median(all.map(({ p50 }) => p50)).toFixed(1)} ms`,
      `${median(all.map(({ p99FromDue }) => p99FromDue)).toFixed(1)} ms`,
      name === 'ours' ? '' : `${ratio.toFixed(2)} x`,
      target === undefined ? '' : `${target} x: ${ratio >= target ? 'met' : 'NOT MET'}`,
      ...(alongside ? [round(median(all.map((each) => each.alongside?.perSecond ?? Number.NaN)))] : []),
    ]
  })
  const columns = [
    ...['', 'per second', 'quartiles', 'processor time', 'p50', 'p99', 'this service is better by', 'target'],
    ...(alongside ? [`${alongside} per second`] : []),
  ]
  return { columns, rows }
}

/** One row for each workload, for the documentation. */
function summarize(results: Readonly<Record<string, Measurements>>): Table {
  const columns = [
    'workload',
    'this service',
    'its processor time',
    'against Fastify',
    'against Express',
    'bare Hono',
  ]
  const rows = Object.entries(results).map(([workload, measured]) => {
    const { title, alongside } = findWorkload(workload)
    const format = (name: ServerName) => {
      if (measured[name] === undefined) return ''
      const score = round(scoreOf(workload, measured[name]))
      return alongside ? `${score} ms` : `${score.toLocaleString('en')}/s`
    }
    const ratio = (name: ServerName, digits: number) =>
      measured[name] && measured.ours ? `${compare(workload, measured, name).toFixed(digits)} x` : ''
    const processorUs = round(median((measured.ours ?? []).map((each) => each.processorUs)))
    return [
      ...[title, format('ours'), alongside ? '' : `${processorUs.toLocaleString('en')} µs`],
      ...[ratio('fastify-sqlite', 2), ratio('express-drizzle', 1), format('bare-hono')],
    ]
  })
  return { columns, rows }
}
