import { parseArgs } from 'node:util'
import { defineId } from '../../core/id-type.ts'
import { idRegistry } from '../../functions/registry.ts'
import { put, type Terminal, UsageError } from '../terminal.ts'
import { createSql, dropSql } from './postgres.ts'

const OPTIONS = { types: { type: 'string' }, drop: { type: 'boolean' } } as const

/** Prints the SQL file for PostgreSQL. */
export async function printSql(args: string[], { stdout }: Terminal): Promise<number> {
  const { values, positionals } = parseArgs({ args, options: OPTIONS, allowPositionals: true })
  if (positionals.join() !== 'postgres') throw new UsageError('sql expects one engine: postgres')
  if (!values.types) throw new UsageError('sql expects --types with prefixes, such as --types user,team')
  const { types } = idRegistry(values.types.split(',').map((prefix) => defineId<string>(prefix)))
  await put(stdout, values.drop ? dropSql(types) : createSql(types))
  return 0
}
