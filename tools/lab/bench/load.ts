import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { Seeded } from 'api/test/support/seed.ts'
import autocannon from 'autocannon'
import type { HttpRequest } from '../kit/http.ts'
import type { Scope } from '../kit/scope.ts'
import type { Counts } from '../kit/statistics.ts'
import { findWorkload } from './workloads.ts'

/**
 * A load in a closed loop: each connection sends its next request when the
 * previous one is complete.
 */
export interface Load {
  readonly url: string
  /** A name from `WORKLOADS`. */
  readonly workload: string
  readonly seeded: Seeded
  readonly seconds: number
  readonly connections: number
  /** Makes the requests of each round different. */
  readonly round: number
}

export interface LoadResult {
  readonly responses: number
  readonly perSecond: number
  /** Latencies in milliseconds. */
  readonly p50: number
  readonly p99: number
  /** Responses by status, and the number of errors. */
  readonly statuses: Counts
}

/**
 * Runs a load in a separate process, so that it does not share an event loop
 * with the benchmark.
 */
export async function runLoad(scope: Scope, load: Load): Promise<LoadResult> {
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

/** Throws unless every response of a load has one of these statuses. */
export function expectStatuses(
  { workload }: Load,
  { statuses }: LoadResult,
  expected: readonly number[],
) {
  const unexpected = Object.keys(statuses).filter(
    (status) => !expected.includes(Number(status)),
  )
  if (unexpected.length > 0 || Object.keys(statuses).length === 0)
    throw new Error(
      `${workload}: received ${JSON.stringify(statuses)}, expected only ${expected}`,
    )
}

/** Runs a load in this process. */
async function performLoad({
  url,
  workload,
  seeded,
  seconds,
  connections,
  round,
}: Load): Promise<LoadResult> {
  const { calls, createCalls } = findWorkload(workload)
  const created = createCalls?.(seeded, round)
  const requests = created
    ? [
        {
          setupRequest: (base: object) => ({
            ...base,
            ...toAutocannon(created.next().value),
          }),
        },
      ]
    : (calls?.(seeded) ?? []).map(toAutocannon)
  const result = await autocannon({
    url,
    connections,
    duration: seconds,
    requests,
  })
  const statuses: Counts = result.errors > 0 ? { errors: result.errors } : {}
  for (const [status, { count = 0 }] of Object.entries(
    result.statusCodeStats ?? {},
  ))
    statuses[status] = count
  const { p50, p99 } = result.latency
  const responses = result.requests.total
  return {
    responses,
    perSecond: responses / result.duration,
    p50,
    p99,
    statuses,
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
