import type { Clients } from '../kit/clients.ts'
import { type Exchange, outcomeOf } from '../kit/http.ts'
import type { Ledger } from '../kit/ledger.ts'
import { type Counts, count, formatCounts } from '../kit/statistics.ts'

/** The figures of one run. */
export interface Result {
  readonly acknowledged: number
  readonly lost: number
  /** Duplicate registrations and records that no client wrote. */
  readonly inconsistent: number
  /** Registrations that were stored although the response was a 503. A retry revealed them. */
  readonly applied: number
  readonly outageMs: number
  readonly slowestMs: number
  readonly statuses: Counts
  readonly failures: readonly string[]
}

/** Statuses by method. A 400 that is not the response to a retry is a failure that the client reports. */
const EXPECTED: Record<string, readonly string[]> = { POST: ['201', '400', '503'], GET: ['200', '503'] }

/** Returns the figures of a run, and its failures. */
export function judgeRun(run: {
  clients: Clients
  ledger: Ledger
  goneAt: number
  electionMs: number
}): Result {
  const { clients, ledger, goneAt, electionMs } = run
  const { exchanges } = clients
  const statuses: Counts = {}
  for (const exchange of exchanges) count(statuses, describe(exchange))
  const unexpected: Counts = {}
  for (const exchange of exchanges) {
    if (!EXPECTED[exchange.request.method]?.includes(outcomeOf(exchange)))
      count(unexpected, describe(exchange))
  }
  const outageMs = findOutage(exchanges, goneAt)
  const slowestMs = Math.max(...exchanges.map(({ ms }) => ms))
  const failures = [
    ...(exchanges.some((exchange) => outcomeOf(exchange) === '503')
      ? []
      : ['no client got a 503: no failover']),
    ...ledger.lost.map((difference) => `lost registration: ${difference}`),
    ...ledger.inconsistent.map((difference) => `inconsistent: ${difference}`),
    ...clients.failures,
    ...Object.entries(unexpected).map(([what, times]) => `${times} times ${what}, expected success or 503`),
  ]
  // The new primary and HAProxy's health checks may need as much time as the election, but not more.
  if (outageMs > 2 * electionMs) {
    const times = `${formatSeconds(outageMs)}, more than twice the ${formatSeconds(electionMs)} of the election`
    failures.push(`no registration was acknowledged for ${times}`)
  }
  return {
    acknowledged: statuses['POST 201'] ?? 0,
    lost: ledger.lost.length,
    inconsistent: ledger.inconsistent.length,
    applied: statuses['POST 400'] ?? 0,
    ...{ outageMs, slowestMs, statuses, failures },
  }
}

const describe = (exchange: Exchange) => `${exchange.request.method} ${outcomeOf(exchange)}`

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
  const total = (of: 'acknowledged' | 'lost' | 'inconsistent' | 'applied') =>
    results.reduce((sum, result) => sum + result[of], 0)
  const outages = results.map(({ outageMs }) => outageMs)
  const [shortest, longest] = [formatSeconds(Math.min(...outages)), formatSeconds(Math.max(...outages))]
  const statuses: Counts = {}
  for (const result of results)
    for (const [status, times] of Object.entries(result.statuses)) count(statuses, status, times)
  return [
    ...[total('acknowledged'), total('lost'), total('inconsistent'), total('applied')],
    shortest === longest ? longest : `${shortest} to ${longest}`,
    formatSeconds(Math.max(...results.map(({ slowestMs }) => slowestMs))),
    formatCounts(statuses),
  ]
}

const formatSeconds = (ms: number) => `${(ms / 1000).toFixed(1)} s`
