import { formatTable } from 'testkit/tables.ts'

/** What a browser downloads for a program: with the subpath, and written by hand. */
export interface Size {
  readonly bundler: string
  readonly subpath: string
  readonly typed: number
  readonly byHand: number
}

const kilobytes = (bytes: number) => (bytes / 1000).toFixed(1)

/** Returns the table of docs/benchmarks.md, with a row for each subpath and a column for each bundler. */
export function sizeTable(sizes: readonly Size[]): string {
  const bundlers = [...new Set(sizes.map(({ bundler }) => bundler))]
  const rows = [...new Set(sizes.map(({ subpath }) => subpath))].map((name) => {
    const measured = sizes.filter(({ subpath }) => subpath === name)
    const cells = measured.map(({ byHand, typed }) => `${kilobytes(byHand)} → ${kilobytes(typed)}`)
    return [`typed-id/${name}`, ...cells]
  })
  return formatTable({ columns: ['kB, by hand → with', ...bundlers], rows })
}
