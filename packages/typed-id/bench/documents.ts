import { readFileSync, writeFileSync } from 'node:fs'
import { REPOSITORY } from 'testkit/documents.ts'

/**
 * A claim of docs/benchmarks.md about the time of an operation: `ratio` is the
 * time of the peer divided by the time of typed-id.
 */
export interface Boast {
  /** The row of the table, as Markdown. */
  text: string
  operation: string
  peer: string
  ratio: number
}

const BLOCK = /<!-- bench -->[\s\S]+<!-- \/bench -->/
/** Matches the five cells of a row. The first is empty if it repeats. */
const ROW = /^\|(.+?)\|(.*?)\|(.+?)\|(.*?)\|(.+? x )\|$/gm

export function readTable(document: string): Boast[] {
  const [block = ''] = BLOCK.exec(document) ?? []
  let operation = ''
  return [...block.matchAll(ROW)].map(
    ([text, name = '', , peer = '', , ratio = '']) => {
      operation = name.trim() || operation
      const times = Number.parseFloat(ratio)
      return { text, operation, peer: peer.trim(), ratio: times }
    },
  )
}

export function keepSlowestPeers(boasts: readonly Boast[]): Boast[] {
  const slowest = new Map<string, Boast>()
  for (const boast of boasts) {
    if (boast.ratio > (slowest.get(boast.operation)?.ratio ?? 0))
      slowest.set(boast.operation, boast)
  }
  return [...slowest.values()]
}

/**
 * Returns a message for each claim whose measured ratio is missing, or less
 * than `margin` times the claimed ratio.
 */
export function findUntrue(
  boasts: readonly Boast[],
  measured: (operation: string, peer: string) => number | undefined,
  margin: number,
): string[] {
  return boasts.flatMap(({ text, operation, peer, ratio }) => {
    const found = measured(operation, peer) ?? Number.NaN
    if (found >= ratio * margin) return []
    return `no longer true: "${text}": measured ${found.toFixed(2)} x, expected at least ${(ratio * margin).toFixed(2)} x`
  })
}

const PAGE = new URL('docs/benchmarks.md', REPOSITORY)
/**
 * The documents with a table of times. Each contains a selection of the rows.
 */
const DOCUMENTS = [PAGE, new URL('../README.md', import.meta.url)]

export const readPage = () => readFileSync(PAGE, 'utf8')

/** The time of typed-id and of a peer in nanoseconds, and their ratio. */
export interface Measured {
  readonly operation: string
  readonly ours: number
  readonly peer: string
  readonly theirs: number
  readonly ratio: number
}

export function writeDocuments(
  measured: readonly Measured[],
  runtime: string,
  processor: string,
): void {
  const date = new Date().toLocaleDateString('en', { dateStyle: 'long' })
  for (const file of DOCUMENTS) {
    const document = readFileSync(file, 'utf8')
    const updated = document.replace(BLOCK, (block) =>
      updateRows(block, measured).replace(
        /^Measured on .+$/m,
        `Measured on ${date}: ${runtime} on ${processor}`,
      ),
    )
    if (updated === document)
      throw new Error(
        `${file} has no table between <!-- bench --> and <!-- /bench -->`,
      )
    writeFileSync(file, updated)
  }
}

function updateRows(block: string, measured: readonly Measured[]): string {
  let operation = ''
  return block.replace(ROW, (_, name, ns, cell, peerNs, ratio) => {
    const peer = cell.trim()
    operation = name.trim() || operation
    const found = measured.find(
      (one) => one.operation === operation && one.peer === peer,
    )
    if (!found)
      throw new Error(`no measurement for "${operation}" against "${peer}"`)
    const cells = [
      name,
      pad(name.trim() ? group(found.ours) : '', ns),
      cell,
      pad(group(found.theirs), peerNs),
      pad(`${found.ratio.toFixed(1)} x`, ratio),
    ]
    return `|${cells.join('|')}|`
  })
}

const group = (ns: number) => Math.round(ns).toLocaleString('en')
const pad = (text: string, cell: string) =>
  ` ${text.padStart(cell.length - 2)} `
