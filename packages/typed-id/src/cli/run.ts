import { type ParseArgsConfig, parseArgs } from 'node:util'
import { type AnyIdType, hasTwoForms } from '../core/any-id.ts'
import { TypedIdError } from '../core/error.ts'
import { uuidv4 } from '../generate/random-uuid.ts'
import { filter, type Input } from './filter.ts'
import {
  createReader,
  defineType,
  FORMS,
  type Form,
  type Reader,
  WRITERS,
  type Writer,
} from './forms.ts'
import { HELP, helpFor } from './help.ts'
import { createTableWriter, readLeniently, writeJson } from './inspect.ts'
import {
  decode,
  escapeText,
  put,
  readFile,
  type Terminal,
  UsageError,
} from './terminal.ts'

const STRING = { type: 'string' } as const
const FLAG = { type: 'boolean' } as const
const READ_OPTIONS = { type: STRING, from: STRING, file: STRING }

const OPTIONS = {
  new: { count: { ...STRING, short: 'n' }, short: FLAG, v4: FLAG, json: FLAG },
  inspect: { ...READ_OPTIONS, json: FLAG },
  convert: { ...READ_OPTIONS, to: STRING },
  check: READ_OPTIONS,
  sql: { types: STRING, union: STRING, typeid: FLAG, drop: FLAG },
} as const

const parse = <const O extends NonNullable<ParseArgsConfig['options']>>(
  args: string[],
  options: O,
) => parseArgs({ args, options, allowPositionals: true })

const COMMANDS: Record<
  keyof typeof OPTIONS,
  (args: string[], terminal: Terminal) => Promise<number>
> = {
  async new(args, terminal) {
    const { values, positionals } = parse(args, OPTIONS.new)
    const [prefix, ...more] = positionals
    if (prefix === undefined || more.length > 0)
      throw new UsageError('new expects one prefix')
    const type = defineType(prefix, values.v4 ? { uuid: uuidv4 } : {})
    if (!hasTwoForms(type) && !values.short && !values.json)
      throw new UsageError(
        'new expects --short for a prefix with _, which a TypeID has',
      )
    const write = WRITERS[values.short ? 'short' : 'standard']
    const count = parseCount(values.count ?? '1')
    return generate(terminal, type, count, values.json ? writeJson : write)
  },

  async inspect(args, terminal) {
    const parsed = parse(args, OPTIONS.inspect)
    const { json, from, type } = parsed.values
    const write =
      json || !terminal.stdout.isTTY
        ? writeJson
        : createTableWriter(terminal.colour)
    const read = readerFor(parsed.values)
    const own = from || type ? read : readLeniently(read)
    return convertAll(terminal, parsed, write, own)
  },

  async convert(args, terminal) {
    const parsed = parse(args, OPTIONS.convert)
    const write = WRITERS[parseForm('--to', parsed.values.to)]
    return convertAll(terminal, parsed, write)
  },

  async check(args, terminal) {
    return convertAll(terminal, parse(args, OPTIONS.check), () => '')
  },

  async sql(args, terminal) {
    const { values, positionals } = parse(args, OPTIONS.sql)
    if (positionals.join() !== 'postgres')
      throw new UsageError('sql expects one engine: postgres')
    const { sqlFor } = await import('./sql/postgres.ts')
    await put(terminal.stdout, sqlFor(values))
    return 0
  },
}

export async function run(args: string[], terminal: Terminal): Promise<number> {
  try {
    return await dispatch(args, terminal)
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    const isParseError = `${code}`.startsWith('ERR_PARSE_ARGS')
    if (
      !isParseError &&
      !(error instanceof UsageError || error instanceof TypedIdError)
    )
      throw error
    const withoutAdvice = isParseError
      ? message.replace(/\.\s.*/s, '')
      : message
    await put(
      terminal.stderr,
      `typed-id: ${escapeText(withoutAdvice)}\nTry: typed-id --help\n`,
    )
    return 2
  }
}

async function dispatch(
  [name = '', ...args]: string[],
  terminal: Terminal,
): Promise<number> {
  const all = [name, ...args]
  const options = all.slice(
    0,
    all.includes('--') ? all.indexOf('--') : undefined,
  )
  const has = (...names: string[]) =>
    names.some((name) => options.includes(name))
  let text = ''
  if (has('--version', '-V')) text = `${terminal.version}\n`
  else if (name === 'help') text = findHelp(args[0])
  else if (has('--help', '-h')) text = findHelp(name)
  if (text) {
    await put(terminal.stdout, text)
    return 0
  }
  if (name === '') throw new UsageError('Missing command')
  return COMMANDS[commandNamed(name)](args, terminal)
}

const findHelp = (command = ''): string =>
  command === '' || command.startsWith('-')
    ? HELP
    : helpFor(command, Object.keys(OPTIONS[commandNamed(command)]))

function commandNamed(name: string): keyof typeof OPTIONS {
  if (Object.hasOwn(OPTIONS, name)) return name as keyof typeof OPTIONS
  if (name.startsWith('-'))
    throw new UsageError(`Missing command before ${JSON.stringify(name)}`)
  const similar = Object.keys(OPTIONS).find(
    (command) => levenshteinDistance(command, name) <= 2,
  )
  throw new UsageError(
    `Unknown command ${JSON.stringify(name)}${similar ? `, did you mean ${similar}?` : ''}`,
  )
}

function levenshteinDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, n) => n)
  for (const [i, letter] of [...a].entries()) {
    const next = [i + 1]
    for (let j = 0; j < b.length; j++)
      next.push(
        Math.min(
          (row[j] as number) + (letter === b[j] ? 0 : 1),
          (row[j + 1] as number) + 1,
          (next[j] as number) + 1,
        ),
      )
    row = next
  }
  return row[b.length] as number
}

const IDS_PER_WRITE = 10_000

async function generate(
  { stdout }: Terminal,
  type: AnyIdType,
  count: number,
  write: Writer,
): Promise<number> {
  const form = hasTwoForms(type) ? 'standard' : 'short'
  for (let left = count; left > 0; left -= IDS_PER_WRITE) {
    const ids = type.generateMany(Math.min(left, IDS_PER_WRITE))
    const lines = ids.map((id) => `${write({ type, id, form })}\n`)
    await put(stdout, lines.join(''))
  }
  return 0
}

interface Parsed {
  readonly positionals: readonly string[]
  readonly values: {
    readonly file?: string | undefined
    readonly type?: string | undefined
    readonly from?: string | undefined
  }
}

async function convertAll(
  terminal: Terminal,
  parsed: Parsed,
  write: Writer,
  read = readerFor(parsed.values),
): Promise<number> {
  return filter(terminal, await chooseInput(terminal, parsed), read, write)
}

/**
 * Does not read a file that a positional argument names, because with
 * `VALUE=.env` the command `check "$VALUE"` would print the secrets in .env.
 */
async function chooseInput(
  { stdin, stdinIsTTY, stderr }: Terminal,
  { positionals: ids, values: { file } }: Parsed,
): Promise<Input> {
  if (file !== undefined && ids.length > 0)
    throw new UsageError('expected ids or --file, received both')
  if (file !== undefined && file !== '-')
    return { unit: 'line', chunks: decode(readFile(file)) }
  if (ids.length === 0 || ids.join() === '-') {
    if (stdinIsTTY)
      await put(stderr, 'Reading standard input. Ctrl-D ends it.\n')
    return { unit: 'line', chunks: decode(stdin) }
  }
  const wrong = ids.find((id) => id.trim() === '' || id.includes('\n'))
  if (wrong !== undefined)
    throw new UsageError(
      `expected an id in each argument, received ${JSON.stringify(wrong)}`,
    )
  return { unit: 'argument', chunks: [ids.join('\n')] }
}

function readerFor({ type, from }: Parsed['values']): Reader {
  const only = type === undefined ? undefined : defineType(type)
  const form = from === undefined ? 'any' : parseForm('--from', from)
  if (form === 'uuid' && !only)
    throw new UsageError('--from uuid requires --type')
  return createReader(form, only)
}

function parseForm(option: string, name: string | undefined): Form {
  const form = FORMS.find((form) => form === name)
  if (form) return form
  throw new UsageError(
    `${option} expects ${FORMS.join(', ')}${name === undefined ? '' : `, received ${JSON.stringify(name)}`}`,
  )
}

function parseCount(text: string): number {
  const count = Number(text)
  if (/^\d+$/.test(text) && Number.isSafeInteger(count)) return count
  throw new UsageError(
    `--count expects a whole number, received ${JSON.stringify(text)}`,
  )
}
