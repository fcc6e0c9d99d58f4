import type { Target } from '../arguments.ts'
import { FIRST_DIGITS } from '../integer-ids.ts'
import type { Column, Table } from './catalogue.ts'

/** Whether a column contains integers now, or with `--down integer` after the migration. */
export function isIntegerColumn({ type }: Column, target: Target): boolean {
  return target === 'integer' || (target === 'id' && /int/i.test(type))
}

/** A table with such a column is built again: the column may be the rowid, or the table may be STRICT. */
export function isRebuilt({ columns }: Table, target: Target): boolean {
  return columns.some((column) => isIntegerColumn(column, target))
}

/** Converts an expression with an integer to an id. */
export function integerToId(expression: string, prefix: string): string {
  // Bit 15 of the first group is the variant.
  const groups = `(${expression} >> 48) | 32768, ${expression} & 281474976710655`
  return `case when ${expression} is not null then printf('${prefix}-${FIRST_DIGITS}%04x-%012x', ${groups}) end`
}

/** Converts an expression with an id back to its integer. */
export function idToInteger(expression: string, prefix: string): string {
  const digits = `replace(substr(${expression}, ${prefix.length + FIRST_DIGITS.length + 2}), '-', '')`
  const values = Array.from(
    { length: 16 },
    (_, i) => `((${digitAt(digits, i + 1)}${i === 0 ? ' & 3' : ''}) << ${60 - 4 * i})`,
  )
  return values.join(' + ')
}

/** The value of a hexadecimal digit. */
export const digitAt = (expression: string, place: number): string =>
  `instr('123456789abcdef', substr(${expression}, ${place}, 1))`

/** The pattern of ids that contain an integer. */
export const integerGlob = (prefix: string): string => {
  const hex = (digits: number) => '[0-9a-f]'.repeat(digits)
  return `${prefix}-${FIRST_DIGITS}[89ab]${hex(3)}-${hex(12)}`
}
