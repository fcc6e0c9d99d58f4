import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import autocannon from 'autocannon'
import type { Scope } from '../kit/scope.ts'
import type { Seeded } from '../kit/seed.ts'
import { type Measurement, processorMsWithChildren } from './servers.ts'
import { findWorkload, type HttpRequest } from './workloads.ts'

/**
 * A closed loop: each connection sends its next request after the response to
 * its previous request.
 */
export interface Load {
  readonly workload: string
  readonly seeded: Seeded
  readonly connections: number
  readonly turnSeconds: number
  readonly servers: readonly Target[]
  /**
   * Indexes of `servers` in the order of measurement. `runLoad` discards the
   * first measurement of each server, which is inaccurate after idle time.
   */
  readonly order: readonly number[]
}

interface Target {
  readonly title: string
  readonly url: string
  readonly pids: readonly number[]
}

const WARM_UP_SECONDS = 1

/**
 * A child process sends the requests, because other work of this process would
 * delay them.
 */
export async function runLoad(
  scope: Scope,
  load: Load,
): Promise<Measurement[][]> {
  const child = fork(fileURLToPath(import.meta.url))
  scope.own(child)
  const exited = once(child, 'exit').then(([code]): never => {
    throw new Error(`the load process exited with ${code} without a result`)
  })
  // If `send` throws, no code awaits `exited`. Without this handler, the
  // rejection of `exited` would end this process.
  exited.catch(() => {})
  child.send(load)
  const [result] = await Promise.race([once(child, 'message'), exited])
  child.disconnect()
  return result
}

async function performLoad(load: Load): Promise<Measurement[][]> {
  const servers = load.servers.map((server) => ({
    ...server,
    send: createClient(load, server),
    perSecond: 0,
    turns: [] as Measurement[],
  }))
  const order = load.order.map((n) => servers[n] as (typeof servers)[number])
  for (const server of new Set(order)) {
    const { perSecond } = await server.send({ duration: WARM_UP_SECONDS })
    server.perSecond = perSecond
  }
  for (const server of order) {
    const before = totalProcessorMs(server.pids)
    const amount = Math.ceil(server.perSecond * load.turnSeconds)
    const { responses, perSecond } = await server.send({ amount })
    const processorMs = totalProcessorMs(server.pids) - before
    const processorUs = (processorMs * 1000) / responses
    server.turns.push({ perSecond, processorUs })
    server.perSecond = perSecond
  }
  return servers.map(({ turns }) => turns.slice(1))
}

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
      // 10 ms instead of the default of 1 s, because autocannon stops only at
      // the end of a sample.
      sampleInt: 10,
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

const toAutocannon = ({ method, path, body }: HttpRequest) => ({
  method: method as 'GET',
  path,
  ...(body !== undefined && {
    body: JSON.stringify(body),
    headers: { 'content-type': 'application/json' },
  }),
})

// This part runs in the process that `runLoad` forks.
if (import.meta.main)
  process.once(
    'message',
    async (load: Load) => void process.send?.(await performLoad(load)),
  )
