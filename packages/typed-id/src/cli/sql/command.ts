import { parseArgs } from 'node:util'
import { defineId } from '../../core/id-type.ts'
import { idRegistry } from '../../core/registry.ts'
import { readManifest } from '../registry/manifest.ts'
import { put, type Terminal, UsageError } from '../terminal.ts'
import { printConversion, splitArgument } from './convert.ts'
import type { Dialect } from './dialect.ts'
import { mysql } from './mysql.ts'
import { postgres } from './postgres.ts'
import { sqlite } from './sqlite.ts'

const DIALECTS: Record<string, Dialect> = { postgres, sqlite, mysql }

const OPTIONS = {
  types: { type: 'string' },
  registry: { type: 'string' },
  drop: { type: 'boolean' },
  convert: { type: 'string', multiple: true },
  to: { type: 'string' },
} as const

/** Prints the SQL file of an engine. */
export async function printSql(args: string[], { stdout }: Terminal): Promise<number> {
  const { values, positionals } = parseArgs({ args, options: OPTIONS, allowPositionals: true })
  const [engine = '', ...more] = positionals
  const dialect = Object.hasOwn(DIALECTS, engine) ? DIALECTS[engine] : undefined
  if (!dialect || more.length > 0)
    throw new UsageError(`sql expects one engine: ${Object.keys(DIALECTS).join(', ')}`)
  if (values.convert || values.to !== undefined) {
    await put(stdout, convert(engine, values))
    return 0
  }
  if (!values.types === (values.registry === undefined))
    throw new UsageError(
      'sql expects --types with prefixes, such as --types user,team, or --registry with a manifest',
    )
  const prefixes = values.types?.split(',') ?? [...(await readManifest(values.registry as string)).keys()]
  const { types } = idRegistry(prefixes.map((prefix) => defineId<string>(prefix)))
  await put(stdout, values.drop ? dialect.drop(types) : dialect.create(types))
  return 0
}

interface Values {
  readonly types?: string
  readonly registry?: string
  readonly drop?: boolean
  readonly convert?: string[]
  readonly to?: string
}

function convert(engine: string, { convert: columns, to, types, registry, drop }: Values): string {
  if (engine !== 'postgres') throw new UsageError('--convert is for postgres')
  if (!columns) throw new UsageError('--to uuid expects --convert <table>.<column>=<prefix>')
  if (to !== undefined && to !== 'uuid') throw new UsageError(`--to of sql expects uuid, received "${to}"`)
  if (types !== undefined || registry !== undefined || drop)
    throw new UsageError('--convert cannot be used with --types, --registry or --drop')
  return printConversion(
    columns.map(splitArgument).map(({ prefix, ...column }) => ({ ...column, type: defineId(prefix) })),
    to === 'uuid',
  )
}
