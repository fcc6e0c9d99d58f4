import { type ParseArgsConfig, parseArgs } from 'node:util'
import { type AnyIdType, hasTwoForms } from '../core/any-id.ts'
import { TypedIdError } from '../core/error.ts'
import { uuidv4 } from '../generate/random-uuid.ts'
import { filter, type Input } from './filter.ts'
import { createReader, defineType, FORMS, type Form, WRITERS } from './forms.ts'
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

type Command = (args: string[], terminal: Terminal) => Promise<number>

const COMMANDS: Record<keyof typeof OPTIONS, Command> = {
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
    return generate(
      terminal,
      type,
      parseCount(values.count ?? '1'),
      values.json ? 'json' : values.short ? 'short' : 'standard',
    )
  },

  async inspect(args, terminal) {
    const parsed = parse(args, OPTIONS.inspect)
    const { values } = parsed
    const write =
      values.json || !terminal.stdout.isTTY
        ? writeJson
        : createTableWriter(terminal.colour)
    const read =
      values.from || values.type
        ? readerFor(values)
        : readLeniently(readerFor(values))
    return filter(terminal, await chooseInput(parsed, terminal), read, write)
  },

  async convert(args, terminal) {
    const parsed = parse(args, OPTIONS.convert)
    const write = WRITERS[parseForm('--to', parsed.values.to)]
    const read = readerFor(parsed.values)
    return filter(
      terminal,
      await chooseInput(parsed, terminal),
      read,
      (found) => `${write(found)}\n`,
    )
  },

  async check(args, terminal) {
    const parsed = parse(args, OPTIONS.check)
    return filter(
      terminal,
      await chooseInput(parsed, terminal),
      readerFor(parsed.values),
      () => '',
    )
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
    if (!isUsageError(error)) throw error
    // The following sentences of `parseArgs` are advice on positional arguments
    // that does not apply to these commands.
    const { message } = error
    const first =
      error instanceof TypeError ? message.replace(/\.\s.*/s, '') : message
    await put(
      terminal.stderr,
      `typed-id: ${escapeText(first)}\nTry: typed-id --help\n`,
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
  const command = name === 'help' ? (args[0] ?? '') : name
  const wantsHelp = options.includes('--help') || options.includes('-h')
  if (options.includes('--version') || options.includes('-V')) {
    await put(terminal.stdout, `${terminal.version}\n`)
    return 0
  }
  if (name === 'help' || wantsHelp) {
    if (command === '' || command.startsWith('-')) {
      await put(terminal.stdout, HELP)
      return 0
    }
    const known = Object.keys(OPTIONS[commandNamed(command)])
    await put(terminal.stdout, helpFor(command, known))
    return 0
  }
  if (name === '') throw new UsageError('Missing command')
  return COMMANDS[commandNamed(name)](args, terminal)
}

function commandNamed(name: string): keyof typeof OPTIONS {
  if (Object.hasOwn(OPTIONS, name)) return name as keyof typeof OPTIONS
  if (name.startsWith('-'))
    throw new UsageError(`Missing command before ${JSON.stringify(name)}`)
  const similar = Object.keys(OPTIONS).find(
    (command) => distanceBetween(command, name) <= 2,
  )
  throw new UsageError(
    `Unknown command ${JSON.stringify(name)}${similar ? `, did you mean ${similar}?` : ''}`,
  )
}

/** Returns the edit distance of two words (Levenshtein, 1966). */
function distanceBetween(a: string, b: string): number {
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

const BATCH = 10_000

async function generate(
  { stdout }: Terminal,
  type: AnyIdType,
  count: number,
  form: 'standard' | 'short' | 'json',
): Promise<number> {
  const write = form === 'json' ? writeJson : WRITERS[form]
  const end = form === 'json' ? '' : '\n'
  const own = hasTwoForms(type) ? 'standard' : 'short'
  for (let left = count; left > 0; left -= BATCH) {
    const ids = type.generateMany(Math.min(left, BATCH))
    await put(
      stdout,
      ids.map((id) => write({ type, id, form: own }) + end).join(''),
    )
  }
  return 0
}

interface Source {
  readonly positionals: readonly string[]
  readonly values: { readonly file?: string | undefined }
}

/**
 * Returns the ids to read: the arguments, the lines of the file `--file`, or
 * the lines of standard input if there is no argument or only `-`. An argument
 * never names a file: with `VALUE=.env`, `check "$VALUE"` must not print the
 * lines of .env.
 */
async function chooseInput(
  { positionals: ids, values: { file } }: Source,
  terminal: Terminal,
): Promise<Input> {
  if (file !== undefined && ids.length > 0)
    throw new UsageError('expected ids or --file, received both')
  if (file !== undefined && file !== '-')
    return { unit: 'line', chunks: decode(readFile(file)) }
  if (ids.length === 0 || ids.join() === '-')
    return { unit: 'line', chunks: decode(await readStdin(terminal)) }
  // Arguments are converted like lines: a blank argument, such as an empty
  // shell variable, would be skipped, and a line break would separate two ids.
  const wrong = ids.find((id) => id.trim() === '' || id.includes('\n'))
  if (wrong !== undefined)
    throw new UsageError(
      `expected an id in each argument, received ${JSON.stringify(wrong)}`,
    )
  return { unit: 'argument', chunks: [ids.join('\n')] }
}

async function readStdin({ stdin, stdinIsTTY, stderr }: Terminal) {
  if (stdinIsTTY) await put(stderr, 'Reading standard input. Ctrl-D ends it.\n')
  return stdin
}

function readerFor(values: {
  type?: string | undefined
  from?: string | undefined
}) {
  const type = values.type === undefined ? undefined : defineType(values.type)
  const from =
    values.from === undefined ? 'any' : parseForm('--from', values.from)
  if (from === 'uuid' && !type)
    throw new UsageError('--from uuid requires --type')
  return createReader(from, type)
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

function isUsageError(error: unknown): error is Error {
  if (error instanceof UsageError || error instanceof TypedIdError) return true
  return (
    error instanceof TypeError &&
    'code' in error &&
    String(error.code).startsWith('ERR_PARSE_ARGS')
  )
}
