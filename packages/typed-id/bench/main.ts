/*
 * `pnpm bench [part of an operation's name]` prints ratios: the time in another
 * package divided by the time in typed-id.
 *
 * Without a name, `pnpm bench` fails if a ratio is below 80% of the ratio in
 * docs/benchmarks.md. `--write` updates docs/benchmarks.md and the README.
 * `--short` takes seconds: it measures only the package with the highest ratio
 * for each operation, and fails below 50% of the ratio in docs/benchmarks.md.
 */
import { execFileSync } from 'node:child_process'
import { cpus } from 'node:os'
import { fileURLToPath } from 'node:url'
import {
  type Claim,
  type Measured,
  readClaims,
  writeDocuments,
} from './documents.ts'
import { measure } from './harness.ts'
import { type Row, rows } from './rows.ts'

const MACHINE = `Node ${process.versions.node}, V8 ${process.versions.v8} on ${cpus().length} x ${cpus()[0]?.model}`
const [task = '', ...words] = process.argv.slice(2)

if (task === '--times')
  console.log(JSON.stringify(measureRow(rows[Number(words[0])] as Row)))
else if (task === '--short') {
  const claims = keepSlowestPeers(readClaims())
  check(claims, claims.flatMap(measureClaim), 0.5)
} else {
  const wanted = task === '--write' ? '' : [task, ...words].join(' ')
  const measured = measureAll(wanted)
  if (task === '--write') writeDocuments(measured, MACHINE)
  if (!wanted) check(readClaims(), measured, 0.8)
}

function check(
  claims: readonly Claim[],
  measured: readonly Measured[],
  margin: number,
): void {
  const untrue = claims.filter(({ operation, peer, ratio }) => {
    const found = measured.find(
      (one) => one.operation === operation && one.peer === peer,
    )
    if (found && found.theirsNs / found.oursNs >= ratio * margin) return false
    console.error(
      `no longer true: ${operation} is ${ratio} x as fast as ${peer}`,
    )
    return true
  })
  console.log(
    `${claims.length} claims of docs/benchmarks.md: ${claims.length - untrue.length} true`,
  )
  if (untrue.length || claims.length === 0) process.exitCode = 1
}

function keepSlowestPeers(claims: readonly Claim[]): Claim[] {
  return claims.filter((claim) =>
    claims.every(
      ({ operation, ratio }) =>
        operation !== claim.operation || ratio <= claim.ratio,
    ),
  )
}

function measureClaim({ operation, peer }: Claim): Measured[] {
  const row = rows.find((row) => row.operation === operation)
  const peers = row?.peers.filter(({ name }) => name === peer) ?? []
  return row ? print(measureRow({ ...row, peers }, 101)) : []
}

/**
 * Measures each operation in a new process, so that the code that V8 compiled
 * for one operation does not affect the times of the next operation.
 */
function measureAll(wanted: string): Measured[] {
  console.log(`${MACHINE}\n`)
  return rows.flatMap(({ operation }, index) => {
    if (!operation.includes(wanted)) return []
    const args = [fileURLToPath(import.meta.url), '--times', String(index)]
    const output = execFileSync(process.execPath, args, { encoding: 'utf8' })
    return print(JSON.parse(output))
  })
}

function measureRow(
  { operation, ours: own, peers }: Row,
  rounds?: number,
): Measured[] {
  const [oursNs = Number.NaN, ...others] = measure([own, ...peers], rounds)
  return others.map((theirsNs, n) => {
    return { operation, oursNs, peer: peers[n]?.name ?? '', theirsNs }
  })
}

function print(measured: Measured[]): Measured[] {
  for (const { operation, oursNs, peer, theirsNs } of measured)
    console.log(
      `${operation.padEnd(30)}${oursNs.toFixed(1).padStart(8)} ns  ${(theirsNs / oursNs).toFixed(2).padStart(7)} x  ${peer}`,
    )
  return measured
}
