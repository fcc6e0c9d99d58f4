import { INTEGER_TYPES, type IntegerType, type Target } from '../arguments.ts'
import { integerForm, MAX_INTEGER } from '../integer-ids.ts'
import { UUID } from '../uuid-pattern.ts'
import type { Column } from './catalogue.ts'
import { idToInteger, integerDefault, integerToId, lacksInteger } from './integers.ts'

/** SQL that converts one column: from what it contains now to the target. */
export interface Conversion {
  /** The type of the column after the migration. */
  readonly type: string
  /** Converts an expression with the current value. */
  convert(expression: string): string
  /** The bare uuid or the integer in an expression with the current or with the converted value, for checksums. */
  keyBefore(expression: string): string
  keyAfter(expression: string): string
  /** A condition for values that cannot be converted; undefined if the type of the column excludes them. */
  invalid(expression: string): string | undefined
  /** What messages call a value that can be converted, and a converted value. */
  readonly expected: string
  readonly result: string
  /** The default after the migration. */
  readonly default: string | null
}

export function conversionOf(column: Column, target: Target): Conversion {
  const prefix = `${column.prefix}-`
  const text = column.collation === null ? 'text' : `text collate ${column.collation}`
  const bare = (expression: string) => `${expression}::text`
  const strip = (expression: string) => `substr(${expression}, ${prefix.length + 1})`
  if (target === 'id' && isInteger(column.type))
    return {
      type: text,
      convert: (expression) => integerToId(expression, prefix),
      keyBefore: bare,
      keyAfter: (expression) => bare(idToInteger(expression, prefix, 'bigint')),
      invalid: (expression) => `${expression} not between 0 and ${MAX_INTEGER}`,
      expected: `an integer from 0 to ${MAX_INTEGER}`,
      result: `'${integerForm(column.prefix)}'`,
      default: column.default === null ? null : integerToId(`(${column.default})`, prefix),
    }
  if (target === 'id') {
    const isUuid = column.type === 'uuid'
    const convert = (expression: string) => `('${prefix}' || ${bare(expression)})`
    return {
      type: text,
      convert,
      keyBefore: bare,
      keyAfter: strip,
      invalid: (expression) => (isUuid ? undefined : `${bare(expression)} !~ '^${UUID}$'`),
      expected: 'a uuid in lowercase',
      result: `'${prefix}<uuid>'`,
      default: column.default === null ? null : convert(`(${column.default})`),
    }
  }
  if (isInteger(target)) {
    const convert = (expression: string) => idToInteger(expression, prefix, target)
    return {
      type: target,
      convert,
      keyBefore: (expression) => bare(idToInteger(expression, prefix, 'bigint')),
      keyAfter: bare,
      invalid: (expression) => lacksInteger(expression, prefix, target),
      expected: integerForm(column.prefix, target),
      result: 'the integer',
      default:
        column.default === null
          ? null
          : (integerDefault(column.default, prefix) ?? convert(`(${column.default})`)),
    }
  }
  const convert = (expression: string) => `${strip(expression)}::${target}`
  return {
    type: target === 'text' ? text : target,
    convert,
    keyBefore: strip,
    keyAfter: bare,
    invalid: (expression) => `${expression} !~ '^${prefix}${UUID}$'`,
    expected: `${prefix}<uuid>`,
    result: 'the bare uuid',
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
  return isText || (target === 'id' && (type === 'uuid' || isInteger(type)))
}

/** Whether a type of a column, or a target, is one of the integer types. */
export function isInteger(type: string): type is IntegerType {
  return (INTEGER_TYPES as readonly string[]).includes(type)
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

/** A checksum that does not depend on the order of rows: of the text of the keys. */
export const checksum = (expression: string): string => `coalesce(sum(hashtextextended(${expression}, 0)), 0)`
