import { parseArgs } from 'node:util'
import { defineId, type IdType, TypedIdError, uuidv4, uuidv7 } from '../index.ts'
import { filter, put, type Terminal } from './filter.ts'
import { FORMS, type Form, readerFor, WRITERS } from './form.ts'
import { HELP } from './help.ts'
import { json, table } from './inspect.ts'
import { generate } from './new.ts'

const COMMON = { help: { type: 'boolean', short: 'h' }, version: { type: 'boolean', short: 'V' } } as const
const READING = { ...COMMON, type: { type: 'string' }, from: { type: 'string' } } as const
const MAKING = {
  ...COMMON,
  count: { type: 'string', short: 'n' },
  short: { type: 'boolean' },
  v4: { type: 'boolean' },
} as const

type Command = (args: string[], terminal: Terminal) => Promise<number>

const COMMANDS: Record<string, Command> = {
  async new(args, terminal) {
    const { values, positionals } = parseArgs({ args, options: MAKING, allowPositionals: true })
    const [prefix, ...more] = positionals
    if (prefix === undefined || more.length > 0) throw new UsageError('new takes one prefix')
    const type = typeNamed(prefix, values.v4)
    return generate(terminal, type, countOf(values.count ?? '1'), values.short === true)
  },

  async inspect(args, terminal) {
    const options = { ...READING, json: { type: 'boolean' } } as const
    const { values, positionals } = parseArgs({ args, options, allowPositionals: true })
    const write = values.json || !terminal.stdout.isTTY ? json : table(terminal.colour)
    return filter(terminal, input(positionals, terminal), reader(values), write)
  },

  async convert(args, terminal) {
    const options = { ...READING, to: { type: 'string' } } as const
    const { values, positionals } = parseArgs({ args, options, allowPositionals: true })
    const write = WRITERS[formNamed('--to', values.to)]
    return filter(terminal, input(positionals, terminal), reader(values), (found) => `${write(found)}\n`)
  },

  async check(args, terminal) {
    const { values, positionals } = parseArgs({ args, options: READING, allowPositionals: true })
    return filter(terminal, input(positionals, terminal), reader(values), () => '')
  },
}

/** What was typed is wrong, in contrast to the ids that were given. */
class UsageError extends Error {}

/** Runs a command line and returns its exit code. */
export async function run(args: string[], terminal: Terminal): Promise<number> {
  try {
    return await dispatch(args, terminal)
  } catch (error) {
    if (!isUsageError(error)) throw error
    // Node's advice on positional arguments, behind the first sentence, is for others.
    const [message] = error.message.split('. ')
    await put(terminal.stderr, `typed-id: ${message}\nTry: typed-id --help\n`)
    return 2
  }
}

async function dispatch([name = '', ...args]: string[], terminal: Terminal): Promise<number> {
  const all = [name, ...args]
  const own = all.slice(0, all.includes('--') ? all.indexOf('--') : undefined)
  if (own.includes('--help') || own.includes('-h')) await put(terminal.stdout, HELP)
  else if (own.includes('--version') || own.includes('-V'))
    await put(terminal.stdout, `${terminal.version}\n`)
  else if (Object.hasOwn(COMMANDS, name)) return (COMMANDS[name] as Command)(args, terminal)
  else throw new UsageError(name ? `Unknown command ${JSON.stringify(name)}` : 'A command is missing')
  return 0
}

/** The ids given as arguments, or else standard input. */
function input(ids: string[], { stdin }: Terminal): AsyncIterable<Uint8Array> | Iterable<Uint8Array> {
  return ids.length > 0 ? [Buffer.from(`${ids.join('\n')}\n`)] : stdin
}

function reader(values: { type?: string | undefined; from?: string | undefined }) {
  const type = values.type === undefined ? undefined : typeNamed(values.type)
  const from = values.from === undefined ? 'any' : formNamed('--from', values.from)
  if (from === 'uuid' && !type) throw new UsageError('--from uuid needs --type')
  return readerFor(from, type)
}

function typeNamed(prefix: string, v4 = false): IdType<string> {
  return defineId(prefix, { uuid: v4 ? uuidv4 : uuidv7 })
}

function formNamed(option: string, name: string | undefined): Form {
  const form = FORMS.find((form) => form === name)
  if (form) return form
  throw new UsageError(
    `${option} takes ${FORMS.join(', ')}${name === undefined ? '' : `, not ${JSON.stringify(name)}`}`,
  )
}

function countOf(text: string): number {
  const count = Number(text)
  if (/^\d+$/.test(text) && Number.isSafeInteger(count)) return count
  throw new UsageError(`--count takes a whole number, not ${JSON.stringify(text)}`)
}

function isUsageError(error: unknown): error is Error {
  if (error instanceof UsageError || error instanceof TypedIdError) return true
  return error instanceof TypeError && 'code' in error && String(error.code).startsWith('ERR_PARSE_ARGS')
}
