import type { Target } from '../arguments.ts'
import type { Index, Table } from './catalogue.ts'
import { dropSync, proofName } from './expand.ts'
import { checkName, conversionOf, derivedName } from './expressions.ts'
import { dropIdentities } from './identity.ts'

/** The statements that build the indexes of the new columns. An interrupted one leaves an invalid index: it is dropped. */
export function createIndexes(table: Table): string[] {
  return table.indexes.flatMap((index) => [
    `drop index concurrently if exists ${index.schema}.${derivedName(index.name)}`,
    copyIndex(table, index),
  ])
}

/** Returns CREATE INDEX for the new columns: the definition of the index with the names replaced. */
function copyIndex({ name: table, columns }: Table, { name, definition }: Index): string {
  const [head = '', ...rest] = definition.split(' USING ')
  const unique = head.startsWith('CREATE UNIQUE ') ? 'unique ' : ''
  const names = columns.map((column) => column.name)
  const tail = rest
    .join(' USING ')
    .replace(/"([^"]|"")+"|\w+/g, (word) => (names.includes(word) ? derivedName(word) : word))
  return `create ${unique}index concurrently ${derivedName(name)} on ${table} using ${tail}`
}

/** The constraints of the new columns that are validated before the switch. */
export function proofsOf(table: Table, target: Target): string[] {
  return table.columns.flatMap(({ name, notNull, isNamed }) => [
    ...(notNull ? [proofName(table, name)] : []),
    ...(target === 'id' && isNamed ? [checkName(table.name, name)] : []),
  ])
}

/** Whether a CHECK is one that this command has added to a column that contains ids. */
export function isOwnCheck(table: Table, check: string): boolean {
  return table.columns.some(({ name }) => checkName(table.name, name) === check)
}

/** The statements that put the new columns in the place of the others. Each changes only the catalogue. */
export function switchTable(table: Table, target: Target): string[] {
  const { name, columns, indexes, checks } = table
  const alter = (change: string) => `alter table ${name} ${change}`
  return [
    ...dropSync(table),
    ...dropIdentities(table),
    ...columns.flatMap(({ sequences }) =>
      sequences.map((sequence) => `alter sequence ${sequence} owned by none`),
    ),
    // This drops the indexes and constraints of the columns.
    ...columns.map((column) => alter(`drop column ${column.name}`)),
    ...columns.flatMap((column) => {
      const { default: expression } = conversionOf(column, target)
      return [
        alter(`rename ${derivedName(column.name)} to ${column.name}`),
        ...(column.notNull
          ? [
              alter(`alter ${column.name} set not null`),
              alter(`drop constraint ${proofName(table, column.name)}`),
            ]
          : []),
        ...(expression === null ? [] : [alter(`alter ${column.name} set default ${expression}`)]),
        ...column.sequences.map((sequence) => `alter sequence ${sequence} owned by ${name}.${column.name}`),
        ...(column.comment === null
          ? []
          : [`comment on column ${name}.${column.name} is '${column.comment.replaceAll("'", "''")}'`]),
      ]
    }),
    ...indexes.map(({ name: index, schema, constraint, deferrable }) =>
      constraint === null
        ? `alter index ${schema}.${derivedName(index)} rename to ${index}`
        : alter(
            `add constraint ${index} ${constraint === 'p' ? 'primary key' : 'unique'} using index ${derivedName(index)}${deferrable}`,
          ),
    ),
    ...checks
      .filter((check) => !isOwnCheck(table, check.name))
      .map((check) => alter(`add constraint ${check.name} ${check.definition} not valid`)),
  ]
}
