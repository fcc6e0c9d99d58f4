import { setTimeout as pause } from 'node:timers/promises'
import { processorMsWithChildren } from 'testkit/process-stats.ts'
import type { Scope } from '../kit/scope.ts'
import { median } from '../kit/statistics.ts'
import { expectStatuses, type Load, type LoadResult, runLoad, startLoads } from './load.ts'
import type { ServerName } from './servers.ts'
import type { Server, Started } from './start-server.ts'
import { findWorkload } from './workloads.ts'

/** Reads per second while another workload runs. */
const READS_PER_SECOND = 500

/** Reads during another load count only after this time: Node accepts one connection per turn of its loop. */
const WARM_UP_SECONDS = 1

/** Time to warm up a server, which was idle while other servers were measured. */
const WAKE_UP_SECONDS = 0.5

/** `processorUs` is the server's processor time for one response, in µs. It varies less than the rate. */
export interface Measurement extends LoadResult {
  readonly round: number
  readonly processorUs: number
  /** The processor time of the database server for one response, 0 if there is no database server. */
  readonly databaseUs: number
  /** The load that ran at the same time, if there was one. */
  readonly alongside: LoadResult | undefined
}

export type Measurements = Partial<Record<ServerName, Measurement[]>>

export interface Durations {
  /** Number of measured rounds, after one round to warm up. */
  readonly rounds: number
  /** Duration of each measurement. */
  readonly seconds: number
  readonly connections: number
}

/**
 * Measures all servers in each round, so that other work on the machine affects all of them. Leaves out a measurement
 * in which a peer fails or does not respond.
 */
export async function measure(
  scope: Scope,
  workload: string,
  options: Durations,
  { servers, seeded, databaseMs }: Started,
): Promise<Measurements> {
  const measurements: Measurements = {}
  const { alongside, slow, calls } = findWorkload(workload)
  const connections = slow?.connections ?? options.connections
  for (let round = 0; round <= options.rounds; round += 1) {
    const isWarmUp = round === 0
    for (const { name, url, process } of servers) {
      const duration = isWarmUp ? 1 : Math.max(options.seconds, slow?.seconds ?? 0)
      const warmUpSeconds = alongside ? WARM_UP_SECONDS : 0
      const load = { url, seeded, round, seconds: duration + warmUpSeconds }
      const loads: Load[] = alongside
        ? [
            { ...load, workload, warmUpSeconds, perSecond: READS_PER_SECOND },
            { ...load, workload: alongside, connections },
          ]
        : [{ ...load, workload, connections }]
      if (calls && !alongside && !isWarmUp)
        await runLoad(scope, { ...load, workload, connections, seconds: WAKE_UP_SECONDS })
      await whenIdle(servers)
      const before = processorMsWithChildren(process.pid)
      const databaseBefore = databaseMs()
      const results = (await startLoads(scope, loads).results) as [LoadResult, LoadResult?]
      try {
        for (const [n, load] of loads.entries())
          expectStatuses(load, results[n] as LoadResult, [200, 201, 422])
      } catch (error) {
        if (name === 'ours') throw error
        console.log(`left out, ${name}: ${(error as Error).message}`)
        continue
      }
      if (isWarmUp) continue
      const [result, other] = results
      const perResponse = (ms: number) => (ms * 1000) / (result.responses + (other?.responses ?? 0))
      const processorUs = perResponse(processorMsWithChildren(process.pid) - before)
      const databaseUs = perResponse(databaseMs() - databaseBefore)
      measurements[name] ??= []
      measurements[name].push({ ...result, round, processorUs, databaseUs, alongside: other })
    }
  }
  return measurements
}

/** Waits, at most 10 s, until the servers have handled the requests of an earlier load. 64 hashes take a second. */
async function whenIdle(servers: readonly Server[]): Promise<void> {
  const total = () => servers.reduce((sum, { process }) => sum + processorMsWithChildren(process.pid), 0)
  for (let n = 0; n < 200; n += 1) {
    const before = total()
    await pause(50)
    if (total() - before <= 10) return
  }
}

export const isByLatency = (workload: string): boolean => findWorkload(workload).alongside !== undefined

/** Returns the figure to compare: the p99 of reads during another load in ms, otherwise responses per second. */
export const scoreOf = (workload: string, measurements: readonly Measurement[]): number =>
  median(measurements.map((each) => scoreOfOne(workload, each)))

const scoreOfOne = (workload: string, { p99FromDue, perSecond }: Measurement): number =>
  isByLatency(workload) ? p99FromDue : perSecond

/** Returns the responses per second of processor time, including that of the database server. */
export const perProcessorSecond = (measurements: readonly Measurement[]): number =>
  1e6 / median(measurements.map(totalUs))

/** Returns the ratio by which this service is better than a peer. */
export const compare = (workload: string, measured: Measurements, peer: ServerName): number =>
  medianOfRounds(measured, peer, (own, other) => {
    const ratio = scoreOfOne(workload, own) / scoreOfOne(workload, other)
    return isByLatency(workload) ? 1 / ratio : ratio
  })

/** Returns how many times more responses than a peer this service returns per second of total processor time. */
export const compareProcessorTime = (measured: Measurements, peer: ServerName): number =>
  medianOfRounds(measured, peer, (own, other) => totalUs(other) / totalUs(own))

const totalUs = ({ processorUs, databaseUs }: Measurement) => processorUs + databaseUs

/** Compares only measurements of one round, because the speed of a machine with other work changes between rounds. */
function medianOfRounds(
  measured: Measurements,
  peer: ServerName,
  ratio: (own: Measurement, other: Measurement) => number,
): number {
  const ratios = (measured[peer] ?? []).flatMap((other) => {
    const own = measured.ours?.find(({ round }) => round === other.round)
    return own ? [ratio(own, other)] : []
  })
  return median(ratios)
}
