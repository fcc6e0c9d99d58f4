import fc from 'fast-check'
import { CLAIMS } from './claims.ts'
import { checkCommands, chunks } from './lines.ts'
import { anything } from './values.ts'

/** Values tried by function, and what was found, each with the seed and the value that show it. */
export interface Findings {
  readonly tried: Map<string, number>
  readonly failures: string[]
}

/** Holds every function against its twin, in turn, for `rounds` of `runs` values each or until the time is over. */
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
      ([name, claim]) => [name, runs, fc.asyncProperty(anything, async (held) => claim(held.get()))] as const,
    ),
    // A command reads a dozen lines at once.
    ['convert, check', Math.ceil(runs / 12), fc.asyncProperty(chunks, checkCommands)] as const,
  ]
  for (let round = 0; round < rounds && performance.now() < end && failures.length === 0; round += 1) {
    for (const [name, numRuns, property] of properties) {
      const own = seed + round
      const { failed, counterexample, errorInstance } = await fc.check<[unknown]>(
        property as fc.IAsyncProperty<[unknown]>,
        { numRuns, seed: own },
      )
      if (failed)
        failures.push(
          `${name}, seed ${own}: ${(errorInstance as Error)?.message}: ${fc.stringify(counterexample).slice(0, 2000)}`,
        )
      tried.set(name, (tried.get(name) ?? 0) + numRuns)
    }
  }
  return { tried, failures }
}
