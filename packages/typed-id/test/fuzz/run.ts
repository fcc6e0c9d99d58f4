import fc, { type Arbitrary } from 'fast-check'
import { cli } from '../cli/terminal.ts'
import * as reference from '../reference.ts'
import { CLAIMS } from './claims.ts'
import { anything, good, near } from './values.ts'

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

/** Standard input with arbitrary bytes, divided into chunks at arbitrary places. */
export const chunks: Arbitrary<Uint8Array[]> = fc
  .tuple(
    fc.array(
      fc.tuple(
        fc.oneof(
          { weight: 4, arbitrary: good.map((text) => Buffer.from(text)) },
          { weight: 4, arbitrary: near.map((text) => Buffer.from(text)) },
          { weight: 1, arbitrary: fc.uint8Array({ maxLength: 80 }).map((bytes) => Buffer.from(bytes)) },
          { weight: 1, arbitrary: good.map((text) => Buffer.from(text.padEnd(1500, 'x'))) },
        ),
        fc.constantFrom('\n', '\r\n', '\n\n', '\r', ''),
      ),
      { maxLength: 12 },
    ),
    fc.array(fc.nat(400), { maxLength: 5 }),
  )
  .map(([lines, cuts]) => {
    const bytes = Buffer.concat(lines.flatMap(([line, end]) => [line, Buffer.from(end)]))
    const places = [0, ...cuts.filter((at) => at < bytes.length).sort((a, b) => a - b), bytes.length]
    return places.slice(1).map((to, n) => bytes.subarray(places[n], to))
  })

/** Throws if the output of `convert` or `check` differs from that of the reference implementation for any line. */
export async function checkCommands(input: Uint8Array[]): Promise<void> {
  const lines = Buffer.concat(input).toString('latin1').split('\n')
  if (lines.at(-1) === '') lines.pop()
  const converted = lines.map((line, n) =>
    convertWithReference((n === 0 ? line.replace(/^\xef\xbb\xbf/, '') : line).replace(/\r$/, '')),
  )
  const isBlank = (n: number) => {
    const line = lines[n] as string
    return /^[\t ]*\r?$/.test(n === 0 ? line.replace(/^\xef\xbb\xbf/, '') : line)
  }
  const bad = converted.flatMap((text, n) => (text === undefined && !isBlank(n) ? [`line ${n + 1}: `] : []))
  const wanted = converted.flatMap((text) => (text === undefined ? [] : [`${text}\n`])).join('')
  for (const [args, out] of [
    [['convert', '--to', 'short'], wanted],
    [['check'], ''],
  ] as const) {
    const found = await cli([...args], input)
    const messages = found.err.split('\n').slice(0, -1)
    const summary = bad.length > 0 ? [messages.pop()] : []
    if (found.out !== out)
      throw new Error(`${args[0]} writes ${JSON.stringify(found.out)}, not ${JSON.stringify(out)}`)
    if (found.code !== (bad.length > 0 ? 1 : 0)) throw new Error(`${args[0]} exits with ${found.code}`)
    if (messages.length !== bad.length || !bad.every((start, n) => messages[n]?.startsWith(start))) {
      throw new Error(`${args[0]} reports ${JSON.stringify(messages)}, not ${JSON.stringify(bad)}`)
    }
    if (summary.some((text) => text !== `${bad.length} of ${lines.length} lines invalid`)) {
      throw new Error(`${args[0]} ends with ${summary}`)
    }
    if (messages.some((line) => line.length > 800))
      throw new Error(`${args[0]} writes a message of more than 800 characters`)
  }
}

function convertWithReference(line: string): string | undefined {
  const [, prefix = '', separator, rest = ''] = /^([a-zA-Z0-9]{1,63})([-_])(.*)$/s.exec(line) ?? []
  if (separator === '_' && reference.isSuffix(line, `${prefix}_`)) return line
  if (separator !== '-' || !reference.isUuid(line, `${prefix}-`)) return undefined
  return `${prefix}_${reference.suffixOfNumber(reference.numberOfUuid(rest))}`
}
