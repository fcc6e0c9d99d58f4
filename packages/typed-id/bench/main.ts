/*
 * Prints the time of each operation, the time of the same operation in other packages, and their ratio in this run:
 * `pnpm bench [part of an operation's name]`
 *
 * `pnpm bench` fails if a claim of docs/benchmarks.md is no longer true: a ratio of its table is more than a fifth lower.
 * `pnpm bench --write` first writes the rows that the documents show. `pnpm bench --short` measures in seconds, and checks
 * half of the claimed ratio to the slowest peer of each operation.
 */
import { execFileSync } from 'node:child_process'
import { cpus } from 'node:os'
import { fileURLToPath } from 'node:url'
import {
  findUntrue,
  keepSlowestPeers,
  type Measured,
  readPage,
  readTable,
  writeDocuments,
} from './documents.ts'
import { measure } from './harness.ts'
import { type Row, rows } from './rows.ts'

const RUNTIME = `Node ${process.versions.node}, V8 ${process.versions.v8}`
const PROCESSOR = `${cpus().length} x ${cpus()[0]?.model}`
const [task, ...words] = process.argv.slice(2)
const row = rows[Number(words[0])] as Row

if (task === '--times') console.log(JSON.stringify(measureTimes(row)))
else if (task === '--short') checkOrder()
else if (task === '--write') {
  const measured = printTable('')
  writeDocuments(measured, RUNTIME, PROCESSOR)
  checkBoasts(measured)
} else {
  const wanted = [task ?? '', ...words].join(' ')
  const measured = printTable(wanted)
  if (!wanted) checkBoasts(measured)
}

/**
 * Fails if a claimed ratio in docs/benchmarks.md is more than a fifth above the
 * measured one.
 */
function checkBoasts(measured: readonly Measured[]): void {
  const ratioOf = (operation: string, peer: string) =>
    measured.find((one) => one.operation === operation && one.peer === peer)
      ?.ratio
  report(readTable(readPage()), ratioOf, 0.8)
}

/**
 * Measures each operation of the page's table and its slowest peer in 101
 * rounds, all in this process.
 */
function checkOrder(): void {
  const measurePair = (operation: string, name: string) => {
    const { ours, peers } = rows.find(
      (row) => row.operation === operation,
    ) as Row
    const found = peers.find((peer) => peer.name === name)
    if (!found) return undefined
    const [own = Number.NaN, other = Number.NaN] = measure([ours, found], 101)
    console.log(
      `${operation.padEnd(30)}${(other / own).toFixed(1).padStart(7)} x  ${name}`,
    )
    return other / own
  }
  report(keepSlowestPeers(readTable(readPage())), measurePair, 0.5)
}

function report(
  ...[boasts, measured, margin]: Parameters<typeof findUntrue>
): void {
  const untrue = findUntrue(boasts, measured, margin)
  for (const message of untrue) console.error(message)
  console.log(
    `${boasts.length} claims of docs/benchmarks.md: ${boasts.length - untrue.length} true`,
  )
  if (untrue.length) process.exitCode = 1
}

/**
 * Prints the rows whose operation contains `wanted`, and returns them. Each row
 * is measured in a new process, so the code that V8 compiled for one row does
 * not affect the next.
 */
function printTable(wanted: string): Measured[] {
  console.log(`${RUNTIME} on ${PROCESSOR}\n`)
  print('operation', 'ns', 'against', 'ns', 'ratio')
  return rows.flatMap(({ operation }, index) => {
    if (!operation.includes(wanted)) return []
    const args = [fileURLToPath(import.meta.url), '--times', String(index)]
    const measured: Measured[] = JSON.parse(
      execFileSync(process.execPath, args, { encoding: 'utf8' }),
    )
    for (const [n, { ours, peer, theirs, ratio }] of measured.entries()) {
      const [name, own] = n ? ['', ''] : [operation, ours.toFixed(1)]
      print(name, own, peer, theirs.toFixed(1), `${ratio.toFixed(2)} x`)
    }
    return measured
  })
}

function measureTimes({ operation, ours: own, peers }: Row): Measured[] {
  // Measures typed-id a second time, which shows the measuring error.
  const again = { ...own, name: 'typed-id again' }
  const contenders = [again, ...peers]
  const [ours = Number.NaN, ...others] = measure([own, ...contenders])
  return contenders.map(({ name: peer }, n) => {
    const theirs = others[n] ?? Number.NaN
    return { operation, ours, peer, theirs, ratio: theirs / ours }
  })
}

function print(
  operation: string,
  own: string,
  peer: string,
  other: string,
  ratio: string,
): void {
  const figures = [
    own.padStart(7),
    `  ${peer.padEnd(20)}`,
    other.padStart(9),
    ratio.padStart(11),
  ]
  console.log(operation.padEnd(30) + figures.join(''))
}
