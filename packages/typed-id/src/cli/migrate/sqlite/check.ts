import type { Target } from '../arguments.ts'
import { MigrationError } from '../error.ts'
import type { Catalogue, Table } from './catalogue.ts'
import { query, type Session } from './connect.ts'
import { figuresQuery, matches, quote } from './expressions.ts'

/** How many rows that cannot be converted are listed. */
const LISTED = 20

/** Throws for rows that are not uuids (with `--down`: not ids of the type). Lists the first 20 with their primary keys. */
export function assertConvertible(session: Session, { tables }: Catalogue, target: Target): void {
  for (const { name: table, columns, primaryKey } of tables) {
    for (const column of columns) {
      if (target === 'id' && /int/i.test(column.type))
        throw new MigrationError(
          `${table}.${column.name} has the type ${column.type}: expected text; integer keys of SQLite are not supported`,
        )
      const name = quote(column.name)
      const condition = `not (typeof(${name}) = 'text' and ${matches(column, target === 'id' ? 'uuid' : 'id')})`
      const key = primaryKey.length > 0 ? primaryKey.map(quote) : ['rowid']
      const rows = query(
        session,
        `select json_array(${key.join(', ')}) as key, ${name} as value, count(*) over () as total
          from ${quote(table)} where ${name} is not null and ${condition} limit ${LISTED}`,
      )
      if (rows.length === 0) continue
      const expected = target === 'id' ? 'a uuid in lowercase' : `${column.prefix}-<uuid>`
      const listed = rows.map(({ key, value }) => `  ${key}: ${JSON.stringify(value)}`)
      throw new MigrationError(
        `${rows[0]?.total} rows of ${table} have a value in ${column.name} that is not ${expected}:\n${listed.join('\n')}`,
      )
    }
  }
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
