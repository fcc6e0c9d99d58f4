import type { Target } from '../arguments.ts'
import { MigrationError } from '../error.ts'
import { integerForm, MAX_INTEGER } from '../integer-ids.ts'
import type { Catalogue, Column, Table } from './catalogue.ts'
import { query, type Session } from './connect.ts'
import { figuresQuery, isConvertible, quote } from './expressions.ts'
import { isIntegerColumn } from './integers.ts'

/** How many rows that cannot be converted are listed. */
const LISTED = 20

/** Throws for rows that are not uuids (with `--down`: not ids of the type). Lists the first 20 with their primary keys. */
export function assertConvertible(session: Session, { tables }: Catalogue, target: Target): void {
  for (const { name: table, columns, primaryKey } of tables) {
    for (const column of columns) {
      const name = quote(column.name)
      const condition = `not (${isConvertible(column, target)})`
      // The drivers do not read integers above 2^53 as a number.
      const value = isIntegerColumn(column, target) ? `cast(${name} as text)` : name
      const key = primaryKey.length > 0 ? primaryKey.map(quote) : ['rowid']
      const rows = query(
        session,
        `select json_array(${key.join(', ')}) as key, ${value} as value, count(*) over () as total
          from ${quote(table)} where ${name} is not null and ${condition} limit ${LISTED}`,
      )
      if (rows.length === 0) continue
      const expected = describe(column, target)
      const listed = rows.map(({ key, value }) => `  ${key}: ${JSON.stringify(value)}`)
      throw new MigrationError(
        `${rows[0]?.total} rows of ${table} have a value in ${column.name} that is not ${expected}:\n${listed.join('\n')}`,
      )
    }
  }
}

function describe(column: Column, target: Target): string {
  if (!isIntegerColumn(column, target))
    return target === 'id' ? 'a uuid in lowercase' : `${column.prefix}-<uuid>`
  return target === 'id' ? `an integer from 0 to ${MAX_INTEGER}` : integerForm(column.prefix)
}

/** Describes the number of rows and the checksum of each table. */
export function readFigures(session: Session, tables: readonly Table[]): string[] {
  return tables.map((table) => {
    const [row] = query(session, figuresQuery(table))
    return `${table.name}: ${row?.rows} rows, checksum ${row?.checksum}`
  })
}

/** Counts the rows without the row that they refer to. */
export function countBrokenReferences(session: Session): number {
  return query(session, 'select count(*) as rows from pragma_foreign_key_check')[0]?.rows
}
