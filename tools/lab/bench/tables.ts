import { formatTable } from 'testkit/tables.ts'
import { median, quantile, round } from '../kit/statistics.ts'
import type { Measurement } from './load.ts'
import type { Program } from './servers.ts'

/** The measurements of one operation, by server, in the order of time. */
export interface Row {
  readonly title: string
  readonly servers: readonly Measurement[][]
}

/** A figure of a measurement, of which more is better. */
type Score = (measurement: Measurement) => number

const perSecond: Score = ({ perSecond }) => perSecond
const perProcessorTime: Score = ({ processorUs }) => 1 / processorUs

const formatRate = (rate: number) =>
  `${round(rate, rate < 10 ? 1 : 0).toLocaleString('en')}/s`
const formatTime = (score: number) =>
  `${round(1 / score).toLocaleString('en')} µs`

/**
 * Returns a table of the rates and one of the processor time, then each server
 * with its packages, and the operations in which it was better.
 */
export function describe(
  programs: readonly Program[],
  rows: readonly Row[],
): string {
  const create = (
    title: string,
    score: Score,
    format: (median: number) => string,
  ) =>
    formatTable({
      columns: [title, ...programs.map(({ title }) => title)],
      rows: rows.map((row) => [
        row.title,
        format(median((row.servers[0] ?? []).map(score))),
        ...row.servers
          .slice(1)
          .map((_, n) => formatRatios(compare(row, n + 1, score))),
      ]),
    })
  const servers = programs.map(({ title, packages }, n) => {
    const slower = rows
      .filter((row) => quantile(compare(row, n, perProcessorTime), 0.75) < 1)
      .map((row) => row.title)
    const list =
      slower.length > 0 &&
      `. Takes less processor time than this service in three quarters of the measurements: ${slower.join('; ')}`
    return `- ${title}: ${packages}${list || ''}`
  })
  return [
    create('responses per second', perSecond, formatRate),
    create('processor time per response', perProcessorTime, formatTime),
    servers.join('\n'),
  ].join('\n\n')
}

/**
 * Returns the ratio by which this service is better than another server in each
 * turn. Compares only neighbouring turns, because the speed of a machine with
 * other work changes.
 */
const compare = ({ servers }: Row, server: number, score: Score): number[] =>
  (servers[server] ?? []).map(
    (theirs, turn) => score(servers[0]?.[turn] as Measurement) / score(theirs),
  )

/** Formats ratios as `1.02 x (0.95 to 1.10)`: the median and the quartiles. */
const formatRatios = (ratios: readonly number[]): string => {
  const [middle, low, high] = [0.5, 0.25, 0.75].map((q) => {
    const ratio = quantile(ratios, q)
    return ratio.toFixed(ratio < 9.95 ? 2 : 0)
  })
  return `${middle} x (${low} to ${high})`
}
