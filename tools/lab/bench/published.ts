import { readFileSync } from 'node:fs'
import { REPOSITORY } from 'testkit/repository.ts'
import { describeKind } from '../kit/machine.ts'
import { formatTable, publishedMeasurement, type Table } from '../kit/report.ts'

/** The document that contains the figures. */
const DOCUMENT = new URL('docs/performance.md', REPOSITORY)

/** A ratio of a later run may differ by this factor in either direction. Rates of durable writes depend on the disk. */
const TOLERANCE = { processorTime: 1.5, rate: 2.5, p99: 8 }

/** The section of the document: the tables with everything that their figures depend on. */
export function formatSection(
  tables: readonly Table[],
  setting: string,
  versions: readonly string[],
): string {
  return [
    `${setting} In another run on the machine, a factor of the tables may be up to ${TOLERANCE.processorTime} times as high or low for processor time, ${TOLERANCE.rate} for rates and ${TOLERANCE.p99} for p99.`,
    ...tables.map(formatTable),
    versions.map((line) => `- ${line}`).join('\n'),
  ].join('\n\n')
}

/** Returns the ratios that are outside the tolerance of the document, if its figures are of the same kind of machine. */
export function compareWithDocument(tables: readonly Table[], document = readFileSync(DOCUMENT, 'utf8')) {
  const section = document.slice(document.indexOf('<!-- bench -->'), document.indexOf('<!-- /bench -->'))
  // A table of another date or machine names it in its first line, others are of the machine of the document.
  const [line] = /^Measured on .*/m.exec(section) ?? [publishedMeasurement(document)]
  if (!line.includes(`on this machine: ${describeKind()},`))
    return {
      deviations: [],
      note: `docs/performance.md has no ratios of this kind of machine: ${describeKind()}`,
    }
  const published = readRatios(section)
  const deviations = tables.flatMap((table) =>
    [...readRatios(formatTable(table))].flatMap(([name, measured]) => {
      const before = published.get(name)
      const factor = Math.max(measured / (before ?? measured), (before ?? measured) / measured)
      return factor > toleranceOf(name) ? [`${name}: ${measured} x, ${before} x in docs/performance.md`] : []
    }),
  )
  return {
    deviations,
    note: `docs/performance.md has ${published.size} ratios of this kind of machine`,
  }
}

function toleranceOf(name: string): number {
  if (name.includes('p99 of')) return TOLERANCE.p99
  return name.includes('processor time') ? TOLERANCE.processorTime : TOLERANCE.rate
}

/** The cells such as `1.25 x` in the tables of a Markdown text, by table, row and column. */
function readRatios(markdown: string): Map<string, number> {
  const ratios = new Map<string, number>()
  let header: string[] | undefined
  for (const line of markdown.split('\n')) {
    const cells = line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim())
    if (cells.length === 0) header = undefined
    else if (header === undefined) header = cells
    for (const [n, cell] of cells.entries()) {
      if (/^[\d.]+ x$/.test(cell))
        ratios.set(`${header?.[0]}, ${cells[0]}, ${header?.[n]}`, Number.parseFloat(cell))
    }
  }
  return ratios
}
