import type { Target } from '../arguments.ts'
import type { Column, Table } from './catalogue.ts'

const HEX = (digits: number) => '[0-9a-f]'.repeat(digits)
const UUID_GLOB = [8, 4, 4, 4, 12].map(HEX).join('-')

export const quote = (name: string): string => `"${name.replaceAll('"', '""')}"`
export const literal = (text: string): string => `'${text.replaceAll("'", "''")}'`

/** Converts the value of a column. */
export function convert({ name, prefix }: Column, target: Target): string {
  return target === 'id' ? `'${prefix}-' || ${quote(name)}` : `substr(${quote(name)}, ${prefix.length + 2})`
}

/** A condition for values that contain an id, or a bare uuid. GLOB ignores what follows a NUL, its length does not. */
export function matches({ name, prefix }: Column, form: 'id' | 'uuid'): string {
  const start = form === 'id' ? `${prefix}-` : ''
  return `${quote(name)} glob '${start}${UUID_GLOB}' and length(cast(${quote(name)} as blob)) = ${start.length + 36}`
}

/** The CHECK on a column that the command line names, as it stands in CREATE TABLE. */
export function checkOf(table: Table, column: Column): string {
  const name = `${table.name}_${column.name}_typed_id`
  return `constraint ${quote(name)} check (${matches(column, 'id')})`
}

/** The sum of the last 8 digits of all uuids of a column. The prefix does not change it. */
export function checksum({ name }: Column): string {
  const digits = Array.from(
    { length: 8 },
    (_, i) => `(instr('123456789abcdef', substr(${quote(name)}, ${i - 8}, 1)) << ${28 - 4 * i})`,
  )
  return `coalesce(sum(${digits.join(' + ')}), 0)`
}

/** The query for the number of rows of a table and the checksum of its columns, before and after the migration. */
export function figuresQuery({ name, columns }: Table): string {
  return `select count(*) as rows, ${columns.map(checksum).join('\n  + ')} as checksum from ${quote(name)}`
}
