import { parseArgs } from 'node:util'
import { defineId } from '../../core/id-type.ts'
import { idRegistry } from '../../core/registry.ts'
import { put, type Terminal } from '../terminal.ts'
import { UsageError } from '../usage-error.ts'
import type { Dialect } from './dialect.ts'
import { mysql } from './mysql.ts'
import { postgres } from './postgres.ts'
import { sqlite } from './sqlite.ts'

const DIALECTS: Record<string, Dialect> = { postgres, sqlite, mysql }

const OPTIONS = {
  help: { type: 'boolean', short: 'h' },
  version: { type: 'boolean', short: 'V' },
  types: { type: 'string' },
  drop: { type: 'boolean' },
} as const

/** Prints the SQL file of an engine. */
export async function printSql(args: string[], { stdout }: Terminal): Promise<number> {
  const { values, positionals } = parseArgs({ args, options: OPTIONS, allowPositionals: true })
  const [engine = '', ...more] = positionals
  const dialect = Object.hasOwn(DIALECTS, engine) ? DIALECTS[engine] : undefined
  if (!dialect || more.length > 0)
    throw new UsageError(`sql expects one engine: ${Object.keys(DIALECTS).join(', ')}`)
  if (!values.types) throw new UsageError('sql expects --types with prefixes, such as --types user,team')
  const { types } = idRegistry(values.types.split(',').map((prefix) => defineId<string>(prefix)))
  await put(stdout, values.drop ? dialect.drop(types) : dialect.create(types))
  return 0
}
