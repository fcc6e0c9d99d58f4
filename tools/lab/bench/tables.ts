import type { Cell, Table } from '../kit/report.ts'
import { median, quantile, round } from '../kit/statistics.ts'
import { findWorkload } from '../kit/workloads.ts'
import {
  compare,
  compareProcessorTime,
  databaseUsOf,
  isByLatency,
  type Measurement,
  type Measurements,
  processorUsOf,
  scoreOf,
} from './measure.ts'
import { SERVERS, type ServerName } from './servers.ts'

export type Results = Readonly<Record<string, Measurements>>

/** Returns a table of all figures of one workload, with a row for each server. */
export function tabulate(workload: string, measured: Measurements): Table {
  const { alongside } = findWorkload(workload)
  const rows = (Object.entries(measured) as [ServerName, Measurement[]][]).map(([name, all]): Cell[] => {
    const rates = all.map(({ perSecond }) => perSecond)
    const ratio = compare(workload, measured, name)
    return [
      SERVERS[name].title,
      round(median(rates)),
      `${round(quantile(rates, 0.25))} to ${round(quantile(rates, 0.75))}`,
      `${processorUsOf(all).toFixed(1)} µs`,
      `${databaseUsOf(all).toFixed(1)} µs`,
      round(1e6 / (processorUsOf(all) + databaseUsOf(all))),
      `${median(all.map(({ p50 }) => p50)).toFixed(1)} ms`,
      `${median(all.map(({ p99FromDue }) => p99FromDue)).toFixed(1)} ms`,
      name === 'ours' ? '' : formatRatio(ratio),
      ...(alongside ? [round(median(all.map((each) => each.alongside?.perSecond ?? Number.NaN)))] : []),
    ]
  })
  const columns = [
    ...[
      'server',
      'per second',
      'quartiles',
      'processor time',
      'of the database',
      'per processor second',
      'p50',
      'p99',
    ],
    'this service is better by',
    ...(alongside ? [`${alongside} per second`] : []),
  ]
  return { columns, rows }
}

/** Returns the tables of the document. Each has a row for each workload and a column for each peer. */
export function summarize(results: Results, names: readonly ServerName[]): Table[] {
  const peers = names.filter((name) => name !== 'ours')
  const create = (
    title: string,
    rows: readonly string[],
    format: (workload: string, measured: Measurements) => string,
    ratio: (workload: string, measured: Measurements, peer: ServerName) => number,
  ): Table => ({
    columns: [title, ...['ours', ...peers].map((name) => SERVERS[name as ServerName].title)],
    rows: rows.map((workload) => {
      const measured = results[workload] ?? {}
      const ratios = peers.map((peer) => (measured[peer] ? formatRatio(ratio(workload, measured, peer)) : ''))
      return [findWorkload(workload).title, format(workload, measured), ...ratios]
    }),
  })
  const workloads = Object.keys(results)
  const rates = workloads.filter((workload) => !isByLatency(workload))
  return [
    create(
      'responses per second, or p99',
      workloads,
      (workload, { ours = [] }) => {
        const score = scoreOf(workload, ours)
        return isByLatency(workload) ? `${round(score, 1)} ms` : `${round(score).toLocaleString('en')}/s`
      },
      compare,
    ),
    create(
      'responses per second of processor time',
      rates,
      (_, { ours = [] }) =>
        `${round(1e6 / (processorUsOf(ours) + databaseUsOf(ours))).toLocaleString('en')}/s`,
      (_, measured, peer) => compareProcessorTime(measured, peer),
    ),
  ]
}

/** Formats a ratio as `0.0052 x`, `0.95 x` or `12 x`. */
const formatRatio = (ratio: number): string =>
  `${ratio < 0.0995 ? ratio.toPrecision(2) : ratio.toFixed(ratio < 9.95 ? 2 : 0)} x`
