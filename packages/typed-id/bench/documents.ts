import { readFileSync, writeFileSync } from 'node:fs'
import { REPOSITORY } from '../repository.ts'

/** A claim of docs/benchmarks.md about the time of an operation: `ratio` is the time of the peer by the time of typed-id. */
export interface Boast {
  /** The table row. */
  text: string
  operation: string
  peer: string
  ratio: number
}

/** Returns a claim for each row of the table in a document. */
export function readTable(document: string): Boast[] {
  const table = document.match(/<!-- bench -->([\s\S]+)<!-- \/bench -->/)?.[1] ?? ''
  let operation = ''
  return [...table.matchAll(/^\|(.+?)\|.*?\|(.+?)\|.*?\| *([\d.]+) x \|$/gm)].map(
    ([text, name = '', peer = '', ratio]) => {
      operation = name.trim() || operation
      return { text, operation, peer: peer.trim(), ratio: Number(ratio) }
    },
  )
}

/** For each operation, the claim against the slowest peer. */
export function keepSlowestPeers(boasts: readonly Boast[]): Boast[] {
  const slowest = new Map<string, Boast>()
  for (const boast of boasts) {
    if (boast.ratio > (slowest.get(boast.operation)?.ratio ?? 0)) slowest.set(boast.operation, boast)
  }
  return [...slowest.values()]
}

/** Returns a message for each claim whose measured ratio is less than `margin` of the claimed one, or is missing. */
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
/** Each document decides which rows it shows. */
const DOCUMENTS = [PAGE, new URL('../README.md', import.meta.url)]
const BLOCK = /(?<=<!-- bench -->\n\n).+?\n\n([\s\S]+?)(?=\n\n<!-- \/bench -->)/

/** Returns docs/benchmarks.md, which has every row that a document shows. */
export const readPage = () => readFileSync(PAGE, 'utf8')

/**
 * Replaces the figures in the tables of the documents by measured ones.
 *
 * @param output the lines that bench/main.ts prints
 */
export function writeDocuments(output: string, runtime: string, processor: string): void {
  const measured = parseRows(output)
  const date = new Date().toLocaleDateString('en', { dateStyle: 'long' })
  for (const file of DOCUMENTS) {
    const document = readFileSync(file, 'utf8')
    const updated = document.replace(BLOCK, (_, table: string) => {
      const [title, rule, ...rows] = table.split('\n')
      return `Measured on ${date}: ${runtime} on ${processor}\n\n${[title, rule, ...updateRows(rows, measured)].join('\n')}`
    })
    if (updated === document)
      throw new Error(`${file} has no table between <!-- bench --> and <!-- /bench -->`)
    writeFileSync(file, updated)
  }
}

/** Returns the figures of each measured row by its operation and the package it is compared with. */
export function parseRows(output: string): Map<string, { ours: string; theirs: string; ratio: string }> {
  let operation = ''
  let ours = ''
  const rows = output.split('\n').map((line) => {
    operation = line.slice(0, 30).trim() || operation
    ours = line.slice(30, 37).trim() || ours
    const theirs = line.slice(59, 68).trim()
    return [
      `${operation}, ${line.slice(39, 59).trim()}`,
      { ours, theirs, ratio: line.slice(68, 79).trim() },
    ] as const
  })
  return new Map(rows)
}

function updateRows(rows: readonly string[], measured: ReturnType<typeof parseRows>): string[] {
  let operation = ''
  return rows.map((row) => {
    const [, name = '', ns = '', peer = '', peerNs = '', ratio = ''] = row.split('|')
    operation = name.trim() || operation
    const found = measured.get(`${operation}, ${peer.trim()}`)
    if (!found) throw new Error(`no measurement for "${operation}" against "${peer.trim()}"`)
    const ours = name.trim() ? group(found.ours) : ''
    const cells = [
      pad(ours, ns),
      peer,
      pad(group(found.theirs), peerNs),
      pad(`${Number.parseFloat(found.ratio).toFixed(1)} x`, ratio),
    ]
    return `|${name}|${cells.join('|')}|`
  })
}

const group = (ns: string) => Math.round(Number(ns)).toLocaleString('en')
const pad = (text: string, cell: string) => ` ${text.padStart(cell.length - 2)} `
