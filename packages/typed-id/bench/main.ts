/*
 * Prints a table: the time of each operation, the time of the same operation in other packages, their ratio in this
 * run, and whether the ratio reaches the target. `pnpm bench [part of an operation's name]`
 *
 * `pnpm bench` fails if a claim of docs/benchmarks.md is no longer true: a ratio of its table is more than a
 * fifth lower. A missed target is only reported, because ratios differ between processors. `pnpm bench --write`
 * first writes the rows that the documents show.
 * `pnpm bench --short` measures in seconds, and checks half of the claimed ratio to the slowest peer of each operation.
 */
import { spawnSync } from 'node:child_process'
import { cpus } from 'node:os'
import { fileURLToPath } from 'node:url'
import { findUntrue, keepSlowestPeers, parseRows, readPage, readTable, writeDocuments } from './documents.ts'
import { bytesPerCall, measure } from './harness.ts'
import { type Row, rows } from './rows.ts'

const { versions } = process
/** The targets apply to Node only: Bun and Deno have native functions that are faster than any JavaScript. */
const hasTargets = !versions.bun && !versions.deno

const [task, ...words] = process.argv.slice(2)
const row = rows[Number(words[0])] as Row
if (task === '--times') printTimes(row)
else if (task === '--bytes') printBytes(row)
else if (task === '--short') checkOrder()
else if (task === '--write') {
  const output = printTable('')
  writeDocuments(output, runtime(), processor())
  checkBoasts(output)
} else {
  const wanted = [task ?? '', ...words].join(' ')
  const output = printTable(wanted)
  if (hasTargets && !wanted) checkBoasts(output)
}

/** Fails if a claim of docs/benchmarks.md is more than a fifth higher than the measured ratio. */
function checkBoasts(output: string): void {
  const measured = parseRows(output)
  report(
    readTable(readPage()),
    (operation, peer) => Number.parseFloat(measured.get(`${operation}, ${peer}`)?.ratio ?? ''),
    0.8,
  )
}

/** Measures each operation of the page's table and its slowest peer in 101 rounds, all in this process. */
function checkOrder(): void {
  report(
    keepSlowestPeers(readTable(readPage())),
    (operation, name) => {
      const { ours, peers } = rows.find((row) => row.operation === operation) as Row
      const found = peers.find(({ peer }) => peer.name === name)
      if (!found) return undefined
      const [own = Number.NaN, other = Number.NaN] = measure([ours, found.peer], 101)
      console.log(`${operation.padEnd(30)}${(other / own).toFixed(1).padStart(7)} x  ${name}`)
      return other / own
    },
    0.5,
  )
}

function report(...[boasts, measured, margin]: Parameters<typeof findUntrue>): void {
  const untrue = findUntrue(boasts, measured, margin)
  for (const message of untrue) console.error(message)
  console.log(`${boasts.length} claims of docs/benchmarks.md: ${boasts.length - untrue.length} true`)
  if (untrue.length) process.exitCode = 1
}

/**
 * Prints the rows whose operation contains `wanted`, and returns them. Each row is measured in a new process, so the
 * code that V8 compiled for one row does not affect the next.
 */
function printTable(wanted: string): string {
  console.log(`${runtime()} on ${processor()}\n`)
  console.log(line('operation', 'ns', 'against', 'ns', 'ratio', 'target', ''))
  let output = ''
  for (const [index, { operation, bytes }] of rows.entries()) {
    if (!operation.includes(wanted)) continue
    output += child([], '--times', index)
    // With a young generation of 256 MB no garbage is collected, so the used memory is the allocated memory.
    if (bytes !== undefined && hasTargets)
      output += child(['--expose-gc', '--max-semi-space-size=256'], '--bytes', index)
  }
  const met = output.match(/ met$/gm)?.length ?? 0
  const missed = output.match(/NOT MET$/gm)?.length ?? 0
  if (hasTargets) console.log(`\n${met + missed} targets: ${met} met, ${missed} not met`)
  return output
}

function child(flags: string[], task: string, index: number): string {
  const file = fileURLToPath(import.meta.url)
  const script = versions.deno ? ['run', '--allow-all', file] : [...flags, file]
  const { stdout } = spawnSync(process.execPath, [...script, task, String(index)], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  process.stdout.write(stdout)
  return stdout
}

function printTimes({ operation, ours, peers }: Row): void {
  const [own = Number.NaN, ...others] = measure([ours, ...peers.map(({ peer }) => peer)])
  peers.forEach(({ peer, target }, i) => {
    const other = others[i] ?? Number.NaN
    const ratio = other / own
    const aim = hasTargets ? target : undefined
    const [name, ns] = i ? ['', ''] : [operation, own.toFixed(1)]
    const verdict = aim === undefined ? '' : judge(ratio >= aim)
    console.log(
      line(name, ns, peer.name, other.toFixed(1), `${ratio.toFixed(2)} x`, aim ? `${aim} x` : '', verdict),
    )
  })
}

function printBytes({ ours, bytes = 0 }: Row): void {
  const used = Math.round(bytesPerCall(ours))
  console.log(line('', '', 'allocated', '', `${used} B`, `${bytes} B`, judge(used <= bytes)))
}

function judge(reached: boolean): string {
  return reached ? 'met' : 'NOT MET'
}

function line(
  ...[operation, own, peer, other, ratio, target, verdict]: [
    string,
    string,
    string,
    string,
    string,
    string,
    string,
  ]
): string {
  return `${operation.padEnd(30)}${own.padStart(7)}  ${peer.padEnd(20)}${other.padStart(9)}${ratio.padStart(11)}${target.padStart(8)}  ${verdict}`
}

function processor(): string {
  return `${cpus().length} x ${cpus()[0]?.model}`
}

function runtime(): string {
  if (versions.bun) return `Bun ${versions.bun}`
  if (versions.deno) return `Deno ${versions.deno}, V8 ${versions.v8}`
  return `Node ${versions.node}, V8 ${versions.v8}`
}
