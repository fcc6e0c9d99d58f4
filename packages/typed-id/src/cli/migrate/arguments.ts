import { parseArgs } from 'node:util'
import { defineId } from '../../index.ts'
import { UsageError } from '../usage-error.ts'

const OPTIONS = {
  database: { type: 'string' },
  type: { type: 'string', multiple: true },
  strategy: { type: 'string' },
  batch: { type: 'string' },
  down: { type: 'string' },
  'dry-run': { type: 'boolean' },
  apply: { type: 'boolean' },
} as const

export const STRATEGIES = ['transaction', 'online'] as const
export type Strategy = (typeof STRATEGIES)[number]

export const INTEGER_TYPES = ['smallint', 'integer', 'bigint'] as const
export type IntegerType = (typeof INTEGER_TYPES)[number]

/** What a column contains after the migration: ids, or with `--down` bare uuids or integers in a column of this type. */
export const TARGETS = ['uuid', 'text', ...INTEGER_TYPES] as const
export type Target = 'id' | (typeof TARGETS)[number]

/** A column that `--type` names: `--type users.id=user`. */
export interface NamedColumn {
  /** The table as it was written, with its schema if there was one: `['public', 'users']`. */
  readonly table: readonly string[]
  readonly column: string
  readonly prefix: string
}

export interface Arguments {
  readonly database: string
  readonly types: readonly NamedColumn[]
  readonly target: Target
  /** Undefined: chosen by the number of rows. */
  readonly strategy: Strategy | undefined
  /** The number of rows that one transaction of the backfill updates. */
  readonly batch: number
  readonly mode: 'print' | 'dry-run' | 'apply'
}

/** Parses what follows `typed-id migrate`. */
export function parseArguments(args: string[]): Arguments {
  const { values, positionals } = parseArgs({ args, options: OPTIONS, allowPositionals: true })
  if (positionals.join(' ') !== 'plan') throw new UsageError('migrate expects: migrate plan')
  if (values.database === undefined) throw new UsageError('migrate plan requires --database')
  if (values.apply && values['dry-run']) throw new UsageError('--apply and --dry-run exclude each other')
  return {
    database: values.database,
    types: parseTypes(values.type ?? []),
    target: values.down === undefined ? 'id' : parseChoice('--down', TARGETS, values.down),
    strategy:
      values.strategy === undefined ? undefined : parseChoice('--strategy', STRATEGIES, values.strategy),
    batch: parseBatch(values.batch ?? '2000'),
    mode: values.apply ? 'apply' : values['dry-run'] ? 'dry-run' : 'print',
  }
}

/** Returns the arguments that decide what a migration does, in one order. A half-done run is resumed only with these. */
export function describeArguments({ types, target }: Pick<Arguments, 'types' | 'target'>): string {
  const options = types.map(({ table, column, prefix }) => `--type ${[...table, column].join('.')}=${prefix}`)
  return [...options.sort(), ...(target === 'id' ? [] : [`--down ${target}`])].join(' ')
}

function parseTypes(texts: readonly string[]): NamedColumn[] {
  if (texts.length === 0) throw new UsageError('migrate plan requires --type TABLE.COLUMN=PREFIX')
  const prefixes = new Map<string, string>()
  return texts.flatMap((text) => {
    const equals = text.lastIndexOf('=')
    const { prefix } = defineId(text.slice(equals + 1))
    const first = prefixes.get(prefix)
    if (first !== undefined)
      throw new UsageError(
        `each prefix may be given once, received ${first} and ${text} (columns follow by foreign keys, or with a comma)`,
      )
    prefixes.set(prefix, text)
    const columns = text.slice(0, Math.max(equals, 0)).split(',')
    return columns.map((column) => ({ ...parseColumn(column, text), prefix }))
  })
}

function parseColumn(name: string, option: string): Omit<NamedColumn, 'prefix'> {
  const names = name.split('.')
  const column = names.pop() as string
  if (names.length < 1 || names.length > 2 || [column, ...names].includes(''))
    throw new UsageError(`--type expects TABLE.COLUMN=PREFIX, received ${JSON.stringify(option)}`)
  return { table: names, column }
}

function parseChoice<const T extends string>(option: string, choices: readonly T[], text: string): T {
  const choice = choices.find((choice) => choice === text)
  if (choice) return choice
  throw new UsageError(`${option} expects ${choices.join(' or ')}, received ${JSON.stringify(text)}`)
}

function parseBatch(text: string): number {
  const rows = Number(text)
  if (/^[1-9]\d*$/.test(text) && Number.isSafeInteger(rows)) return rows
  throw new UsageError(`--batch expects a number of rows, received ${JSON.stringify(text)}`)
}
