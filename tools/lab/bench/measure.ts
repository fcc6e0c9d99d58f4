import { setTimeout as pause } from 'node:timers/promises'
import { processorMsWithChildren } from 'testkit/process-stats.ts'
import { expectStatuses, type Load, type LoadResult, runLoad, startLoads } from '../kit/load.ts'
import type { Scope } from '../kit/scope.ts'
import type { Seeded } from '../kit/seed.ts'
import { median } from '../kit/statistics.ts'
import { findWorkload } from '../kit/workloads.ts'
import type { ServerName } from './servers.ts'
import type { Server } from './start-server.ts'

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
  /** The processor time of the database server for one response, if there is a database server. */
  readonly databaseUs?: number | undefined
  /** The load that ran at the same time, if there was one. */
  readonly alongside?: LoadResult
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
  servers: readonly Server[],
  { rounds, seconds, connections }: Durations,
  seeded: Seeded,
  databaseMs?: () => number,
): Promise<Measurements> {
  const results: Measurements = {}
  const { alongside, slow, calls } = findWorkload(workload)
  const clients = slow?.connections ?? connections
  for (let n = 0; n <= rounds; n += 1) {
    const isWarmUp = n === 0
    for (const { name, url, process } of servers) {
      const duration = isWarmUp ? 1 : Math.max(seconds, slow?.seconds ?? 0)
      const warmUpSeconds = alongside ? WARM_UP_SECONDS : 0
      const load = { url, seeded, round: n, seconds: duration + warmUpSeconds }
      const loads: Load[] = alongside
        ? [
            { ...load, workload, warmUpSeconds, perSecond: READS_PER_SECOND },
            { ...load, workload: alongside, connections: clients },
          ]
        : [{ ...load, workload, connections: clients }]
      if (calls && !alongside && !isWarmUp)
        await runLoad(scope, { ...load, workload, connections: clients, seconds: WAKE_UP_SECONDS })
      await whenIdle(servers)
      const before = processorMsWithChildren(process.pid)
      const databaseBefore = databaseMs?.() ?? 0
      const [result, other] = await startLoads(scope, loads).results
      if (result === undefined) throw new Error(`no result of ${workload}`)
      try {
        for (const [index, each] of [result, ...(other ? [other] : [])].entries())
          expectStatuses(loads[index] as Load, each, [200, 201, 422])
      } catch (error) {
        if (name === 'ours') throw error
        console.log(`left out, ${name}: ${(error as Error).message}`)
        continue
      }
      const perResponse = (ms: number) => (ms * 1000) / (result.responses + (other?.responses ?? 0))
      const processorUs = perResponse(processorMsWithChildren(process.pid) - before)
      const databaseUs = databaseMs && perResponse(databaseMs() - databaseBefore)
      if (isWarmUp) continue
      results[name] = [
        ...(results[name] ?? []),
        {
          ...result,
          round: n,
          processorUs,
          databaseUs,
          ...(other && { alongside: other }),
        },
      ]
    }
  }
  return results
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

/** The median of the processor time for one response, in microseconds. */
export const processorUsOf = (measurements: readonly Measurement[]): number =>
  median(measurements.map(({ processorUs }) => processorUs))

/** The median of the processor time of the database server for one response, in microseconds. */
export const databaseUsOf = (measurements: readonly Measurement[]): number =>
  median(measurements.map(({ databaseUs = 0 }) => databaseUs))

/** Returns the ratio by which this service is better than a peer. */
export const compare = (workload: string, measured: Measurements, peer: ServerName): number =>
  medianOfRounds(measured, peer, (own, other) => {
    const ratio = scoreOfOne(workload, own) / scoreOfOne(workload, other)
    return isByLatency(workload) ? 1 / ratio : ratio
  })

/** Returns how many times more responses than a peer this service returns per second of total processor time. */
export const compareProcessorTime = (measured: Measurements, peer: ServerName): number =>
  medianOfRounds(measured, peer, (own, other) => totalUs(other) / totalUs(own))

const totalUs = ({ processorUs, databaseUs = 0 }: Measurement) => processorUs + databaseUs

/** Compares only measurements of one round, because the speed of a machine with other work changes between rounds. */
function medianOfRounds(
  { ours = [], ...others }: Measurements,
  peer: ServerName,
  ratio: (own: Measurement, other: Measurement) => number,
): number {
  const ratios = ({ ours, ...others }[peer] ?? []).flatMap((other) => {
    const own = ours.find(({ round }) => round === other.round)
    return own ? [ratio(own, other)] : []
  })
  return median(ratios)
}
