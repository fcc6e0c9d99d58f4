import type { Arguments } from '../arguments.ts'
import { followReferences, type TypedColumn } from '../closure.ts'
import { MigrationError } from '../error.ts'
import type { Catalogue, ForeignKey, Table } from './catalogue.ts'
import * as queries from './catalogue-queries.ts'
import type { Row, Session } from './connect.ts'

/**
 * Reads the columns to convert, and everything that depends on them.
 *
 * @throws MigrationError for an unknown table or column, and for what the migration cannot convert.
 */
export async function readCatalogue(session: Session, { types }: Arguments): Promise<Catalogue> {
  const named = []
  for (const { table, column, prefix } of types) {
    const { rows } = await session.query(queries.FIND_COLUMN, [table.map(quote).join('.'), column])
    const [found] = rows as [Row]
    if (found.oid === null) throw new MigrationError(`unknown table ${table.join('.')}`)
    if (found.column === null) throw new MigrationError(`unknown column ${column} of ${table.join('.')}`)
    named.push({ oid: found.oid, column: found.column, prefix })
  }
  // PostgreSQL then writes the schema in front of every name outside pg_catalog.
  await session.query('set search_path to pg_catalog')
  try {
    const foreignKeys = (await session.query(queries.FOREIGN_KEYS)).rows as ForeignKey[]
    const resolved = []
    for (const { oid, ...column } of named)
      resolved.push({ ...column, table: (await session.query(queries.NAME, [oid])).rows[0]?.name })
    const columns = followReferences(resolved, foreignKeys)
    const has = (table: string, names: readonly string[]) =>
      columns.some((column) => column.table === table && names.includes(column.column))
    return {
      tables: await readTables(session, columns),
      foreignKeys: foreignKeys.filter(({ table, columns }) => has(table, columns)),
    }
  } finally {
    await session.query('reset search_path')
  }
}

async function readTables(session: Session, typed: readonly TypedColumn[]): Promise<Table[]> {
  const names = [...new Set(typed.map(({ table }) => table))].sort()
  const read = async (query: string) => (await session.query(query, [names])).rows
  const isTyped = (table: string, column: string) =>
    typed.some((t) => t.table === table && t.column === column)
  for (const { table, column, dependent } of await read(queries.DEPENDENTS))
    if (isTyped(table, column))
      throw new MigrationError(
        `${dependent} depends on ${table}.${column}: drop it, and create it again after the migration`,
      )
  const [tables, columns, indexes, checks] = [
    await read(queries.TABLES),
    await read(queries.COLUMNS),
    await read(queries.INDEXES),
    await read(queries.CHECKS),
  ]
  return tables.map(({ name, kind, inherits, firesOnUpdate }) => {
    if (kind !== 'r' || inherits)
      throw new MigrationError(
        `${name} is not a plain table: partitions, inheritance and views are not supported`,
      )
    const without = <T extends Row>({ table, ...rest }: T) => rest
    const ofTable = (rows: Row[]) => rows.filter(({ table }) => table === name)
    const onTyped = (rows: Row[]) =>
      ofTable(rows).filter((row) => row.columns.some((column: string) => isTyped(name, column)))
    return {
      name,
      firesOnUpdate,
      columns: ofTable(columns).flatMap((column) => {
        const match = typed.find((t) => t.table === name && t.column === column.name)
        return match ? [{ ...without(column), prefix: match.prefix, isNamed: match.isNamed }] : []
      }),
      primaryKey: ofTable(indexes).find(({ constraint }) => constraint === 'p')?.keyColumns ?? [],
      indexes: onTyped(indexes).map(without),
      checks: onTyped(checks).map(without),
    } as unknown as Table
  })
}

const quote = (name: string) => `"${name.replaceAll('"', '""')}"`
