/*
 * Fuzzing: calls every function with random values and compares the results with the reference implementation.
 *
 *     pnpm --filter typed-id run fuzz             60 seconds, with a new seed
 *     pnpm --filter typed-id run fuzz 300 1       300 seconds, seed 1
 *
 * Stops at the first failure, and prints its seed and value.
 */
import fc from 'fast-check'
import { CLAIMS } from './claims.ts'
import { checkCommands, chunks } from './commands.ts'
import { anything } from './values.ts'

const RUNS = process.env.QUICK ? 200 : 2000
// Each input of a command has up to 12 lines, so fewer inputs test as many texts.
const COMMAND_RUNS = Math.ceil(RUNS / 12)

type Check = (seed: number) => Promise<void>

/** Each function with the number of values to try, and a check that tries them. */
export const CHECKS: readonly [name: string, runs: number, check: Check][] = [
  ...Object.entries(CLAIMS).map(([name, claim]): [string, number, Check] => {
    const property = fc.asyncProperty(anything, (box) => claim(box.get()))
    return [name, RUNS, (seed) => fc.assert(property, { numRuns: RUNS, seed })]
  }),
  [
    'convert, check',
    COMMAND_RUNS,
    (seed) => fc.assert(fc.asyncProperty(chunks, checkCommands), { numRuns: COMMAND_RUNS, seed }),
  ],
]

if (import.meta.main) {
  const [seconds = '60', first = String(Date.now() % 2 ** 31)] = process.argv.slice(2)
  const end = performance.now() + Number(seconds) * 1000
  let rounds = 0
  for (; performance.now() < end; rounds++) {
    for (const [name, , check] of CHECKS)
      await check(Number(first) + rounds).catch((error) => {
        throw new Error(name, { cause: error })
      })
  }
  for (const [name, runs] of CHECKS)
    console.log(`${name.padEnd(20)} ${(rounds * runs).toLocaleString('en').padStart(12)}`)
  console.log(`seed ${first}: 0 failures`)
}
