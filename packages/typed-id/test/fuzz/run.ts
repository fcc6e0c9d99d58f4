import fc from 'fast-check'
import { CLAIMS } from './claims.ts'
import { checkCommands, chunks } from './lines.ts'
import { anything } from './values.ts'

/** The number of values tried per function, and the failures. Each failure names its seed and value. */
interface Findings {
  readonly tried: Map<string, number>
  readonly failures: string[]
}

/**
 * Compares every function with the reference implementation. A round tries `runs` values per function. Stops after
 * `rounds`, after `seconds`, or after a round with a failure.
 */
export async function fuzz({
  seed,
  rounds,
  runs,
  seconds,
}: {
  seed: number
  rounds: number
  runs: number
  seconds: number
}): Promise<Findings> {
  const tried: Findings['tried'] = new Map()
  const failures: string[] = []
  const end = performance.now() + seconds * 1000
  const properties = [
    ...Object.entries(CLAIMS).map(
      ([name, claim]) => [name, runs, fc.asyncProperty(anything, async (box) => claim(box.get()))] as const,
    ),
    // Each input of a command has up to 12 lines, so fewer inputs test as many texts.
    ['convert, check', Math.ceil(runs / 12), fc.asyncProperty(chunks, checkCommands)] as const,
  ]
  for (let round = 0; round < rounds && performance.now() < end && failures.length === 0; round += 1) {
    for (const [name, numRuns, property] of properties) {
      const roundSeed = seed + round
      const { failed, counterexample, errorInstance } = await fc.check<[unknown]>(
        property as fc.IAsyncProperty<[unknown]>,
        { numRuns, seed: roundSeed },
      )
      if (failed)
        failures.push(
          `${name}, seed ${roundSeed}: ${(errorInstance as Error)?.message}: ${fc.stringify(counterexample).slice(0, 2000)}`,
        )
      tried.set(name, (tried.get(name) ?? 0) + numRuns)
    }
  }
  return { tried, failures }
}
