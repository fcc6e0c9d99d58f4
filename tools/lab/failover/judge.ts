import type { Clients } from '../kit/clients.ts'
import { countOutcomes, type Exchange, outcomeOf } from '../kit/http.ts'
import { addCounts, type Counts, formatCounts } from '../kit/statistics.ts'

/** The figures of one run. */
export interface Result {
  readonly lost: number
  /** Duplicate registrations and records that no client wrote. */
  readonly inconsistent: number
  readonly outageMs: number
  readonly slowestMs: number
  /** Responses by method and status. A 400 shows that an attempt was stored although the response was a 503. */
  readonly statuses: Counts
  readonly failures: readonly string[]
}

/** A 400 that is not the response to a retry is a failure that the client reports. */
const EXPECTED = ['POST 201', 'POST 400', 'POST 503', 'GET 200', 'GET 503']

/** Returns the figures of a run, and its failures. */
export function judgeRun(
  { exchanges, ledger, failures }: Clients,
  goneAt: number,
  electionMs: number,
): Result {
  const statuses = countOutcomes(exchanges)
  const outageMs = findOutage(exchanges, goneAt)
  const unexpected = Object.entries(statuses).filter(([what]) => !EXPECTED.includes(what))
  const isFailover = 'POST 503' in statuses || 'GET 503' in statuses
  // The new primary and HAProxy's health checks may need as much time as the election, but not more.
  const isTooLong = outageMs > 2 * electionMs
  const times = `${formatSeconds(outageMs)}, more than twice the ${formatSeconds(electionMs)} of the election`
  return {
    lost: ledger.lost.length,
    inconsistent: ledger.inconsistent.length,
    outageMs,
    slowestMs: Math.max(...exchanges.map(({ ms }) => ms)),
    statuses,
    failures: [
      ...(isFailover ? [] : ['no client got a 503: no failover']),
      ...ledger.lost.map((difference) => `lost registration: ${difference}`),
      ...ledger.inconsistent.map((difference) => `inconsistent: ${difference}`),
      ...failures,
      ...unexpected.map(([what, times]) => `${times} times ${what}, expected success or 503`),
      ...(isTooLong ? [`no registration was acknowledged for ${times}`] : []),
    ],
  }
}

/** The longest time without an acknowledged registration since the primary became unavailable, in milliseconds. */
function findOutage(exchanges: readonly Exchange[], goneAt: number): number {
  const acknowledgedAt = exchanges
    .filter((exchange) => outcomeOf(exchange) === '201')
    .map(({ sentAt, ms }) => sentAt + ms)
    .filter((at) => at > goneAt)
    .sort((a, b) => a - b)
  return Math.max(...acknowledgedAt.map((at, n) => at - (acknowledgedAt[n - 1] ?? goneAt)))
}

/** Returns the cells of a table row, with the total figures of several runs. */
export function summarize(results: readonly Result[]) {
  const total = (of: 'lost' | 'inconsistent') => results.reduce((sum, result) => sum + result[of], 0)
  const outages = results.map(({ outageMs }) => outageMs)
  const [shortest, longest] = [formatSeconds(Math.min(...outages)), formatSeconds(Math.max(...outages))]
  const statuses: Counts = {}
  for (const result of results) addCounts(statuses, result.statuses)
  return [
    ...[statuses['POST 201'] ?? 0, total('lost'), total('inconsistent'), statuses['POST 400'] ?? 0],
    shortest === longest ? longest : `${shortest} to ${longest}`,
    formatSeconds(Math.max(...results.map(({ slowestMs }) => slowestMs))),
    formatCounts(statuses),
  ]
}

const formatSeconds = (ms: number) => `${(ms / 1000).toFixed(1)} s`
