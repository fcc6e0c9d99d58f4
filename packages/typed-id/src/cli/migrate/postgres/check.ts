import type { Target } from '../arguments.ts'
import { MigrationError } from '../error.ts'
import type { Catalogue, Table } from './catalogue.ts'
import type { Session } from './connect.ts'
import { checksum, conversionOf, isConvertible } from './expressions.ts'

/** The number of rows of a table, and the sum of the checksums of the uuids in all its columns. */
export interface Figures {
  readonly rows: number
  readonly checksum: string
}

/** The query for the figures of a table: before the migration, or after it. */
export function figuresQuery({ name, columns }: Table, target: Target, when: 'before' | 'after'): string {
  const sums = columns.map((column) => {
    const { uuidBefore, uuidAfter } = conversionOf(column, target)
    return checksum((when === 'before' ? uuidBefore : uuidAfter)(column.name))
  })
  return `select count(*) as rows, ${sums.join(' + ')} as checksum from ${name}`
}

export async function readFigures(
  session: Session,
  table: Table,
  target: Target,
  when: 'before' | 'after',
): Promise<Figures> {
  const { rows } = await session.query(figuresQuery(table, target, when))
  return { rows: Number(rows[0]?.rows), checksum: String(rows[0]?.checksum) }
}

/** How many rows that cannot be converted are listed. */
const LISTED = 20

/**
 * Throws for a column of another type, and for rows that are not uuids (with `--down`: not ids of the type). The message
 * lists the first 20 with their primary keys.
 */
export async function assertConvertible(
  session: Session,
  { tables }: Catalogue,
  target: Target,
): Promise<void> {
  for (const { name: table, columns } of tables) {
    for (const { name, type, identity, prefix } of columns) {
      const hint = target === 'id' && (identity || /int/.test(type)) ? '; integer keys are not supported' : ''
      const expected = target === 'id' ? 'uuid or text' : `text with ids of type ${prefix}`
      if (identity || !isConvertible(type, target))
        throw new MigrationError(`${table}.${name} has the type ${type}: expected ${expected}${hint}`)
    }
  }
  for (const table of tables) await assertRowsConvertible(session, table, target)
}

async function assertRowsConvertible(
  session: Session,
  { name: table, columns, primaryKey }: Table,
  target: Target,
): Promise<void> {
  for (const column of columns) {
    const condition = conversionOf(column, target).invalid(column.name)
    if (condition === undefined) continue
    const key = primaryKey.length > 0 ? primaryKey : ['ctid']
    const from = `from ${table} where ${condition}`
    const { rows } = await session.query(
      `select row_to_json((select r from (select ${key.join(', ')}) r)) as key, ${column.name} as value,
        count(*) over () as total ${from} order by ${key.join(', ')} limit ${LISTED}`,
    )
    if (rows.length === 0) continue
    const expected = target === 'id' ? 'a uuid in lowercase' : `${column.prefix}-<uuid>`
    const listed = rows.map(({ key, value }) => `  ${JSON.stringify(key)}: ${JSON.stringify(value)}`)
    throw new MigrationError(
      `${rows[0]?.total} rows of ${table} have a value in ${column.name} that is not ${expected}:\n${listed.join('\n')}`,
    )
  }
}
