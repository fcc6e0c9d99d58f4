import { parseArgs } from 'node:util'

/** An option `--name value` of a campaign. */
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

/** The result of a campaign. */
export interface Report {
  /** Markdown with the tables of figures, which are printed or written into a document. */
  readonly table: string
  /** The section of the document for `--write`, by default the name of the campaign. */
  readonly section?: string
  /** One message per broken promise. The command exits with 1 if there are any. */
  readonly failures: readonly string[]
}

/** A program that tests or measures the service as a separate process, for longer than a test may take. */
export interface Campaign<O extends Options = Options> {
  readonly summary: string
  /** The duration with default options, on two cores. */
  readonly duration: string
  /** Programs that must be installed. */
  readonly needs?: string
  readonly options: O
  run(values: Values<O>): Promise<Report>
}

/** Returns the campaign unchanged. Infers the types of the option values for `run`. */
export const defineCampaign = <const O extends Options>(campaign: Campaign<O>): Campaign<O> => campaign

/** A whole number above 0, or 0 if that is the default. With 0 clients, no campaign would send a request. */
export const number = (description: string, value: number): Option<number> => ({
  description,
  default: String(value),
  parse: (text) => (value === 0 ? toNumber(text) : toNumber(text) || undefined),
  expected: value === 0 ? 'a whole number' : 'a whole number above 0',
})

/** A number above 0, with or without decimals. */
export const duration = (description: string, value: number): Option<number> => ({
  description,
  default: String(value),
  parse: (text) => (/^\d+(\.\d+)?$/.test(text) && Number(text)) || undefined,
  expected: 'a number above 0',
})

/** Whole numbers separated by commas. */
export const numbers = (description: string, values: readonly number[]): Option<readonly number[]> => ({
  description,
  default: values.join(),
  parse: (text) => allOf(text, toNumber),
  expected: 'whole numbers separated by commas',
})

/** One of the `choices`, by default the first. */
export const choice = <const T extends string>(description: string, choices: readonly T[]): Option<T> => ({
  description,
  default: String(choices[0]),
  parse: (text) => choices.find((choice) => choice === text),
  expected: `one of ${choices.join(', ')}`,
})

/** Some of the `choices`, separated by commas, each once. */
export const choices = <const T extends string>(
  description: string,
  choices: readonly T[],
  values: readonly T[] = choices,
): Option<readonly T[]> => ({
  description,
  default: values.join(),
  parse: (text) => {
    const chosen = allOf(text, (part) => choices.find((choice) => choice === part))
    return new Set(chosen).size === chosen?.length ? chosen : undefined
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
    options: Object.fromEntries(
      Object.keys(options).map((name) => [name, { type: 'string', multiple: true }]),
    ),
  })
  const parsed = Object.entries(options).map(([name, option]) => {
    // An option that is repeated counts as a list, which only `choices` and `numbers` accept.
    const text = (values[name] as string[] | undefined)?.join() ?? option.default
    if (text === undefined) return [name, undefined]
    const value = option.parse(text)
    if (value === undefined) throw new Error(`--${name} must be ${option.expected}, received "${text}"`)
    return [name, value]
  })
  return Object.fromEntries(parsed)
}

function toNumber(text: string): number | undefined {
  return /^\d+$/.test(text) && Number.isSafeInteger(Number(text)) ? Number(text) : undefined
}

function allOf<T>(text: string, parse: (part: string) => T | undefined): T[] | undefined {
  const values = text.split(',').map(parse)
  return values.every((value) => value !== undefined) ? values : undefined
}
