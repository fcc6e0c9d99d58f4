import type { Target } from '../arguments.ts'
import { MigrationError } from '../error.ts'
import type { Catalogue, Column, Table } from './catalogue.ts'
import { changeToText, restoreInteger } from './definition.ts'
import { checkOf, convert, literal, quote } from './expressions.ts'
import { isIntegerColumn, isRebuilt } from './integers.ts'

/**
 * Plans one transaction: builds the tables with integers again, updates the rows of the others in place, then adds the CHECKs and changes the defaults in sqlite_schema, as
 * https://www.sqlite.org/lang_altertable.html#otheralter describes for changes that do not affect stored rows.
 *
 * There are no batches: SQLite has one writer at a time, and half of a foreign key cannot be converted before the other.
 *
 * @param schemaVersion `pragma schema_version` before the migration: other connections read the schema again after a
 * change of it.
 */
export function planSqlite({ tables }: Catalogue, target: Target, schemaVersion: number): string[] {
  const triggers = tables.flatMap((table) => table.triggers)
  const rebuilt = tables.filter((table) => isRebuilt(table, target))
  const updated = tables.filter((table) => !isRebuilt(table, target))
  const changes = rebuilt.flatMap((table) => rebuild(table, target))
  return [
    // The new values do not match the CHECKs that the way back removes.
    ...(target === 'id' ? [] : ['pragma ignore_check_constraints = on']),
    ...triggers.map(({ name }) => `drop trigger ${quote(name)}`),
    ...changes,
    ...updated.map(({ name, columns }) => {
      const set = columns.map((column) => `${quote(column.name)} = ${convert(column, target)}`)
      return `update ${quote(name)} set ${set.join(', ')}`
    }),
    ...triggers.map(({ sql }) => sql),
    'pragma writable_schema = on',
    ...updated
      .filter((table) => newDefinition(table, target) !== table.sql)
      .map(
        (table) =>
          `update sqlite_schema set sql = ${literal(newDefinition(table, target))} where type = 'table' and name = ${literal(table.name)}`,
      ),
    // Dropping and creating has increased it, too.
    `pragma schema_version = ${schemaVersion + 2 * triggers.length + changes.length + 1}`,
    'pragma writable_schema = off',
  ]
}

/**
 * Copies the rows, and creates the table and its indexes again, with the same names: views and the foreign keys of other
 * tables refer to names. Nothing is renamed, because SQLite then checks every view, and changes other definitions.
 */
function rebuild(table: Table, target: Target): string[] {
  const name = quote(table.name)
  const names = table.allColumns.map(quote).join(', ')
  const values = table.allColumns.map((name) => {
    const column = table.columns.find((column) => column.name === name)
    return column ? `${convert(column, target)} as ${quote(name)}` : quote(name)
  })
  return [
    `create temp table typed_id_copy as select ${values.join(', ')} from ${name}`,
    `drop table ${name}`,
    newDefinition(table, target),
    `insert into ${name} (${names}) select ${names} from temp.typed_id_copy`,
    'drop table temp.typed_id_copy',
    ...table.indexes,
  ]
}

/** Returns the CREATE TABLE statement with the CHECKs and defaults of the columns as they are after the migration. */
export function newDefinition(table: Table, target: Target): string {
  let { sql } = table
  for (const column of table.columns) {
    if (isIntegerColumn(column, target)) {
      if (target !== 'id') sql = restoreInteger(sql, table.name, column.name)
      else {
        const isRowid = /^integer$/i.test(column.type) && table.primaryKey.join() === column.name
        sql = changeToText(sql, table.name, column.name, isRowid)
      }
    }
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

function changeDefault(sql: string, table: Table, column: Column, target: Target): string {
  const { name, prefix, default: value } = column
  const expression = value as string
  if (/^null$/i.test(expression)) return sql
  if (isIntegerColumn(column, target))
    throw new MigrationError(`${table.name}.${name} has a default that cannot be converted: ${expression}`)
  const prefixed = `'${prefix}-' || `
  const changed =
    target === 'id' ? `${prefixed}(${expression})` : /^'\w+-' \|\| \((.*)\)$/s.exec(expression)?.[1]
  const parts = sql.split(`(${expression})`)
  if (changed === undefined || parts.length !== 2)
    throw new MigrationError(`${table.name}.${name} has a default that cannot be converted: ${expression}`)
  return parts.join(`(${changed})`)
}
