import type { Target } from '../arguments.ts'
import { UUID } from '../uuid-pattern.ts'
import type { Column } from './catalogue.ts'

/** SQL that converts one column: from what it contains now to the target. */
export interface Conversion {
  /** The type of the column after the migration. */
  readonly type: string
  /** Converts an expression with the current value. */
  convert(expression: string): string
  /** The bare uuid in an expression with the current value, or with the converted value: for checksums. */
  uuidBefore(expression: string): string
  uuidAfter(expression: string): string
  /** A condition for values that cannot be converted; undefined if the type of the column excludes them. */
  invalid(expression: string): string | undefined
  /** The default after the migration. */
  readonly default: string | null
}

export function conversionOf(column: Column, target: Target): Conversion {
  const prefix = `${column.prefix}-`
  const text = column.collation === null ? 'text' : `text collate ${column.collation}`
  const bare = (expression: string) => `${expression}::text`
  const strip = (expression: string) => `substr(${expression}, ${prefix.length + 1})`
  if (target === 'id') {
    const isUuid = column.type === 'uuid'
    const convert = (expression: string) => `('${prefix}' || ${bare(expression)})`
    return {
      type: text,
      convert,
      uuidBefore: bare,
      uuidAfter: strip,
      invalid: (expression) => (isUuid ? undefined : `${bare(expression)} !~ '^${UUID}$'`),
      default: column.default === null ? null : convert(`(${column.default})`),
    }
  }
  const convert = (expression: string) => `${strip(expression)}::${target}`
  return {
    type: target === 'text' ? text : target,
    convert,
    uuidBefore: strip,
    uuidAfter: bare,
    invalid: (expression) => `${expression} !~ '^${prefix}${UUID}$'`,
    default:
      column.default === null
        ? null
        : (withoutPrefix(column.default, prefix) ?? convert(`(${column.default})`)),
  }
}

/** Returns the default as it was before the prefix was added: `('user-'::text || (gen_random_uuid())::text)`. */
function withoutPrefix(expression: string, prefix: string): string | undefined {
  const start = `('${prefix}'::text || (`
  const end = ')::text)'
  if (!expression.startsWith(start) || !expression.endsWith(end)) return undefined
  return expression.slice(start.length, -end.length)
}

/** Whether the command can convert a column of this type. */
export function isConvertible(type: string, target: Target): boolean {
  const isText = /^(text|character|character varying)(\(\d+\))?$/.test(type)
  return isText || (target === 'id' && type === 'uuid')
}

/** The name of an object that belongs to a column or an index during the migration. `name` is quoted where needed. */
export function derivedName(name: string, suffix = '_typed_id'): string {
  const isQuoted = name.startsWith('"')
  const inner = isQuoted ? name.slice(1, -1) : name
  const derived = inner.slice(0, 63 - suffix.length) + suffix // PostgreSQL cuts names to 63 bytes
  return isQuoted ? `"${derived}"` : derived
}

/** The name of the CHECK on a column that the command line names. */
export function checkName(table: string, column: string): string {
  return derivedName(`${unqualified(table)}_${column}`.replaceAll('"', '').replace(/[^a-z0-9_]/g, '_'))
}

/** The name of a table without its schema. */
export const unqualified = (table: string): string => /("([^"]|"")+"|[^".]+)$/.exec(table)?.[0] ?? table

/** A checksum that does not depend on the order of rows: of the text of the uuids. */
export const checksum = (expression: string): string => `coalesce(sum(hashtextextended(${expression}, 0)), 0)`
