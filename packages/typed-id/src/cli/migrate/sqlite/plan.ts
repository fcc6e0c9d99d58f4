import type { Target } from '../arguments.ts'
import { MigrationError } from '../error.ts'
import type { Catalogue, Column, Table } from './catalogue.ts'
import { checkOf, convert, literal, quote } from './expressions.ts'

/**
 * Plans one transaction: updates the rows in place, then adds the CHECKs and changes the defaults in sqlite_schema, as
 * https://www.sqlite.org/lang_altertable.html#otheralter describes for changes that do not affect stored rows.
 *
 * There are no batches: SQLite has one writer at a time, and half of a foreign key cannot be converted before the other.
 *
 * @param schemaVersion `pragma schema_version` before the migration: other connections read the schema again after a
 * change of it.
 */
export function planSqlite({ tables }: Catalogue, target: Target, schemaVersion: number): string[] {
  const triggers = tables.flatMap((table) => table.triggers)
  return [
    // The new values do not match the CHECKs that the way back removes.
    ...(target === 'id' ? [] : ['pragma ignore_check_constraints = on']),
    ...triggers.map(({ name }) => `drop trigger ${quote(name)}`),
    ...tables.map(({ name, columns }) => {
      const set = columns.map((column) => `${quote(column.name)} = ${convert(column, target)}`)
      return `update ${quote(name)} set ${set.join(', ')}`
    }),
    ...triggers.map(({ sql }) => sql),
    'pragma writable_schema = on',
    ...tables
      .filter((table) => newDefinition(table, target) !== table.sql)
      .map(
        (table) =>
          `update sqlite_schema set sql = ${literal(newDefinition(table, target))} where type = 'table' and name = ${literal(table.name)}`,
      ),
    // Dropping and creating triggers has increased it, too.
    `pragma schema_version = ${schemaVersion + 2 * triggers.length + 1}`,
    'pragma writable_schema = off',
  ]
}

/** Returns the CREATE TABLE statement with the CHECKs and defaults of the columns as they are after the migration. */
export function newDefinition(table: Table, target: Target): string {
  let { sql } = table
  for (const column of table.columns) {
    if (column.default !== null) sql = changeDefault(sql, table, column, target)
    if (!column.isNamed) continue
    const check = `, ${checkOf(table, column)}`
    if (target !== 'id') sql = sql.replace(check, '')
    else {
      const end = sql.lastIndexOf(')')
      sql = `${sql.slice(0, end)}${check}${sql.slice(end)}`
    }
  }
  return sql
}

function changeDefault(
  sql: string,
  table: Table,
  { name, prefix, default: value }: Column,
  target: Target,
): string {
  const expression = value as string
  if (/^null$/i.test(expression)) return sql
  const prefixed = `'${prefix}-' || `
  const changed =
    target === 'id' ? `${prefixed}(${expression})` : /^'\w+-' \|\| \((.*)\)$/s.exec(expression)?.[1]
  const parts = sql.split(`(${expression})`)
  if (changed === undefined || parts.length !== 2)
    throw new MigrationError(`${table.name}.${name} has a default that cannot be converted: ${expression}`)
  return parts.join(`(${changed})`)
}
