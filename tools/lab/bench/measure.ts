import { setTimeout as pause } from 'node:timers/promises'
import { processorMsWithChildren } from 'testkit/process-stats.ts'
import type { Scope } from '../kit/scope.ts'
import { median } from '../kit/statistics.ts'
import { expectStatuses, type LoadResult, runLoad } from './load.ts'
import type { ServerName } from './servers.ts'
import type { Server, Started } from './start-server.ts'
import { findWorkload } from './workloads.ts'

/**
 * Time to warm up a server, which was idle while other servers were measured.
 */
const WAKE_UP_SECONDS = 0.5

export interface Measurement extends LoadResult {
  readonly round: number
  /**
   * Processor time of the server and the database server for one response, in
   * µs. It varies less than the rate.
   */
  readonly processorUs: number
}

export type Measurements = Partial<Record<ServerName, Measurement[]>>

interface Durations {
  /** Number of measured rounds, after one round to warm up. */
  readonly rounds: number
  /** Duration of each measurement. */
  readonly seconds: number
  readonly connections: number
}

/**
 * Measures all servers in each round, so that other work on the machine affects
 * all of them. Leaves out a measurement in which a peer fails or does not
 * respond.
 */
export async function measure(
  scope: Scope,
  workload: string,
  options: Durations,
  { servers, seeded, databaseMs }: Started,
): Promise<Measurements> {
  const measurements: Measurements = {}
  const { slow, calls } = findWorkload(workload)
  const connections = slow?.connections ?? options.connections
  for (let round = 0; round <= options.rounds; round += 1) {
    const isWarmUp = round === 0
    for (const { name, url, process } of servers) {
      const seconds = isWarmUp
        ? 1
        : Math.max(options.seconds, slow?.seconds ?? 0)
      const load = { url, seeded, round, workload, connections, seconds }
      if (calls && !isWarmUp)
        await runLoad(scope, { ...load, seconds: WAKE_UP_SECONDS })
      await whenIdle(servers)
      const processorMs = () =>
        processorMsWithChildren(process.pid) + databaseMs()
      const before = processorMs()
      const result = await runLoad(scope, load)
      try {
        expectStatuses(load, result, [200, 201, 422])
      } catch (error) {
        if (name === 'ours') throw error
        console.log(`left out, ${name}: ${(error as Error).message}`)
        continue
      }
      if (isWarmUp) continue
      const processorUs = ((processorMs() - before) * 1000) / result.responses
      measurements[name] ??= []
      measurements[name].push({ ...result, round, processorUs })
    }
  }
  return measurements
}

/**
 * Waits, at most 10 s, until the servers have handled the requests of an
 * earlier load. 64 hashes take a second.
 */
async function whenIdle(servers: readonly Server[]): Promise<void> {
  const total = () =>
    servers.reduce(
      (sum, { process }) => sum + processorMsWithChildren(process.pid),
      0,
    )
  for (let n = 0; n < 200; n += 1) {
    const before = total()
    await pause(50)
    if (total() - before <= 10) return
  }
}

/** A figure of a measurement, of which more is better. */
export type Score = (measurement: Measurement) => number

/** Returns the responses per second of processor time. */
export const perProcessorSecond: Score = ({ processorUs }) => 1e6 / processorUs

/**
 * Returns the ratio by which this service is better than a peer. Compares only
 * measurements of one round, because the speed of a machine with other work
 * changes between rounds.
 */
export function compare(
  measured: Measurements,
  peer: ServerName,
  score: Score,
): number {
  const ratios = (measured[peer] ?? []).flatMap((other) => {
    const own = measured.ours?.find(({ round }) => round === other.round)
    return own ? [score(own) / score(other)] : []
  })
  return median(ratios)
}
