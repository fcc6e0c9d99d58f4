/*
 * Prints one table: each operation against its peers, how many times faster ours is in this run, and whether
 * that reaches the target. `pnpm bench [words of an operation]`
 */
import { spawnSync } from 'node:child_process'
import { cpus } from 'node:os'
import { fileURLToPath } from 'node:url'
import { bytesPerCall, measure } from './harness.ts'
import { type Row, rows } from './rows.ts'

const ROW = '--row='
/** The targets are for Node. Bun and Deno have native functions that no code in JavaScript can match. */
const hasTargets = !process.versions.bun && !process.versions.deno
const row = process.argv.find((argument) => argument.startsWith(ROW))
if (row) printRow(rows[Number(row.slice(ROW.length))] as Row)
else printTable(process.argv.slice(2).join(' '))

/** Each row runs in a process of its own, so that no row is compiled for what another one did. */
function printTable(wanted: string): void {
  console.log(`${runtime()} on ${cpus().length} x ${cpus()[0]?.model}\n`)
  console.log(line('operation', 'ns', 'against', 'ns', 'ratio', 'target', ''))
  let output = ''
  for (const [index, { operation }] of rows.entries()) {
    if (!operation.includes(wanted)) continue
    const child = spawnSync(process.execPath, [...process.execArgv, ...script(), `${ROW}${index}`], {
      encoding: 'utf8',
    })
    process.stdout.write(child.stdout + child.stderr)
    output += child.stdout
  }
  const missed = output.match(/NOT MET$/gm)?.length ?? 0
  const met = output.match(/ met$/gm)?.length ?? 0
  if (hasTargets) console.log(`\n${met + missed} targets: ${met} met, ${missed} not met`)
  process.exitCode = missed ? 1 : 0
}

function printRow({ operation, ours, peers, bytes }: Row): void {
  const [own = Number.NaN, ...others] = measure([ours, ...peers.map(({ peer }) => peer)])
  peers.forEach(({ peer, target }, i) => {
    const other = others[i] ?? Number.NaN
    const ratio = other / own
    const aim = hasTargets ? target : undefined
    const verdict = aim === undefined ? '' : judge(ratio >= aim)
    const [name, ns] = i ? ['', ''] : [operation, own.toFixed(1)]
    console.log(
      line(name, ns, peer.name, other.toFixed(1), `${ratio.toFixed(2)} x`, aim ? `${aim} x` : '', verdict),
    )
  })
  if (bytes !== undefined && typeof globalThis.gc === 'function') {
    const used = Math.round(bytesPerCall(ours))
    console.log(line('', '', 'allocated', '', `${used} B`, `${bytes} B`, judge(used <= bytes)))
  }
}

function judge(reached: boolean): string {
  return reached ? 'met' : 'NOT MET'
}

function line(
  operation: string,
  own: string,
  peer: string,
  other: string,
  ratio: string,
  target: string,
  verdict: string,
): string {
  return `${operation.padEnd(30)}${own.padStart(7)}  ${peer.padEnd(20)}${other.padStart(9)}${ratio.padStart(11)}${target.padStart(8)}  ${verdict}`
}

function script(): string[] {
  const file = fileURLToPath(import.meta.url)
  return process.versions.deno ? ['run', '--allow-all', file] : [file]
}

function runtime(): string {
  const { versions } = process
  if (versions.bun) return `Bun ${versions.bun}`
  if (versions.deno) return `Deno ${versions.deno}, V8 ${versions.v8}`
  return `Node ${versions.node}, V8 ${versions.v8}`
}
