import type { Target } from '../arguments.ts'
import type { Step } from '../step.ts'
import { UUID } from '../uuid-pattern.ts'
import type { Catalogue, Table } from './catalogue.ts'
import { checkName, conversionOf } from './expressions.ts'
import { dropIdentities } from './identity.ts'

/** Plans one transaction that changes the types of all columns. PostgreSQL rewrites the tables and their indexes. */
export function planTransaction({ tables, foreignKeys }: Catalogue, target: Target): Step[] {
  return [
    {
      title: 'Convert all columns in one transaction',
      lock: 'ACCESS EXCLUSIVE on all tables until the commit: readers and writers wait while the tables are rewritten',
      run: 'transaction',
      tables: tables.map(({ name }) => name),
      statements: [
        ...foreignKeys.map(({ table, name }) => `alter table ${table} drop constraint ${name}`),
        ...tables.flatMap((table) => [...dropIdentities(table), convertColumns(table, target)]),
        ...foreignKeys.map(
          ({ table, name, definition, isValid }) =>
            `alter table ${table} add constraint ${name} ${definition}${isValid ? '' : ' not valid'}`,
        ),
      ],
    },
  ]
}

function convertColumns({ name: table, columns, checks }: Table, target: Target): string {
  const changes = columns.flatMap((column) => {
    const { type, convert, default: expression } = conversionOf(column, target)
    const { name, isNamed, prefix } = column
    const check = checkName(table, name)
    return [
      ...(target !== 'id' && checks.some(({ name }) => name === check) ? [`drop constraint ${check}`] : []),
      ...(column.default === null ? [] : [`alter ${name} drop default`]),
      `alter ${name} type ${type} using ${convert(name)}`,
      ...(expression === null ? [] : [`alter ${name} set default ${expression}`]),
      ...(target === 'id' && isNamed
        ? [`add constraint ${check} check (${name} ~ '^${prefix}-${UUID}$')`]
        : []),
    ]
  })
  return `alter table ${table}\n  ${changes.join(',\n  ')}`
}
