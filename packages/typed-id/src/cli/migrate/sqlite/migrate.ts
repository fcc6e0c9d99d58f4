import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { UsageError } from '../../usage-error.ts'
import type { Arguments } from '../arguments.ts'
import type { Context } from '../context.ts'
import { MigrationError } from '../error.ts'
import type { Catalogue, Table } from './catalogue.ts'
import { assertConvertible, countBrokenReferences, readFigures } from './check.ts'
import { open, query, type Session } from './connect.ts'
import { literal } from './expressions.ts'
import { newDefinition, planSqlite } from './plan.ts'
import { printPlan } from './print.ts'
import { readCatalogue } from './read-catalogue.ts'

/** Prints, tries or applies the migration of a SQLite database. */
export async function migrateSqlite(args: Arguments, context: Context): Promise<void> {
  if (args.target === 'uuid') throw new UsageError('SQLite has no type uuid: use --down text')
  if (args.target === 'smallint' || args.target === 'bigint')
    throw new UsageError(`SQLite has no type ${args.target}: use --down integer`)
  if (args.strategy === 'online')
    throw new UsageError('SQLite has one writer at a time: there is only --strategy transaction')
  const path = args.database.replace(/^sqlite:(\/\/(?=\/))?/, '')
  if (args.mode !== 'dry-run') return migrateFile(path, args, context)
  const folder = mkdtempSync(join(tmpdir(), 'typed-id-'))
  try {
    const copy = join(folder, 'copy.db')
    const session = await open(path)
    try {
      session.exec(`vacuum into ${literal(copy)}`)
    } finally {
      session.close()
    }
    await migrateFile(copy, args, context)
    await context.print('dry run on a copy: nothing was changed')
  } finally {
    rmSync(folder, { recursive: true })
  }
}

async function migrateFile(path: string, args: Arguments, context: Context): Promise<void> {
  const session = await open(path)
  try {
    session.exec('pragma busy_timeout = 2000; pragma foreign_keys = off')
    if (args.mode === 'print') session.exec('pragma query_only = on; begin')
    else session.exec('begin immediate')
    const catalogue = readCatalogue(session, args)
    assertConvertible(session, catalogue, args.target)
    const before = readFigures(session, catalogue.tables)
    const version = query(session, 'pragma schema_version')[0]?.schema_version
    const statements = planSqlite(catalogue, args.target, version)
    if (args.mode === 'print') return await context.print(printPlan(catalogue, statements, before, args))
    await assertParses(catalogue, args)
    await apply(session, catalogue, statements, before, context)
  } catch (error) {
    if (error instanceof MigrationError) throw error
    throw new MigrationError(`${(error as Error).message}: nothing was changed`)
  } finally {
    session.close() // rolls an open transaction back
  }
}

async function apply(
  session: Session,
  { tables }: Catalogue,
  statements: readonly string[],
  before: readonly string[],
  { signal, print }: Context,
): Promise<void> {
  const started = performance.now()
  const broken = countBrokenReferences(session)
  for (const statement of statements) {
    session.exec(statement)
    await setImmediate() // Ctrl-C is delivered between two statements
    if (signal.aborted) throw new MigrationError('interrupted: nothing was changed')
  }
  const after = readFigures(session, tables)
  if (after.join() !== before.join())
    throw new MigrationError('other rows after the migration: nothing was changed')
  if (countBrokenReferences(session) !== broken)
    throw new MigrationError('broken references after the migration: nothing was changed')
  session.exec('commit')
  await print(
    [
      ...after.map((line) => `${line}, the same before and after`),
      `writers waited for ${Math.round(performance.now() - started)} ms`,
    ].join('\n'),
  )
}

/**
 * Throws unless SQLite accepts the new definitions: an invalid one would make the database unreadable. Also throws if the
 * last parenthesis of a definition belongs to a comment, because a CHECK before it would have no effect.
 */
async function assertParses({ tables }: Catalogue, { target }: Arguments): Promise<void> {
  for (const table of tables) {
    const definition = newDefinition(table, target)
    if (definition === table.sql) continue
    const error = await tryDefinition(definition, table)
    if (error) throw error
    if (!(await tryDefinition(table.sql.slice(0, table.sql.lastIndexOf(')')))))
      throw new MigrationError(`the definition of ${table.name} ends with a comment: nothing was changed`)
  }
}

/** Returns the error of a CREATE TABLE statement in an empty database: also if a table has other columns after it. */
async function tryDefinition(sql: string, table?: Table): Promise<unknown> {
  const scratch = await open(':memory:')
  try {
    scratch.exec(sql)
    const names = query(scratch, 'select name from pragma_table_info(?)', table?.name ?? '').map(
      ({ name }) => name,
    )
    if (table && names.join() !== table.allColumns.join())
      throw new MigrationError(`the definition of ${table.name} cannot be converted: nothing was changed`)
    return undefined
  } catch (error) {
    return error
  } finally {
    scratch.close()
  }
}
