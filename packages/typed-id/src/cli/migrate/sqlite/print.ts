import { type Arguments, describeArguments } from '../arguments.ts'
import { integerForm } from '../integer-ids.ts'
import type { Catalogue } from './catalogue.ts'
import { figuresQuery } from './expressions.ts'
import { isIntegerColumn } from './integers.ts'

/** Returns the plan as SQL that the sqlite3 shell runs, with comments. */
export function printPlan(
  { tables }: Catalogue,
  statements: readonly string[],
  figures: readonly string[],
  args: Arguments,
): string {
  const { target } = args
  return [
    '-- typed-id migrate plan for SQLite. Nothing was changed: --apply runs these statements.',
    '',
    '-- Columns:',
    ...tables.flatMap(({ name: table, columns }) =>
      columns.map((column) => {
        const { name, prefix, isNamed } = column
        const integer = isIntegerColumn(column, target)
        const id = integer ? integerForm(prefix) : `${prefix}-<uuid>`
        const value = target === 'id' ? `'${id}'` : integer ? 'the integer' : 'the bare uuid'
        return `--   ${table}.${name} becomes ${value}${isNamed ? '' : ', follows by foreign keys'}`
      }),
    ),
    '-- Before, with a checksum of all keys:',
    ...figures.map((line) => `--   ${line}`),
    '',
    '-- Locks: other writers wait from begin to commit. In WAL mode, readers continue with the rows as they were.',
    '-- After a kill, SQLite rolls the transaction back.',
    'pragma foreign_keys = off;',
    'begin immediate;',
    ...statements.map((statement) => `${statement};`),
    '-- This must return no row:',
    'select * from pragma_foreign_key_check;',
    'commit;',
    '',
    '-- After: these queries return the figures from above.',
    ...tables.map((table) => `${figuresQuery(table)};`),
    ...(target === 'id' ? ['', ...describeWayBack(tables, args)] : []),
  ].join('\n')
}

/** One command for the columns that were text, one for those that were integers. */
function describeWayBack(tables: Catalogue['tables'], { types }: Arguments): string[] {
  const integers = new Set(
    tables.flatMap(({ columns }) =>
      columns.filter((column) => isIntegerColumn(column, 'id')).map(({ prefix }) => prefix),
    ),
  )
  const commands = [
    { target: 'text', types: types.filter(({ prefix }) => !integers.has(prefix)) },
    { target: 'integer', types: types.filter(({ prefix }) => integers.has(prefix)) },
  ] as const
  return commands
    .filter(({ types }) => types.length > 0)
    .map((args) => `-- The way back: typed-id migrate plan --database … ${describeArguments(args)}`)
}
