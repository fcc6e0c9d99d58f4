import type { IntegerType } from '../arguments.ts'
import { FIRST_DIGITS } from '../integer-ids.ts'

/**
 * The bits of the variant. Their sum with an integer has 16 hexadecimal digits; that with a negative integer is an error
 * (bigint out of range) instead of a wrong id.
 */
const VARIANT = '(8::bigint << 60)'

/** The digits of the last two groups of a UUID whose integer fits into the type, as a regular expression. */
const LAST_DIGITS: Record<IntegerType, string> = {
  smallint: '8000-00000000[0-7][0-9a-f]{3}',
  integer: '8000-0000[0-7][0-9a-f]{7}',
  bigint: '[89ab][0-9a-f]{3}-[0-9a-f]{12}',
}

/** Converts an expression with an integer to an id. The expression is evaluated once, because it may be `nextval(…)`. */
export function integerToId(expression: string, prefix: string): string {
  return `('${prefix}${FIRST_DIGITS}'::text || overlay(to_hex(${expression} + ${VARIANT}) placing '-' from 5 for 0))`
}

/** Converts an expression with an id back to its integer. */
export function idToInteger(expression: string, prefix: string, type: IntegerType): string {
  const digits = `replace(substr(${expression}, ${prefix.length + FIRST_DIGITS.length + 1}), '-', '')`
  return `(('x' || ${digits})::bit(64)::bigint - ${VARIANT})::${type}`
}

/** A condition for ids that do not contain an integer of the type. */
export function lacksInteger(expression: string, prefix: string, type: IntegerType): string {
  return `${expression} !~ '^${prefix}${FIRST_DIGITS}${LAST_DIGITS[type]}$'`
}

/** Returns the expression within a default that `integerToId` has created, as it is or as PostgreSQL prints it. */
export function integerDefault(expression: string, prefix: string): string | undefined {
  const start = `('${prefix}${FIRST_DIGITS}'::text || `
  if (!expression.startsWith(start)) return undefined
  const rest = expression.slice(start.length)
  return /^overlay\(to_hex\(\(?(.*) \+ \(\(?8\)?::bigint << 60\)\)?\) placing '-'(?:::text)? from 5 for 0\)\)$/i.exec(
    rest,
  )?.[1]
}
