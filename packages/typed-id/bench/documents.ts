import { readFileSync, writeFileSync } from 'node:fs'
import { formatTable, REPOSITORY, replaceSection } from 'testkit/documents.ts'

export interface Measured {
  readonly operation: string
  readonly oursNs: number
  readonly peer: string
  readonly theirsNs: number
}

export interface Claim {
  readonly operation: string
  readonly peer: string
  readonly ratio: number
}

const PAGE = new URL('docs/benchmarks.md', REPOSITORY)
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
  const rows = measured.map(({ operation, oursNs, peer, theirsNs }) => [
    ...[operation, Math.round(oursNs), peer, Math.round(theirsNs)],
    (theirsNs / oursNs).toFixed(1),
  ])
  return formatTable({ columns, rows })
}
