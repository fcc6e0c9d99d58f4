import { readFileSync, writeFileSync } from 'node:fs'
import { formatTable, REPOSITORY, replaceSection } from 'testkit/documents.ts'

/**
 * The time of an operation in typed-id (`ours`) and in another package
 * (`peer`), in nanoseconds.
 */
export interface Measured {
  readonly operation: string
  readonly ours: number
  readonly peer: string
  readonly theirs: number
}

/**
 * A row of docs/benchmarks.md: `ratio` is the time of the peer divided by the
 * time of typed-id.
 */
export interface Claim {
  readonly operation: string
  readonly peer: string
  readonly ratio: number
}

const PAGE = new URL('docs/benchmarks.md', REPOSITORY)
/** The rows that are also in the package's README, as `operation, peer`. */
const IN_README = [
  'generate, typeid-js functions',
  'generate, uuid v7',
  'generate, nanoid 6',
  'is, valid id, uuid validate',
  'fromShort, typeid-js functions',
]
const UNFORMATTED = '<!-- biome-ignore format: written by a program -->'

export function readClaims(): Claim[] {
  const [, table = ''] = readFileSync(PAGE, 'utf8').split(/<!-- \/?bench -->/)
  return [
    ...table.matchAll(/^\| (.+) \| .+ \| (.+) \| .+ \| ([\d.]+) \|$/gm),
  ].map(([, operation = '', peer = '', ratio]) => {
    return { operation, peer, ratio: Number(ratio) }
  })
}

export function writeDocuments(
  measured: readonly Measured[],
  machine: string,
): void {
  const date = new Date().toLocaleDateString('en', { dateStyle: 'long' })
  const head = `Measured on ${date}: ${machine}`
  const write = (file: URL, rows: readonly Measured[]) => {
    const text = `${head}\n\n${UNFORMATTED}\n${createTable(rows)}`
    writeFileSync(
      file,
      replaceSection(readFileSync(file, 'utf8'), 'bench', text),
    )
  }
  write(PAGE, measured)
  write(
    new URL('../README.md', import.meta.url),
    measured.filter((one) =>
      IN_README.includes(`${one.operation}, ${one.peer}`),
    ),
  )
}

function createTable(measured: readonly Measured[]): string {
  const columns = ['operation', 'typed-id', 'against', 'ns', 'ratio']
  const rows = measured.map(({ operation, ours, peer, theirs }) => [
    ...[operation, Math.round(ours), peer, Math.round(theirs)],
    (theirs / ours).toFixed(1),
  ])
  return formatTable({ columns, rows })
}
