import { parseArgs } from 'node:util'
import { TypedIdError } from '../core/error.ts'
import type { IdType } from '../core/types.ts'
import { uuidv4 } from '../functions/random-uuid.ts'
import { filter } from './filter.ts'
import { createReader, defineType, WRITERS } from './form.ts'
import { FORMS, type Form, hasStandardForm } from './found.ts'
import { HELP } from './help.ts'
import { createTableWriter, readLeniently, writeJson } from './inspect.ts'
import { scan, writeJsonCounts, writeTable } from './scan.ts'
import {
  decodeInput,
  escapeText,
  put,
  readFile,
  type Terminal,
  UsageError,
} from './terminal.ts'

const READ_OPTIONS = {
  type: { type: 'string' },
  from: { type: 'string' },
  file: { type: 'string' },
} as const
const NEW_OPTIONS = {
  count: { type: 'string', short: 'n' },
  short: { type: 'boolean' },
  v4: { type: 'boolean' },
} as const

type Command = (args: string[], terminal: Terminal) => Promise<number>

const COMMANDS: Record<string, Command> = {
  async new(args, terminal) {
    const { values, positionals } = parseArgs({
      args,
      options: NEW_OPTIONS,
      allowPositionals: true,
    })
    const [prefix, ...more] = positionals
    if (prefix === undefined || more.length > 0)
      throw new UsageError('new expects one prefix')
    const type = defineType(prefix, values.v4 ? { uuid: uuidv4 } : {})
    if (!hasStandardForm(type) && !values.short)
      throw new UsageError(
        'new expects --short for a prefix with _, which a TypeID has',
      )
    return generate(
      terminal,
      type,
      parseCount(values.count ?? '1'),
      values.short === true,
    )
  },

  async inspect(args, terminal) {
    const options = { ...READ_OPTIONS, json: { type: 'boolean' } } as const
    const parsed = parseArgs({ args, options, allowPositionals: true })
    const { values } = parsed
    const write =
      values.json || !terminal.stdout.isTTY
        ? writeJson
        : createTableWriter(terminal.colour)
    const read =
      values.from || values.type
        ? readerFor(values)
        : readLeniently(readerFor(values))
    return filter(terminal, chooseInput(parsed, terminal), read, write)
  },

  async convert(args, terminal) {
    const options = { ...READ_OPTIONS, to: { type: 'string' } } as const
    const parsed = parseArgs({ args, options, allowPositionals: true })
    const write = WRITERS[parseForm('--to', parsed.values.to)]
    const read = readerFor(parsed.values)
    return filter(
      terminal,
      chooseInput(parsed, terminal),
      read,
      (found) => `${write(found)}\n`,
    )
  },

  async check(args, terminal) {
    const parsed = parseArgs({
      args,
      options: READ_OPTIONS,
      allowPositionals: true,
    })
    return filter(
      terminal,
      chooseInput(parsed, terminal),
      readerFor(parsed.values),
      () => '',
    )
  },

  async scan(args, terminal) {
    const options = {
      type: { type: 'string' },
      json: { type: 'boolean' },
    } as const
    const { values, positionals } = parseArgs({
      args,
      options,
      allowPositionals: true,
    })
    const [file = '-', ...more] = positionals
    if (more.length > 0) throw new UsageError('scan expects one file')
    const type =
      values.type === undefined ? undefined : defineType(values.type).prefix
    const input = file === '-' ? terminal.stdin : readFile(file)
    return scan(
      terminal,
      input,
      type,
      values.json || !terminal.stdout.isTTY ? writeJsonCounts : writeTable,
    )
  },

  async sql(args, terminal) {
    const { printSql } = await import('./sql/postgres.ts')
    return printSql(args, terminal)
  },
}

/** Runs a command line and returns its exit code. */
export async function run(args: string[], terminal: Terminal): Promise<number> {
  try {
    return await dispatch(args, terminal)
  } catch (error) {
    if (!isUsageError(error)) throw error
    // Keeps the first sentence: Node adds advice on positional arguments, which
    // does not apply to this command.
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
  if (options.includes('--help') || options.includes('-h'))
    await put(terminal.stdout, HELP)
  else if (options.includes('--version') || options.includes('-V'))
    await put(terminal.stdout, `${terminal.version}\n`)
  else if (Object.hasOwn(COMMANDS, name)) {
    // Of two values, parseArgs would return the last one.
    const names = options
      .filter((option) => /^--?[a-z]/.test(option))
      .map((option) => option.split('=')[0])
    const repeated = names.find((option, n) => names.indexOf(option) < n)
    if (repeated) throw new UsageError(`expected ${repeated} once`)
    return (COMMANDS[name] as Command)(args, terminal)
  } else
    throw new UsageError(
      name ? `Unknown command ${JSON.stringify(name)}` : 'Missing command',
    )
  return 0
}

interface Source {
  readonly positionals: readonly string[]
  readonly values: { readonly file?: string | undefined }
}

/**
 * Returns the arguments as lines, or the lines of the file of `--file`,
 * otherwise standard input. An argument is never the name of a file: `check
 * "$VALUE"` must not print the lines of `.env`.
 */
function chooseInput(
  { positionals: ids, values: { file } }: Source,
  { stdin }: Terminal,
) {
  if (file !== undefined && ids.length > 0)
    throw new UsageError('expected ids or --file, received both')
  if (file !== undefined) return decodeInput(readFile(file))
  if (ids.length === 0 || ids.join() === '-') return decodeInput(stdin)
  // A shell passes an empty argument for a variable that is not set. As a blank
  // line it would be ignored.
  const wrong = ids.find((id) => id.trim() === '' || id.includes('\n'))
  if (wrong !== undefined)
    throw new UsageError(
      `expected an id in each argument, received ${JSON.stringify(wrong)}`,
    )
  return [Buffer.from(ids.join('\n'))]
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

const BATCH = 10_000

/**
 * Writes `count` new ids in batches, so memory use does not grow with `count`.
 */
async function generate(
  { stdout }: Terminal,
  type: IdType<string>,
  count: number,
  short: boolean,
): Promise<number> {
  for (let left = count; left > 0; left -= BATCH) {
    const ids = type.generateMany(Math.min(left, BATCH))
    await put(stdout, `${(short ? ids.map(type.toShort) : ids).join('\n')}\n`)
  }
  return 0
}
