import type { Table } from 'testkit/tables.ts'
import { median, quantile, round } from '../kit/statistics.ts'
import {
  compare,
  type Measurement,
  type Measurements,
  perProcessorSecond,
  type Score,
} from './measure.ts'
import { SERVERS, type ServerName } from './servers.ts'
import { findWorkload } from './workloads.ts'

const perSecond: Score = (measurement) => measurement.perSecond

/** Prints all figures of one workload, with a row for each server. */
export function printFigures(workload: string, measured: Measurements): void {
  const rows = (Object.entries(measured) as [ServerName, Measurement[]][]).map(
    ([name, all]) => {
      const medianOf = (figure: Score) => round(median(all.map(figure)), 1)
      const rates = all.map(perSecond)
      return {
        server: SERVERS[name].title,
        'per second': medianOf(perSecond),
        quartiles: `${round(quantile(rates, 0.25))} to ${round(quantile(rates, 0.75))}`,
        'processor time, µs': medianOf(({ processorUs }) => processorUs),
        'p50, ms': medianOf(({ p50 }) => p50),
        'p99, ms': medianOf(({ p99 }) => p99),
        'this service is better by': formatRatio(
          compare(measured, name, perSecond),
        ),
      }
    },
  )
  console.log(findWorkload(workload).title)
  console.table(rows)
}

/**
 * Returns the tables of the document. Each has a row for each workload and a
 * column for each peer.
 */
export function summarize(
  results: Readonly<Record<string, Measurements>>,
  names: readonly ServerName[],
): [rates: Table, processorTime: Table] {
  const peers = names.filter((name) => name !== 'ours')
  const create = (title: string, score: Score): Table => ({
    columns: [
      title,
      SERVERS.ours.title,
      ...peers.map((name) => SERVERS[name].title),
    ],
    rows: Object.entries(results).map(([workload, measured]) => {
      const ours = round(median((measured.ours ?? []).map(score)))
      const ratios = peers.map((peer) =>
        measured[peer] ? formatRatio(compare(measured, peer, score)) : '',
      )
      return [
        findWorkload(workload).title,
        `${ours.toLocaleString('en')}/s`,
        ...ratios,
      ]
    }),
  })
  return [
    create('responses per second', perSecond),
    create('responses per second of processor time', perProcessorSecond),
  ]
}

/** Formats a ratio as `0.0052 x`, `0.95 x` or `12 x`. */
const formatRatio = (ratio: number): string =>
  `${ratio < 0.0995 ? ratio.toPrecision(2) : ratio.toFixed(ratio < 9.95 ? 2 : 0)} x`
