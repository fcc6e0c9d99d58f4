import type { Target } from '../arguments.ts'
import { MAX_INTEGER } from '../integer-ids.ts'
import type { Column, Table } from './catalogue.ts'
import { digitAt, idToInteger, integerGlob, integerToId, isIntegerColumn } from './integers.ts'

const HEX = (digits: number) => '[0-9a-f]'.repeat(digits)
const UUID_GLOB = [8, 4, 4, 4, 12].map(HEX).join('-')

export const quote = (name: string): string => `"${name.replaceAll('"', '""')}"`
export const literal = (text: string): string => `'${text.replaceAll("'", "''")}'`

/** Converts the value of a column. */
export function convert(column: Column, target: Target): string {
  const { name, prefix } = column
  if (isIntegerColumn(column, target))
    return target === 'id' ? integerToId(quote(name), prefix) : idToInteger(quote(name), prefix)
  return target === 'id' ? `'${prefix}-' || ${quote(name)}` : `substr(${quote(name)}, ${prefix.length + 2})`
}

/** A condition for values that contain an id, or a bare uuid. GLOB ignores what follows a NUL, its length does not. */
export function matches({ name, prefix }: Column, form: 'id' | 'uuid'): string {
  const start = form === 'id' ? `${prefix}-` : ''
  return `${quote(name)} glob '${start}${UUID_GLOB}' and length(cast(${quote(name)} as blob)) = ${start.length + 36}`
}

/** A condition for values that can be converted. */
export function isConvertible(column: Column, target: Target): string {
  const name = quote(column.name)
  if (!isIntegerColumn(column, target))
    return `typeof(${name}) = 'text' and ${matches(column, target === 'id' ? 'uuid' : 'id')}`
  if (target === 'id') return `typeof(${name}) = 'integer' and ${name} between 0 and ${MAX_INTEGER}`
  return `typeof(${name}) = 'text' and ${name} glob '${integerGlob(column.prefix)}' and ${matches(column, 'id')}`
}

/** The CHECK on a column that the command line names, as it stands in CREATE TABLE. */
export function checkOf(table: Table, column: Column): string {
  const name = `${table.name}_${column.name}_typed_id`
  return `constraint ${quote(name)} check (${matches(column, 'id')})`
}

/** The sum of the last 8 digits of all uuids of a column, or of the last 32 bits of integers, which are the same. */
export function checksum(column: Column): string {
  const name = quote(column.name)
  const digits = Array.from({ length: 8 }, (_, i) => `(${digitAt(name, i - 8)} << ${28 - 4 * i})`).join(' + ')
  const value = `case typeof(${name}) when 'integer' then ${name} & 4294967295 else ${digits} end`
  return `coalesce(sum(${value}), 0)`
}

/** The query for the number of rows of a table and the checksum of its columns, before and after the migration. */
export function figuresQuery({ name, columns }: Table): string {
  return `select count(*) as rows, ${columns.map(checksum).join('\n  + ')} as checksum from ${quote(name)}`
}
