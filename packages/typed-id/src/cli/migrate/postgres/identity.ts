import type { Column, Identity, Table } from './catalogue.ts'
import { derivedName, unqualified } from './expressions.ts'

/**
 * The statements that turn the identity columns of a table into columns with a default, which continues the sequence:
 * only integers can be identity columns, and a sequence cannot be detached from one. The table must be locked.
 */
export function dropIdentities(table: Table): string[] {
  return table.columns.flatMap((column) =>
    column.identity ? dropIdentity(table, column, column.identity) : [],
  )
}

function dropIdentity(
  { name: table }: Table,
  { name, default: expression }: Column,
  { sequence, options, owner, writers }: Identity,
): string[] {
  const bare = unqualified(sequence)
  const copy = sequence.slice(0, sequence.length - bare.length) + derivedName(bare)
  return [
    `create sequence ${copy} ${options}`,
    `alter sequence ${copy} owner to ${owner}`,
    ...writers.map((role) => `grant usage on sequence ${copy} to ${role}`),
    `select setval('${copy.replaceAll("'", "''")}', last_value, is_called) from ${sequence}`,
    `alter table ${table} alter ${name} drop identity`,
    `alter sequence ${copy} rename to ${bare}`,
    `alter sequence ${sequence} owned by ${table}.${name}`,
    `alter table ${table} alter ${name} set default ${expression}`,
  ]
}
