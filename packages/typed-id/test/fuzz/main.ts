/*
 * Fuzzing: calls every function with random values and compares the results with the reference implementation.
 *
 *     pnpm --filter typed-id run fuzz             60 seconds, with a new seed
 *     pnpm --filter typed-id run fuzz 300 1       300 seconds, seed 1
 */
import { fuzz } from './run.ts'

const [seconds = '60', seed = String(Date.now() % 2 ** 31)] = process.argv.slice(2)
const { tried, failures } = await fuzz({
  seed: Number(seed),
  seconds: Number(seconds),
  rounds: Number.POSITIVE_INFINITY,
  runs: 2000,
})
for (const [name, count] of tried)
  console.log(`${name.padEnd(20)} ${count.toLocaleString('en').padStart(12)}`)
console.log(`seed ${seed}: ${failures.length} failures`)
for (const failure of failures) console.log(failure)
process.exitCode = failures.length > 0 ? 1 : 0
