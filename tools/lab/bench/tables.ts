import { formatTable } from 'testkit/tables.ts'
import { median, quantile, round } from '../kit/statistics.ts'
import type { Measurement } from './load.ts'
import type { Program } from './servers.ts'

/** The measurements of one operation for each server, in the order of time. */
export interface Row {
  readonly title: string
  readonly servers: readonly Measurement[][]
}

/**
 * Returns Markdown: a table of the processor time, each server with its
 * packages, and the operations in which each was better than the service.
 */
export function describe(
  programs: readonly Program[],
  rows: readonly Row[],
): string {
  const table = formatTable({
    columns: [
      'processor time per response',
      ...programs.map(({ title }) => title),
    ],
    rows: rows.map((row) => [
      row.title,
      formatMedians(row.servers[0] ?? []),
      ...row.servers.slice(1).map((_, n) => formatRatios(compare(row, n))),
    ]),
  })
  const servers = programs.map(({ title, packages }, n) => {
    const slower = rows
      .filter((row) => quantile(compare(row, n - 1), 0.75) < 1)
      .map((row) => row.title)
    const list =
      slower.length > 0 &&
      `. Takes less processor time than this service in three quarters of the measurements: ${slower.join('; ')}`
    return `- ${title}: ${packages}${list || ''}`
  })
  return [table, servers.join('\n')].join('\n\n')
}

/**
 * Returns the ratio of the processor time of a peer and of this service for
 * each turn. Compares only neighbouring turns, because the speed of a machine
 * with other work changes.
 */
const compare = ({ servers: [ours = [], ...peers] }: Row, peer: number) =>
  ours.map(
    ({ processorUs }, turn) =>
      (peers[peer]?.[turn]?.processorUs ?? Number.NaN) / processorUs,
  )

/** Formats the medians as `28 µs, 28,525/s`. */
function formatMedians(measured: readonly Measurement[]): string {
  const time = median(measured.map(({ processorUs }) => processorUs))
  const rate = median(measured.map(({ perSecond }) => perSecond))
  const [us, perSecond] = [round(time), round(rate, rate < 10 ? 1 : 0)]
  return `${us.toLocaleString('en')} µs, ${perSecond.toLocaleString('en')}/s`
}

/** Formats ratios as `1.02 x (0.95 to 1.10)`: the median and the quartiles. */
const formatRatios = (ratios: readonly number[]): string => {
  const [middle, low, high] = [0.5, 0.25, 0.75].map((q) => {
    const ratio = quantile(ratios, q)
    return ratio.toFixed(ratio < 9.95 ? 2 : 0)
  })
  return `${middle} x (${low} to ${high})`
}
