import type { IdType } from '../../core/types.ts'
import { escapeText, UsageError } from '../terminal.ts'
import { CONVERT, PROCEDURES, WAIT } from './convert-procedure.ts'
import { createDomain, domainOf } from './postgres-domain.ts'

/** A column that --convert names, in SQL syntax: `users.id`, `public."User"."id"`. */
export interface ConvertedColumn {
  readonly table: string
  readonly column: string
  readonly type: IdType<string>
}

/** Matches a name of two or three parts, of which the last one is the column. A part is quoted or needs no quotes. */
const NAME = /^((?:(?:"(?:[^"]|"")+"|[^".\s]+)\.)?(?:"(?:[^"]|"")+"|[^".\s]+))\.("(?:[^"]|"")+"|[^".\s]+)$/

/** Splits `users.id=user`, an argument of --convert, into the table, the column and the prefix. */
export function splitArgument(argument: string): { table: string; column: string; prefix: string } {
  const end = argument.lastIndexOf('=')
  const [, table, column] = NAME.exec(argument.slice(0, Math.max(end, 0))) ?? []
  if (!table || !column)
    throw new UsageError(
      `--convert expects <table>.<column>=<prefix>, such as users.id=user, received "${argument}"`,
    )
  return { table, column, prefix: argument.slice(end + 1) }
}

/** Returns the SQL that converts the columns and all columns that foreign keys connect with them. */
export function printConversion(columns: readonly ConvertedColumn[], toUuid: boolean): string {
  const types = new Map(columns.map(({ type }) => [type.prefix, type])).values()
  const list = (type: string, write: (column: ConvertedColumn) => string) =>
    `array[${columns.map(write).join(', ')}]::pg_catalog.${type}[]`
  const args = columns.map(({ table, column, type }) => ` --convert '${table}.${column}=${type.prefix}'`)
  return `-- Printed by: typed-id sql postgres${escapeText(args.join(''))}${toUuid ? ' --to uuid' : ''}
-- For PostgreSQL 13 and later, without extensions. Run it in one transaction: psql -1 -v ON_ERROR_STOP=1 -f FILE
-- It converts the columns and all columns that foreign keys connect with them, or fails and changes nothing.

${toUuid ? '' : `${[...types].map(createDomain).join('\n')}\n`}${WAIT}
${CONVERT}
call pg_temp.typed_id_convert(
  ${list('regclass', ({ table }) => quote(table))},
  ${list('name', ({ column }) => `(pg_catalog.parse_ident(${quote(column)}))[1]`)},
  ${list('text', ({ type }) => quote(type.prefix))},
  ${list('regtype', ({ type }) => quote(domainOf(type)))},
  ${toUuid}
);
${PROCEDURES.map((name) => `drop procedure pg_temp.${name};`).join('\n')}
`
}

/** Returns a literal that means the same for both values of `standard_conforming_strings`. */
function quote(text: string): string {
  const literal = `'${text.replaceAll("'", "''").replaceAll('\\', '\\\\')}'`
  return text.includes('\\') ? `E${literal}` : literal
}
