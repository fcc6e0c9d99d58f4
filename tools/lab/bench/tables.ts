import type { Table } from 'testkit/tables.ts'
import { median, quantile, round } from '../kit/statistics.ts'
import {
  compare,
  compareProcessorTime,
  isByLatency,
  type Measurement,
  type Measurements,
  perProcessorSecond,
  scoreOf,
} from './measure.ts'
import { SERVERS, type ServerName } from './servers.ts'
import { findWorkload } from './workloads.ts'

/** Prints all figures of one workload, with a row for each server. */
export function printFigures(workload: string, measured: Measurements): void {
  const { title, alongside } = findWorkload(workload)
  const rows = (Object.entries(measured) as [ServerName, Measurement[]][]).map(([name, all]) => {
    const rates = all.map(({ perSecond }) => perSecond)
    const medianOf = (figure: (each: Measurement) => number) => round(median(all.map(figure)), 1)
    return {
      server: SERVERS[name].title,
      'per second': round(median(rates)),
      quartiles: `${round(quantile(rates, 0.25))} to ${round(quantile(rates, 0.75))}`,
      'processor time, µs': medianOf(({ processorUs }) => processorUs),
      'of the database, µs': medianOf(({ databaseUs }) => databaseUs),
      'per processor second': round(perProcessorSecond(all)),
      'p50, ms': medianOf(({ p50 }) => p50),
      'p99, ms': medianOf(({ p99FromDue }) => p99FromDue),
      'this service is better by': formatRatio(compare(workload, measured, name)),
      ...(alongside && { [`${alongside} per second`]: medianOf((each) => each.alongside?.perSecond ?? 0) }),
    }
  })
  console.log(title)
  console.table(rows)
}

/** Returns the tables of the document. Each has a row for each workload and a column for each peer. */
export function summarize(
  results: Readonly<Record<string, Measurements>>,
  names: readonly ServerName[],
): [rates: Table, processorTime: Table] {
  const peers = names.filter((name) => name !== 'ours')
  const create = (
    title: string,
    rows: readonly string[],
    format: (workload: string, ours: readonly Measurement[]) => string,
    ratio: (workload: string, measured: Measurements, peer: ServerName) => number,
  ): Table => ({
    columns: [title, SERVERS.ours.title, ...peers.map((name) => SERVERS[name].title)],
    rows: rows.map((workload) => {
      const measured = results[workload] ?? {}
      const ratios = peers.map((peer) => (measured[peer] ? formatRatio(ratio(workload, measured, peer)) : ''))
      return [findWorkload(workload).title, format(workload, measured.ours ?? []), ...ratios]
    }),
  })
  const workloads = Object.keys(results)
  const perSecond = (rate: number) => `${round(rate).toLocaleString('en')}/s`
  return [
    create(
      'responses per second, or p99',
      workloads,
      (workload, ours) => {
        const score = scoreOf(workload, ours)
        return isByLatency(workload) ? `${round(score, 1)} ms` : perSecond(score)
      },
      compare,
    ),
    create(
      'responses per second of processor time',
      workloads.filter((workload) => !isByLatency(workload)),
      (_, ours) => perSecond(perProcessorSecond(ours)),
      (_, measured, peer) => compareProcessorTime(measured, peer),
    ),
  ]
}

/** Formats a ratio as `0.0052 x`, `0.95 x` or `12 x`. */
const formatRatio = (ratio: number): string =>
  `${ratio < 0.0995 ? ratio.toPrecision(2) : ratio.toFixed(ratio < 9.95 ? 2 : 0)} x`
