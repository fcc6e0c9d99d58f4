import { fork } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { Seeded } from 'api/test/support/seed.ts'
import autocannon from 'autocannon'
import { processorMsWithChildren } from 'testkit/process-stats.ts'
import type { HttpRequest } from '../kit/http.ts'
import type { Scope } from '../kit/scope.ts'
import { findWorkload } from './workloads.ts'

/**
 * Loads in a closed loop: each connection sends its next request when the
 * previous one is complete.
 */
export interface Load {
  /** A name from `WORKLOADS`. */
  readonly workload: string
  readonly seeded: Seeded
  readonly connections: number
  /** Approximate duration of all turns of a server. */
  readonly seconds: number
  readonly servers: readonly Target[]
  /** The servers in the order in which they are measured, `TURNS` times each. */
  readonly order: readonly number[]
}

interface Target {
  readonly title: string
  readonly url: string
  /** The processes whose processor time is measured. */
  readonly pids: readonly number[]
}

/**
 * Number of parts of a measurement. Between them, the other servers have a
 * turn, because the speed of a machine with other work changes within seconds.
 */
export const TURNS = 4

/** Time in which V8 compiles the functions that the requests call. */
const WARM_UP_SECONDS = 1

export interface Measurement {
  readonly perSecond: number
  /** Processor time for one response, in µs. It varies less than the rate. */
  readonly processorUs: number
}

/**
 * Warms up servers and measures each. The load runs in a separate process, so
 * that it does not share an event loop with the benchmark.
 */
export async function runLoad(
  scope: Scope,
  load: Load,
): Promise<Measurement[]> {
  const child = fork(fileURLToPath(import.meta.url))
  scope.own(child)
  const exited = once(child, 'exit').then(([code]): never => {
    throw new Error(
      `the load process exited with ${code} before it returned a result`,
    )
  })
  exited.catch(() => {}) // it also exits after its result
  child.send(load)
  const [result] = await Promise.race([once(child, 'message'), exited])
  child.disconnect()
  return result
}

/** Runs a load in this process. */
async function performLoad(load: Load): Promise<Measurement[]> {
  const { servers, order, seconds } = load
  const clients = servers.map((server) => createClient(load, server))
  const totals = []
  for (const client of clients) {
    const { perSecond } = await client({ duration: WARM_UP_SECONDS })
    const amount = Math.ceil((perSecond * seconds) / TURNS)
    totals.push({ amount, responses: 0, seconds: 0, processorMs: 0 })
  }
  await whenIdle(servers.flatMap(({ pids }) => pids))
  for (const n of order) {
    const [client, total, server] = [clients[n], totals[n], servers[n]]
    if (!client || !total || !server) throw new Error(`no server ${n}`)
    const before = totalProcessorMs(server.pids)
    const { responses, perSecond } = await client({ amount: total.amount })
    total.processorMs += totalProcessorMs(server.pids) - before
    total.responses += responses
    total.seconds += responses / perSecond
  }
  return totals.map(({ responses, seconds, processorMs }) => ({
    perSecond: responses / seconds,
    processorUs: (processorMs * 1000) / responses,
  }))
}

/**
 * Returns a function that sends requests for some seconds, or a number of
 * requests. It throws unless all responses have the status of the workload.
 */
function createClient(
  { workload, seeded, connections: wanted }: Load,
  { title, url }: Target,
) {
  const {
    calls,
    status = 200,
    maxConnections = wanted,
  } = findWorkload(workload)
  const connections = Math.min(wanted, maxConnections)
  const all = calls(seeded)
  const requests = Array.isArray(all)
    ? all.map(toAutocannon)
    : [
        {
          setupRequest: (base: object) => ({
            ...base,
            ...toAutocannon(all.next().value),
          }),
        },
      ]
  return async (size: { duration: number } | { amount: number }) => {
    const { errors, duration, statusCodeStats, ...result } = await autocannon({
      url,
      connections,
      requests,
      sampleInt: 10, // autocannon stops at the end of a sample
      ...('amount' in size
        ? { amount: Math.max(connections, size.amount) }
        : size),
    })
    const responses = result.requests.total
    const received = statusCodeStats?.[`${status}`]?.count
    if (errors > 0 || responses === 0 || received !== responses)
      throw new Error(
        `${title}, ${workload}: received ${JSON.stringify(statusCodeStats)} and ${errors} errors, expected only ${status}`,
      )
    return { responses, perSecond: responses / duration }
  }
}

const totalProcessorMs = (pids: readonly number[]): number =>
  pids.reduce((sum, pid) => sum + processorMsWithChildren(pid), 0)

/**
 * Waits, at most 10 s, until the servers have handled the requests of an
 * earlier load.
 */
async function whenIdle(pids: readonly number[]): Promise<void> {
  for (let n = 0; n < 200; n += 1) {
    const before = totalProcessorMs(pids)
    await pause(50)
    if (totalProcessorMs(pids) - before <= 10) return
  }
}

const toAutocannon = ({ method, path, body }: HttpRequest) => ({
  method: method as 'GET',
  path,
  ...(body !== undefined && {
    body: JSON.stringify(body),
    headers: { 'content-type': 'application/json' },
  }),
})

// Runs in the process that `runLoad` forks.
if (import.meta.main)
  process.once(
    'message',
    async (load: Load) => void process.send?.(await performLoad(load)),
  )
