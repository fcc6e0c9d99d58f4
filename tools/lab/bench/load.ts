import { fork } from 'node:child_process'
import { once } from 'node:events'
import { Agent } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import autocannon from 'autocannon'
import { type HttpRequest, outcomeOf, send } from '../kit/http.ts'
import type { Scope } from '../kit/scope.ts'
import type { Seeded } from '../kit/seed.ts'
import { type Counts, count, quantile } from '../kit/statistics.ts'
import { findWorkload } from './workloads.ts'

/** A load that runs in a separate process, so that it does not share an event loop with the campaign. */
export interface Load {
  readonly url: string
  /** A name from `WORKLOADS`. */
  readonly workload: string
  readonly seeded: Seeded
  readonly seconds: number
  /** Open loop: send this many requests per second, whether or not the earlier ones have completed. */
  readonly perSecond?: number
  /** Open loop: do not count the requests of the first seconds, during which clients open their connections. */
  readonly warmUpSeconds?: number
  /** Closed loop: this many connections, each with one request at a time. */
  readonly connections?: number
  /** Makes the requests of each round different. */
  readonly round?: number
}

export interface LoadResult {
  /** The number of all responses, also before and after the seconds in which the rate is counted. */
  readonly responses: number
  readonly perSecond: number
  /** Latencies in milliseconds, from the moment of sending. */
  readonly p50: number
  readonly p99: number
  /** p99 since the moment at which the request was due. In a closed loop, it equals `p99`. */
  readonly p99FromDue: number
  /** Responses by status, and errors by code. */
  readonly statuses: Counts
}

/** Starts a process that runs all given loads concurrently. `started` resolves when the first request is sent. */
export function startLoads(scope: Scope, loads: readonly Load[]) {
  const child = fork(fileURLToPath(import.meta.url))
  scope.own(child)
  const exited = once(child, 'exit').then(([code]): never => {
    throw new Error(`the load process exited with ${code} before it returned a result`)
  })
  const started = Promise.race([once(child, 'message'), exited])
  const results = started.then(async (): Promise<LoadResult[]> => {
    const [results] = await Promise.race([once(child, 'message'), exited])
    child.disconnect()
    return results
  })
  for (const promise of [exited, started, results]) promise.catch(() => {}) // avoids unhandled rejections
  child.send(loads)
  return { started, results }
}

export async function runLoad(scope: Scope, load: Load): Promise<LoadResult> {
  const [result] = await startLoads(scope, [load]).results
  return result as LoadResult
}

/** Throws unless every response of a load has one of these statuses. */
export function expectStatuses({ workload }: Load, { statuses }: LoadResult, expected: readonly number[]) {
  const unexpected = Object.keys(statuses).filter((status) => !expected.includes(Number(status)))
  if (unexpected.length > 0 || Object.keys(statuses).length === 0)
    throw new Error(`${workload}: received ${JSON.stringify(statuses)}, expected only ${expected}`)
}

/** Runs a load in this process. */
function performLoad(load: Load): Promise<LoadResult> {
  return load.perSecond === undefined ? runClosedLoop(load) : runOpenLoop(load, load.perSecond)
}

async function runClosedLoop({ url, workload, seeded, seconds, connections = 64, round = 0 }: Load) {
  const { calls, createCalls } = findWorkload(workload)
  const created = createCalls?.(seeded, round)
  const requests = created
    ? [{ setupRequest: (base: object) => ({ ...base, ...toAutocannon(created.next().value) }) }]
    : (calls?.(seeded) ?? []).map(toAutocannon)
  const result = await autocannon({ url, connections, duration: seconds, requests })
  const statuses: Counts = result.errors > 0 ? { errors: result.errors } : {}
  for (const [status, { count = 0 }] of Object.entries(result.statusCodeStats ?? {})) statuses[status] = count
  const { p50, p99 } = result.latency
  const responses = result.requests.total
  return { responses, perSecond: responses / result.duration, p50, p99, p99FromDue: p99, statuses }
}

const toAutocannon = ({ method, path, body }: HttpRequest) => ({
  method: method as 'GET',
  path,
  ...(body !== undefined && {
    body: JSON.stringify(body),
    headers: { 'content-type': 'application/json' },
  }),
})

async function runOpenLoop(load: Load, perSecond: number) {
  const { url, workload, seeded, seconds, warmUpSeconds = 0, round = 0 } = load
  const requests = repeatCalls(workload, seeded, round)
  const agent = new Agent({ keepAlive: true })
  const started = performance.now()
  const statuses: Counts = {}
  const times: number[] = []
  const timesFromDue: number[] = []
  const running: Promise<void>[] = []
  let responses = 0
  for (let n = 0; n < seconds * perSecond; n += 1) {
    const due = started + (n * 1000) / perSecond
    const early = due - performance.now()
    if (early > 0) await pause(early)
    running.push(
      send(agent, url, requests.next().value).then((exchange) => {
        const { response, sentAt, ms } = exchange
        const isIncomplete = response?.status === 503 && !response.headers.has('retry-after')
        count(statuses, isIncomplete ? '503 without Retry-After' : outcomeOf(exchange))
        if (response === undefined) return
        responses += 1
        if (due - started < warmUpSeconds * 1000) return
        times.push(ms)
        timesFromDue.push(sentAt + ms - due)
      }),
    )
  }
  await Promise.all(running)
  agent.destroy()
  return {
    responses,
    perSecond: times.length / (seconds - warmUpSeconds),
    p50: quantile(times, 0.5),
    p99: quantile(times, 0.99),
    p99FromDue: quantile(timesFromDue, 0.99),
    statuses,
  }
}

function* repeatCalls(workload: string, seeded: Seeded, round: number): Generator<HttpRequest, never> {
  const { calls, createCalls } = findWorkload(workload)
  if (createCalls) yield* createCalls(seeded, round)
  const list = calls?.(seeded) ?? []
  if (list.length === 0) throw new Error(`the workload ${workload} has no requests`)
  for (let n = 0; ; n += 1) yield list[n % list.length] as HttpRequest
}

// Runs in the process that `startLoads` forks. Receives loads, sends a message at the start and one with results.
if (import.meta.main)
  process.once('message', async (loads: Load[]) => {
    process.send?.('started')
    process.send?.(await Promise.all(loads.map(performLoad)))
  })
